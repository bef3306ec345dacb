//! What may come of a resource that exists: of reading, changing and deleting it.

use bulkhead_sdk::{
    Create, Created, Delete, Enum, Error, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, checkpoint,
    resource,
};

use crate::creating::stumble;
use crate::settings::Settings;

#[derive(Clone, Copy, Enum, PartialEq)]
enum Fate {
    Live,
    /// Its server spells the text in capitals.
    Normalise,
    /// Somebody else changed the text.
    Drift,
    Vanish,
    NotFound,
    Partial,
    Panic,
    PanicAfterCheckpoint,
    Fail,
    OutcomeUnknown,
    EmptyId,
    /// It was made, and nothing else is known of it yet.
    Unfinished,
}

#[derive(Inputs)]
pub(crate) struct Args {
    /// What happens to it later.
    act: Fate,
    /// Some text.
    text: Option<String>,
    /// Another text, which is always the same unless one says so.
    #[bulkhead(default = "plain")]
    style: String,
    /// A number, however it is spelt.
    #[bulkhead(coerces)]
    count: Option<u32>,
}

/// A resource that lives on.
#[derive(State)]
pub(crate) struct Existing {
    #[bulkhead(flatten)]
    args: Args,
    /// How often it was written.
    revision: u32,
}

impl Existing {
    fn spelt(mut self) -> Self {
        if self.args.act == Fate::Normalise {
            self.args.text = self.args.text.map(|text| text.to_uppercase());
        }
        self
    }
}

#[resource(token = "behaviours:index:Existing")]
impl Resource for Existing {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        if request.inputs.act == Fate::Unfinished {
            return Err(Error::partial("existing-1", &request.inputs, ["it is unpainted"]));
        }
        Ok(Created::new("existing-1", Self { args: request.inputs, revision: 1 }.spelt()))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else {
            let args = Args { act: Fate::Live, text: Some("found".to_owned()), style: "plain".to_owned(), count: None };
            let state = Self { args, revision: 7 };
            return match request.id.as_str() {
                "nowhere" => Ok(None),
                "ill" => Err(Error::partial("ill", &state, ["it is ill"])),
                _ => Ok(Some(Snapshot::new(request.id, state))),
            };
        };
        let mut state = match prior.inputs() {
            Ok(Some(args)) if args.act == Fate::Unfinished => Self { args, revision: 1 },
            _ => prior.state()?,
        };
        match state.args.act {
            Fate::Unfinished if state.args.text.is_none() => {
                return Err(Error::partial(prior.id, &state.args, ["it is unpainted"]));
            }
            Fate::Live | Fate::Normalise | Fate::Unfinished => {}
            Fate::Drift => state.args.text = Some("somebody else was here".to_owned()),
            Fate::Vanish => return Ok(None),
            Fate::NotFound => return Err(Error::not_found("it was here a minute ago")),
            Fate::Partial => return Err(Error::partial(prior.id, &state, ["it is ill"])),
            Fate::Panic => stumble(),
            // Meaningless when reading, and refused.
            Fate::PanicAfterCheckpoint => checkpoint("existing-1", &state)?,
            Fate::Fail => return Err(Error::failed("the door is shut")),
            Fate::OutcomeUnknown => return Err(Error::outcome_unknown("the answer was lost")),
            Fate::EmptyId => return Ok(Some(Snapshot::new("", state))),
        }
        Ok(Some(Snapshot::new(request.id, state)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        if request.inputs.act == Fate::Unfinished {
            return Err(Error::partial(request.prior.id, &request.inputs, ["it is unpainted"]));
        }
        let revision = request.prior.state()?.revision + 1;
        let state = Self { args: request.inputs, revision }.spelt();
        match state.args.act {
            Fate::Live | Fate::Normalise | Fate::Drift | Fate::Vanish | Fate::EmptyId | Fate::Unfinished => {}
            Fate::NotFound => return Err(Error::not_found("it was here a minute ago")),
            Fate::Partial => return Err(Error::partial(request.prior.id, &state, ["it is half painted"])),
            Fate::Panic => stumble(),
            Fate::PanicAfterCheckpoint => {
                checkpoint(&request.prior.id, &state)?;
                stumble();
            }
            Fate::Fail => return Err(Error::failed("the paint has run out")),
            Fate::OutcomeUnknown => return Err(Error::outcome_unknown("the answer was lost")),
        }
        Ok(Updated::new(state).refresh_before_update())
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        match request.prior.state()?.args.act {
            Fate::NotFound | Fate::Vanish => Err(Error::not_found("it was here a minute ago")),
            Fate::Partial => {
                Err(Error::partial(request.prior.id.clone(), &request.prior.state()?, ["half of it is left"]))
            }
            Fate::Panic => stumble(),
            Fate::Fail => Err(Error::failed("it is bolted to the floor")),
            Fate::OutcomeUnknown => Err(Error::outcome_unknown("the answer was lost")),
            _ => Ok(()),
        }
    }
}
