//! What an instance remembers from one call to the next.

use std::cell::Cell;
use std::time::Duration;

use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, operation, resource};

use crate::settings::Settings;

thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

#[derive(Inputs)]
pub(crate) struct Args {
    /// How long to take, in milliseconds.
    pause: Option<u32>,
}

/// A resource that counts what its instance made.
#[derive(State)]
pub(crate) struct Counter {
    #[bulkhead(flatten)]
    args: Args,
    /// The how manieth of its instance it is.
    count: u32,
    /// The configuration it was made under.
    label: String,
}

#[resource(token = "behaviours:index:Counter")]
impl Resource for Counter {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let count = CALLS.get() + 1;
        CALLS.set(count);
        operation::sleep(Duration::from_millis(request.inputs.pause.unwrap_or(0).into()))?;
        Ok(Created::new("counter-1", Self { args: request.inputs, count, label: request.config.label.clone() }))
    }
}
