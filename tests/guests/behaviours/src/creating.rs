//! Creates that end in every way there is.

use bulkhead_sdk::{Create, Created, Enum, Error, Inputs, Resource, Result, State, checkpoint, resource};

use crate::settings::Settings;

#[derive(Clone, Copy, Enum)]
enum End {
    Succeed,
    Panic,
    PanicAfterCheckpoint,
    FailAfterCheckpoint,
    OtherId,
    EmptyId,
    EmptyIdAfterCheckpoint,
    Partial,
    PartialWithoutReason,
    Fail,
    Reject,
    OutcomeUnknown,
    NotFound,
    Cancelled,
    Unsupported,
    Bug,
    MissingConfiguration,
    StandardError,
}

#[derive(Inputs)]
pub(crate) struct Args {
    /// What to do.
    act: End,
}

/// A resource whose creation ends as one asks.
#[derive(State)]
pub(crate) struct Creating {
    #[bulkhead(flatten)]
    args: Args,
    /// How far it got.
    step: u32,
}

#[resource(token = "behaviours:index:Creating")]
impl Resource for Creating {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let act = request.inputs.act;
        let mut state = Self { args: request.inputs, step: 1 };
        match act {
            End::Succeed => {}
            End::Panic => stumble(),
            End::PanicAfterCheckpoint => {
                checkpoint("made-1", &state)?;
                state.step = 2;
                checkpoint("made-1", &state)?;
                stumble();
            }
            End::FailAfterCheckpoint => {
                checkpoint("made-1", &state)?;
                return Err(Error::failed("it was made and taken away again"));
            }
            End::OtherId => {
                checkpoint("made-1", &state)?;
                return Ok(Created::new("made-2", state));
            }
            End::EmptyId => return Ok(Created::new("", state)),
            End::EmptyIdAfterCheckpoint => {
                checkpoint("made-1", &state)?;
                return Ok(Created::new("", state));
            }
            End::Partial => return Err(Error::partial("made-1", &state, ["it is cold", "it is dark"])),
            End::PartialWithoutReason => return Err(Error::partial("made-1", &state, [""; 0])),
            End::Fail => return Err(Error::failed("there is no room")),
            End::Reject => return Err(Error::rejected("act", "must be another")),
            End::OutcomeUnknown => return Err(Error::outcome_unknown("the answer was lost")),
            End::NotFound => return Err(Error::not_found("there is no such place")),
            End::Cancelled => return Err(Error::cancelled()),
            End::Unsupported => return Err(Error::unsupported("there is no such thing here")),
            End::Bug => return Err(Error::bug("two and two made five")),
            End::MissingConfiguration => return Err(Error::missing_configuration("password", "What opens the door.")),
            End::StandardError => return Ok(Created::new("x".parse::<u8>()?.to_string(), state)),
        }
        Ok(Created::new("made-1", state))
    }
}

/// Panics.
#[expect(clippy::panic, reason = "panicking is the behaviour")]
pub(crate) fn stumble() -> ! {
    panic!("hunter2 fell over")
}
