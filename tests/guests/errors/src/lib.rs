//! A resource whose creation ends in each way that the contract has a word for, and in those that it has none for. What is made can be
//! looked at again.

use std::sync::atomic::{AtomicU32, Ordering};

use bulkhead_sdk::{
    Config, Create, Created, Enum, Error, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, checkpoint,
    provider, resource, session,
};

#[derive(Config)]
struct Settings {
    /// Whether what wasn't ready is so by now.
    ready: Option<bool>,
}

/// The cases of the contract's `error`, and what happens to guests that don't come to say one.
#[derive(Clone, Copy, Enum)]
enum Ending {
    Rejected,
    MissingConfiguration,
    Failed,
    NotInitialised,
    AwaitFailed,
    OutcomeUnknown,
    NotFound,
    Cancelled,
    Unsupported,
    Bug,
    Other,
    Success,
    /// Announces an id that ends a line.
    Lined,
    /// Announces an id that can't be told.
    Long,
    /// Can't share what is too large.
    Shared,
    /// Fails until it has failed once.
    Later,
    Trap,
    Memory,
    Endless,
}

#[derive(Inputs)]
struct Args {
    /// How to end.
    ending: Ending,
    /// Whether to announce the resource before.
    announce: bool,
    /// Whether to ask for a refresh before the next update.
    refresh: bool,
}

/// How often this instance has refused what it does later.
static FAILURES: AtomicU32 = AtomicU32::new(0);

/// A resource.
#[derive(State)]
struct Ended {
    #[bulkhead(flatten)]
    args: Args,
}

#[resource(token = "errors:index:Ended")]
impl Resource for Ended {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let state = Self { args: request.inputs };
        if state.args.announce {
            checkpoint("ended-1", &state)?;
        }
        let refreshed = |error: Error| if state.args.refresh { error.refresh_before_update() } else { error };
        Err(match state.args.ending {
            Ending::Rejected => Error::rejected("ending", "must be another"),
            Ending::MissingConfiguration => Error::missing_configuration("key", "What opens the door."),
            Ending::Failed => Error::failed("there is no room"),
            Ending::NotInitialised => refreshed(Error::partial("ended-1", &state, ["it is cold"])),
            Ending::AwaitFailed => Error::await_failed("nobody came"),
            Ending::OutcomeUnknown => Error::outcome_unknown("the answer was lost"),
            Ending::NotFound => Error::not_found("there is no such place"),
            Ending::Cancelled => Error::cancelled(),
            Ending::Unsupported => Error::unsupported("there is no such thing here"),
            Ending::Bug => Error::bug("two and two made five"),
            Ending::Other => std::io::Error::other("the disk is full").into(),
            Ending::Success => {
                let refresh = state.args.refresh;
                let created = Created::new("ended-1", state);
                return Ok(if refresh { created.refresh_before_update() } else { created });
            }
            Ending::Lined => announced("ended-1\n", &state),
            Ending::Long => announced(&"ended".repeat(20_000), &state),
            Ending::Shared => match session::set("it", &[0; 1 << 21]) {
                Err(error) => error,
                Ok(()) => Error::bug("there was room for it"),
            },
            Ending::Later if FAILURES.fetch_add(1, Ordering::Relaxed) == 0 => Error::failed("not yet"),
            Ending::Later => return Ok(Created::new("ended-1", state)),
            Ending::Trap => std::process::abort(),
            Ending::Memory => hoard(),
            Ending::Endless => loop {
                std::hint::spin_loop();
            },
        })
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        let state = prior.state()?;
        let refresh = state.args.refresh;
        if matches!(state.args.ending, Ending::NotFound) {
            return Ok(None);
        }
        if matches!(state.args.ending, Ending::NotInitialised) && request.config.ready != Some(true) {
            let error = Error::partial(request.id, &state, ["it is still cold"]);
            return Err(if refresh { error.refresh_before_update() } else { error });
        }
        let snapshot = Snapshot::new(request.id, state);
        Ok(Some(if refresh { snapshot.refresh_before_update() } else { snapshot }))
    }
}

/// What an author passes on of an announcement.
fn announced(id: &str, state: &Ended) -> Error {
    checkpoint(id, state).err().unwrap_or_else(|| Error::bug("it was taken"))
}

#[derive(Inputs)]
struct TaggedArgs {
    /// Its name, which can't be changed while its tags are.
    name: String,
    /// What else is said of it.
    tags: Vec<String>,
}

/// A resource whose update takes two steps.
#[derive(State)]
struct Tagged {
    #[bulkhead(flatten)]
    args: TaggedArgs,
}

#[resource(token = "errors:index:Tagged")]
impl Resource for Tagged {
    type Inputs = TaggedArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("tagged-1", Self { args: request.inputs }))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        if request.changed("tags") && request.changed("name") {
            return Err(request.partial(["tags"], ["the name can't be changed yet"]));
        }
        Ok(Updated::new(Self { args: request.inputs }))
    }
}

#[derive(Inputs)]
struct StagedArgs {
    /// Its name.
    name: String,
    /// What is said of it, in a request of its own.
    note: Option<String>,
    /// Whether its length isn't known either when that fails.
    early: Option<bool>,
}

impl StagedArgs {
    /// What of it the first step makes.
    fn begun(self) -> Self {
        Self { note: None, ..self }
    }
}

/// A resource whose creation takes two steps, of which the second fails.
#[derive(State)]
struct Staged {
    #[bulkhead(flatten)]
    args: StagedArgs,
    /// How long its name is.
    length: u32,
}

impl Staged {
    fn of(args: StagedArgs) -> Result<Self> {
        let length = args.name.len().try_into()?;
        Ok(Self { args, length })
    }
}

#[resource(token = "errors:index:Staged")]
impl Resource for Staged {
    type Inputs = StagedArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let begun = request.inputs.begun();
        let reasons = ["nothing can be said of it yet"];
        if begun.early == Some(true) {
            return Err(Error::partial("staged-1", &begun, reasons));
        }
        Err(Error::partial("staged-1", &Self::of(begun)?, reasons))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        let state = match prior.state() {
            Ok(state) => state,
            Err(error) => Self::of(prior.inputs()?.ok_or(error)?.begun())?,
        };
        Ok(Some(Snapshot::new(request.id, state)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let note = match request.changed("note") {
            true => request.inputs.note.clone(),
            false => request.prior.state().ok().and_then(|state| state.args.note),
        };
        Ok(Updated::new(Self::of(StagedArgs { note, ..request.inputs })?))
    }
}

/// Takes memory until there is no more.
fn hoard() -> ! {
    let mut all = Vec::new();
    loop {
        all.push(vec![1_u8; 64 << 20]);
    }
}

provider! {
    name: "errors",
    description: "Creates that end in every way there is",
    license: "Apache-2.0",
    config: Settings,
    resources: [Ended, Tagged, Staged],
}
