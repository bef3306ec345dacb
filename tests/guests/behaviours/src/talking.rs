//! Messages, and functions with all kinds of answers.

use bulkhead_sdk::{
    Create, Created, Enum, Error, Fields, Inputs, Resource, Result, State, Value, checkpoint, function, log, resource,
};

use crate::creating::stumble;
use crate::settings::Settings;

#[derive(Inputs)]
pub(crate) struct Args {
    /// How many messages to log beside the usual ones.
    messages: Option<u32>,
    /// How long a message is to be, in characters.
    length: Option<u32>,
}

/// A resource that talks while it is made.
#[derive(State)]
pub(crate) struct Talking {
    #[bulkhead(flatten)]
    args: Args,
}

#[resource(token = "behaviours:index:Talking")]
impl Resource for Talking {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        match (args.messages, args.length) {
            (Some(messages), _) => (0..messages).for_each(|number| log::info(number.to_string())),
            (_, Some(length)) => log::info("é".repeat(usize::try_from(length)?)),
            _ => {
                log::debug("for the author");
                log::info("worth knowing");
                log::warn("probably a mistake");
                log::error("something failed");
                log::status("still talking");
            }
        }
        Ok(Created::new("talking-1", Self { args }))
    }
}

#[derive(Clone, Copy, Enum)]
enum Reply {
    Well,
    Secret,
    Unknown,
    Reject,
    Fail,
    NotFound,
    OutcomeUnknown,
    Partial,
    Checkpoint,
    Panic,
    /// What was given.
    Back,
}

#[derive(Inputs)]
pub(crate) struct AnswerArgs {
    /// How to answer.
    act: Reply,
    /// What to give back.
    given: Option<Value>,
}

/// An answer.
#[derive(State)]
pub(crate) struct Answer {
    /// Its content.
    value: Value,
}

/// Answers.
#[function(token = "behaviours:index:answer")]
pub(crate) fn answer(args: AnswerArgs) -> Result<Answer> {
    let answer = |value| Answer { value };
    match args.act {
        Reply::Well => Ok(answer(Value::from(42))),
        Reply::Back => Ok(answer(args.given.unwrap_or(Value::Null))),
        Reply::Secret => Ok(answer(Value::from(vec![Value::from("hunter2").secret()]))),
        Reply::Unknown => Ok(answer(Fields::from([("inner".to_owned(), Value::Unknown)]).into())),
        Reply::Reject => Err(Error::rejected("act", "must be another")),
        Reply::Fail => Err(Error::failed("the oracle is silent")),
        Reply::NotFound => Err(Error::not_found("there is no oracle")),
        Reply::OutcomeUnknown => Err(Error::outcome_unknown("the answer was lost")),
        Reply::Partial => Err(Error::partial("answer-1", &answer(Value::Null), ["half an answer"])),
        Reply::Checkpoint => {
            checkpoint("answer-1", &answer(Value::Null))?;
            Ok(answer(Value::Null))
        }
        Reply::Panic => stumble(),
    }
}

#[derive(Inputs)]
pub(crate) struct BlobArgs {
    /// Whose length to tell.
    text: String,
}

/// A length.
#[derive(State)]
pub(crate) struct Blob {
    /// The text.
    text: String,
    /// The length.
    length: u32,
}

/// Sends a text back.
#[function(token = "behaviours:index:blob")]
pub(crate) fn blob(args: BlobArgs) -> Result<Blob> {
    Ok(Blob { length: u32::try_from(args.text.len())?, text: args.text })
}
