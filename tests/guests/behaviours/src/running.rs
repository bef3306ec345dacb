//! Calls that don't end, or use more than they may.

use std::hint::black_box;
use std::io::Read as _;
use std::time::{Duration, Instant};

use bulkhead_sdk::{
    Create, Created, Delete, Enum, Error, Inputs, Read, Resource, Result, Snapshot, State, Update, Updated, checkpoint,
    function, log, operation, resource,
};

use crate::settings::Settings;

#[derive(Clone, Copy, Enum)]
enum Labour {
    Return,
    Loop,
    /// Sleeps by the host's clock, and reports what it made when it is cancelled.
    Wait,
    /// Sleeps by the host's clock, and passes on that it is cancelled.
    WaitAndPassOn,
    /// Sleeps by the host's clock, and takes a fifth of a second to undo what it began when it is cancelled.
    WaitAndUndo,
    /// Sleeps by the standard library.
    Sleep,
    ReadStdin,
    ReadFile,
    Memory,
    Recursion,
    Value,
    Remaining,
}

#[derive(Inputs)]
pub(crate) struct Args {
    /// What to do.
    act: Labour,
    /// Whether to announce the resource before.
    announced: Option<bool>,
    /// How large, how long.
    amount: Option<u32>,
}

/// A resource whose calls take long.
#[derive(State)]
pub(crate) struct Running {
    #[bulkhead(flatten)]
    args: Args,
    /// What came of it.
    text: String,
}

#[resource(token = "behaviours:index:Running")]
impl Resource for Running {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let mut state = Self { args: request.inputs, text: "begun".to_owned() };
        if state.args.announced == Some(true) {
            checkpoint("running-1", &state)?;
        }
        match (state.args.act, act(&state.args)) {
            (Labour::Wait, Err(_)) => {
                let seen = format!("cancelled: {}", operation::is_cancelled());
                Err(Error::partial("running-1", &state, [seen]))
            }
            (_, text) => {
                state.text = text?;
                Ok(Created::new("running-1", state))
            }
        }
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        let mut state = prior.state()?;
        state.text = act(&state.args)?;
        Ok(Some(Snapshot::new(request.id, state)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let text = act(&request.inputs)?;
        Ok(Updated::new(Self { args: request.inputs, text }))
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        act(&request.prior.state()?.args).map(drop)
    }
}

/// What came of it.
#[derive(State)]
pub(crate) struct Came {
    /// The text.
    text: String,
}

/// Takes long, as a function.
#[function(token = "behaviours:index:run")]
pub(crate) fn run(args: Args) -> Result<Came> {
    Ok(Came { text: act(&args)? })
}

fn act(args: &Args) -> Result<String> {
    let amount = args.amount.unwrap_or(0);
    log::debug("begun");
    match args.act {
        Labour::Return => {}
        Labour::Loop => loop {
            black_box((0..10_000_u32).fold(0, |sum, number| black_box(sum ^ number)));
        },
        Labour::Wait | Labour::WaitAndPassOn => {
            let waited = operation::sleep(Duration::from_millis(amount.into()));
            log::debug("waited");
            waited?;
        }
        Labour::WaitAndUndo => {
            if let Err(cancelled) = operation::sleep(Duration::from_millis(amount.into())) {
                let begun = Instant::now();
                while begun.elapsed() < Duration::from_millis(200) {
                    black_box((0..10_000_u32).fold(0, |sum, number| black_box(sum ^ number)));
                }
                log::debug("undone");
                return Err(cancelled);
            }
        }
        Labour::Sleep => std::thread::sleep(Duration::from_millis(amount.into())),
        Labour::ReadStdin => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            return Ok(format!("{:?}, {text:?}", read.map_err(|error| error.kind())));
        }
        Labour::ReadFile => return Ok(std::fs::read_to_string("/etc/hostname")?),
        Labour::Memory => {
            let mut held = Vec::new();
            loop {
                held.push(black_box(vec![1_u8; 1 << 20]));
            }
        }
        Labour::Recursion => return Ok(deep(u64::MAX).to_string()),
        Labour::Value => return Ok("x".repeat(usize::try_from(amount)?)),
        Labour::Remaining => {
            let left = operation::remaining().map_or_else(|| "none".to_owned(), |left| left.as_millis().to_string());
            // A delete returns nothing.
            log::debug(format!("left: {left}"));
            return Ok(left);
        }
    }
    Ok("done".to_owned())
}

#[expect(unconditional_recursion, reason = "recursing without end is the behaviour")]
fn deep(depth: u64) -> u64 {
    black_box(deep(black_box(depth - 1))) + 1
}
