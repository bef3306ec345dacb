//! Locks, and all the ways to let go of one.

use std::time::Duration;

use bulkhead_sdk::{Enum, Error, Inputs, Result, State, function, log, operation, session};

#[derive(Clone, Copy, Enum)]
enum Ending {
    /// Gives it back.
    Drop,
    /// Returns with it.
    Forget,
    Fail,
    Panic,
    /// Waits for it again.
    Twice,
    /// Takes several.
    Several,
}

#[derive(Inputs)]
pub(crate) struct Args {
    /// Which lock.
    name: String,
    /// How long to hold it, in milliseconds; or how many to take.
    amount: Option<u32>,
    /// How to let go.
    act: Ending,
}

/// What came of it.
#[derive(State)]
pub(crate) struct Came {
    /// How many held it when it was got, this call included.
    holders: i32,
}

/// Holds a lock.
#[function(token = "sharing:index:hold")]
pub(crate) fn hold(args: Args) -> Result<Came> {
    log::debug("waiting");
    let guard = session::lock(&args.name)?;
    log::debug("holding");
    let amount = args.amount.unwrap_or(0);
    match args.act {
        Ending::Drop => {}
        Ending::Forget => {
            std::mem::forget(guard);
            return Ok(Came { holders: 1 });
        }
        Ending::Fail => return Err(Error::failed("it was held in vain")),
        Ending::Panic => stumble(),
        Ending::Twice => drop(session::lock(&args.name)?),
        Ending::Several => {
            let more: Result<Vec<_>> =
                (0..amount).map(|number| session::lock(&format!("{}{number}", args.name))).collect();
            return Ok(Came { holders: i32::try_from(more?.len())? });
        }
    }
    let holders = session::add("holders", 1)?;
    operation::sleep(Duration::from_millis(amount.into()))?;
    session::add("holders", -1)?;
    Ok(Came { holders })
}

#[expect(clippy::panic, reason = "crashing is the behaviour")]
fn stumble() -> ! {
    panic!("stumbled")
}
