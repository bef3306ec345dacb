//! Resources that are asked whether they exist before they are read.

use std::cell::Cell;

use bulkhead_sdk::testing::Driver;
use bulkhead_sdk::{Create, Created, Error, Read, Resource, Result, Snapshot, State, fields, provider, resource};

thread_local! {
    static EXISTS: Cell<bool> = const { Cell::new(true) };
    static READS: Cell<u32> = const { Cell::new(0) };
}

/// A tape.
#[derive(State)]
pub(crate) struct Tape {}

#[resource(token = "tapes:index:Tape")]
impl Resource for Tape {
    type Inputs = ();

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("t-1", Self {}))
    }

    fn exists(request: &Read<Self>) -> Result<bool> {
        if request.id == "unreachable" { Err(Error::failed("nobody answers")) } else { Ok(EXISTS.get()) }
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        READS.set(READS.get() + 1);
        Ok(Some(Snapshot::new(request.id, Self {})))
    }
}

provider! { name: "tapes", resources: [Tape] }

/// TF-09.
#[test]
fn what_doesnt_exist_isnt_read() {
    let driver = Driver::new(&PROVIDER, ());
    let tape = driver.create::<Tape>(fields! {}).unwrap();
    assert!(driver.read(&tape).unwrap().is_some());
    assert_eq!(READS.get(), 1);
    EXISTS.set(false);
    assert!(driver.read(&tape).unwrap().is_none());
    assert!(driver.import::<Tape>("t-2").unwrap().is_none());
    assert_eq!(READS.get(), 1);
    let error = driver.import::<Tape>("unreachable").unwrap_err();
    assert_eq!(error.to_string(), "nobody answers");
}
