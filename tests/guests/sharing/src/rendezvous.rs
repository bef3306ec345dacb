//! A resource that is only made once so many others are being made at the same time.

use std::time::Duration;

use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, operation, resource, session};

#[derive(Inputs)]
pub(crate) struct Args {
    /// How many meet.
    size: i32,
}

/// One of those who met.
#[derive(State)]
pub(crate) struct Rendezvous {
    #[bulkhead(flatten)]
    args: Args,
    /// The how manieth it was to come.
    arrival: i32,
}

#[resource(token = "sharing:index:Rendezvous")]
impl Resource for Rendezvous {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        let arrival = session::add("arrivals", 1)?;
        while session::add("arrivals", 0)? < args.size {
            operation::sleep(Duration::from_millis(5))?;
        }
        Ok(Created::new(format!("rendezvous-{arrival}"), Self { args, arrival }))
    }
}
