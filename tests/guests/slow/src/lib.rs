//! Creates that take their time, for what happens when somebody interrupts.

use std::hint::black_box;
use std::time::Duration;

use bulkhead_sdk::{
    Create, Created, Inputs, Read, Resource, Result, Snapshot, State, checkpoint, log, operation, provider, resource,
};

#[derive(Inputs)]
struct Args {
    /// How long the create takes, in seconds.
    #[bulkhead(replace, minimum = 0)]
    seconds: u32,
    /// Whether the create announces the resource before it waits.
    #[bulkhead(replace, default = true)]
    announced: bool,
}

/// A resource that waits for its readiness, and stops waiting when it is asked to.
#[derive(State)]
struct Polite {
    #[bulkhead(flatten)]
    args: Args,
    /// Whether it is ready.
    ready: bool,
}

#[resource(token = "slow:index:Polite")]
impl Resource for Polite {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let (seconds, announced) = (request.inputs.seconds, request.inputs.announced);
        let mut state = Self { args: request.inputs, ready: false };
        if announced {
            checkpoint("polite-1", &state)?;
        }
        log::info("waiting for readiness");
        operation::sleep(Duration::from_secs(seconds.into()))?;
        state.ready = true;
        Ok(Created::new("polite-1", state))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        Ok(Some(Snapshot::new(request.id, Self { ready: true, ..prior.state()? })))
    }
}

/// A resource that computes and never looks whether it should stop.
#[derive(State)]
struct Stubborn {
    #[bulkhead(flatten)]
    args: Args,
}

#[resource(token = "slow:index:Stubborn")]
impl Resource for Stubborn {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let state = Self { args: request.inputs };
        if state.args.announced {
            checkpoint("stubborn-1", &state)?;
        }
        log::info("computing");
        let started = std::time::Instant::now();
        while started.elapsed().as_secs() < state.args.seconds.into() {
            black_box((0..10_000_u32).fold(0, |sum, number| black_box(sum ^ number)));
        }
        Ok(Created::new("stubborn-1", state))
    }
}

provider! {
    name: "slow",
    description: "Creates that take their time",
    license: "Apache-2.0",
    resources: [Polite, Stubborn],
}
