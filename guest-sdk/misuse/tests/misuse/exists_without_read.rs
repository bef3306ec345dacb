use bulkhead_sdk::*;

#[derive(State)]
struct Tape {}

#[resource(token = "tapes:index:Tape")]
impl Resource for Tape {
    type Inputs = ();

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("none", Self {}))
    }

    fn exists(_: &Read<Self>) -> Result<bool> {
        Ok(true)
    }
}

fn main() {}
