//! The only place where a failure becomes a gRPC status.
//!
//! Codes carry meaning: engines read UNKNOWN, INTERNAL and DATA_LOSS as "nobody knows what exists now", every other code
//! as "nothing changed". So only an unknown outcome gets UNKNOWN, and nothing gets the other two.
//!
//! A status travels in HTTP/2 headers, of which engines take 16 MiB, base64 and all, and drop the call as INTERNAL beyond. So
//! what a guest says is cut, and of a state as much is sent as fits.

use bulkhead_proto::errors::{InputPropertiesError, input_properties_error::PropertyError};
use bulkhead_proto::provider::{
    ConfigureErrorMissingKeys, ErrorResourceAwaitFailed, ErrorResourceInitFailed,
    configure_error_missing_keys::MissingKey,
};
use bulkhead_proto::status::{Any, Status as Details};
use bulkhead_value::wire::encode::Capabilities;
use bulkhead_value::{Object, Value};
use prost::{Message, Name};
use tonic::{Code, Status};

use super::conversation::Engine;
use super::properties::sendable;
use crate::provider::{Error, ErrorKind, Failure, Partial, Reason, shortened};

/// Characters of a message.
pub(super) const LONGEST_MESSAGE: usize = 16_384;
/// Characters of each reason why a resource isn't ready.
pub(super) const LONGEST_REASON: usize = 4_096;
/// Reasons why a resource isn't ready, of which more are told by their number, and keys that are missing.
pub(super) const MOST_REASONS: usize = 100;
/// Bytes of a state, together with its inputs.
const LARGEST_STATE: usize = 8 << 20;
/// Bytes of all details.
const LARGEST_DETAILS: usize = 10 << 20;

/// The same of a configuration, where UNIMPLEMENTED means to engines that the provider has no such check and takes what it is given.
pub(super) fn failed_configuration(doing: &str, error: Error) -> Status {
    let kind = match error.kind {
        ErrorKind::Unsupported => ErrorKind::Failed,
        kind => kind,
    };
    failed(doing, Error { kind, ..error })
}

/// The status of a failed operation. `doing` completes "failed to".
pub(super) fn failed(doing: &str, error: Error) -> Status {
    let message = shortened(error.message.clone(), LONGEST_MESSAGE);
    let hint = error.hint.map(|hint| format!("\nhint: {}", shortened(hint, LONGEST_MESSAGE))).unwrap_or_default();
    // What a provider says of its own failure stands alone, as native ones say it: engines have told what they were doing.
    let message = match error.kind {
        ErrorKind::Failed => format!("{message}{hint}"),
        _ => format!("{doing}: {message}{hint}"),
    };
    match error.kind {
        ErrorKind::MissingConfiguration(keys) => {
            let last = keys.len().min(MOST_REASONS);
            // With the last of them stands what else there is to do (`configure.rs`).
            let longest = |number| if number == last { LONGEST_MESSAGE } else { LONGEST_REASON };
            let key = |(number, key): (usize, crate::provider::MissingKey)| MissingKey {
                name: shortened(key.name, LONGEST_REASON),
                description: shortened(key.description, longest(number)),
            };
            let missing_keys = (1..=last).zip(keys).map(key);
            let detail = ConfigureErrorMissingKeys { missing_keys: missing_keys.collect() };
            detailed(Code::InvalidArgument, &message, &detail)
                .unwrap_or_else(|| Status::new(Code::InvalidArgument, message))
        }
        ErrorKind::AwaitFailed => detailed(Code::Aborted, &message, &ErrorResourceAwaitFailed {})
            .unwrap_or_else(|| Status::new(Code::Aborted, message)),
        kind => Status::new(code(&kind), message),
    }
}

/// The status of a request that can't be read. What is wrong with it may be as long as it is.
pub(super) fn unreadable(message: String) -> Status {
    Status::invalid_argument(shortened(message, LONGEST_MESSAGE))
}

/// The status of inputs that a component rejects: engines show the detail, and with each reason the value. What is said of a secret one,
/// which they would show as well, stands in the message instead.
pub(super) fn rejected(doing: &str, failures: Vec<Failure>, inputs: &Object) -> Status {
    let shows_secret = |failure: &Failure| match failure.path.first_name() {
        Some(name) => inputs.get(name).is_some_and(Value::contains_secret),
        None => inputs.contains_secret(),
    };
    if failures.iter().any(shows_secret) {
        return failed(doing, Error::rejected(failures));
    }
    let reason = |failure: Failure| PropertyError {
        property_path: shortened(failure.path.to_string(), LONGEST_REASON),
        reason: shortened(failure.reason, LONGEST_REASON),
    };
    let further = failures.len().saturating_sub(MOST_REASONS);
    let errors: Vec<PropertyError> = failures.into_iter().take(MOST_REASONS).map(reason).collect();
    let mut message = match errors.as_slice() {
        [] => format!("{doing}: the inputs were rejected"),
        [_] => format!("{doing}: an input is wrong"),
        many => format!("{doing}: {} inputs are wrong", many.len().saturating_add(further)),
    };
    if further > 0 {
        message.push_str(&format!(", of which {MOST_REASONS} are told"));
    }
    detailed(Code::InvalidArgument, &message, &InputPropertiesError { errors })
        .unwrap_or_else(|| Status::new(Code::InvalidArgument, message))
}

fn code(kind: &ErrorKind) -> Code {
    match kind {
        ErrorKind::Rejected(_) | ErrorKind::MissingConfiguration(_) | ErrorKind::InvalidRequest => {
            Code::InvalidArgument
        }
        ErrorKind::NotReady => Code::FailedPrecondition,
        ErrorKind::Failed | ErrorKind::AwaitFailed | ErrorKind::ProviderBug => Code::Aborted,
        ErrorKind::OutcomeUnknown => Code::Unknown,
        ErrorKind::NotFound => Code::NotFound,
        ErrorKind::Cancelled => Code::Cancelled,
        ErrorKind::Unsupported => Code::Unimplemented,
        ErrorKind::DeadlineExceeded | ErrorKind::Overdue => Code::DeadlineExceeded,
        ErrorKind::Exhausted => Code::ResourceExhausted,
    }
}

/// The status of an operation that left a resource behind: the engine records it from the detail.
pub(super) fn partial(doing: &str, partial: Partial, engine: &Engine) -> Status {
    left(doing, partial, engine, false)
}

/// The same of a resource whose inputs are on record. There they stay if they can't be told in full, since an engine would record the rest.
pub(super) fn partial_on_record(doing: &str, partial: Partial, engine: &Engine) -> Status {
    left(doing, partial, engine, true)
}

fn left(doing: &str, partial: Partial, engine: &Engine, has_inputs: bool) -> Status {
    // Engines drop the whole detail, the id with it, for one unknown value in what they would record.
    let capabilities = Capabilities { unknowns: false, ..engine.accepts };
    let (properties, unsendable) = sendable(&partial.state, &capabilities, LARGEST_STATE);
    let room = LARGEST_STATE.saturating_sub(properties.as_bytes().len());
    let (inputs, more) = partial.inputs.map(|inputs| sendable(&inputs, &capabilities, room)).unzip();
    let inputs = inputs.filter(|_| !has_inputs || more.as_ref().is_none_or(Vec::is_empty));
    let (said, explained) = together(Reason::parted(partial.reasons));
    let own: Vec<String> = explained.into_iter().chain(unsendable).chain(more.into_iter().flatten()).collect();
    // However much a provider says, what the host says of it is told as well.
    let most_said = MOST_REASONS.saturating_sub(own.len()).max(MOST_REASONS / 2);
    let all = said.len().saturating_add(own.len());
    let told = said.into_iter().take(most_said).chain(own).take(MOST_REASONS);
    let mut reasons: Vec<String> = told.map(|reason| shortened(reason, LONGEST_REASON)).collect();
    let further = all.saturating_sub(reasons.len());
    if further > 0 {
        reasons.push(format!("and {further} further reasons"));
    }
    let message =
        shortened(format!("{doing}: the resource exists but isn't ready: {}", reasons.join("; ")), LONGEST_MESSAGE);
    let detail = ErrorResourceInitFailed {
        id: partial.id,
        properties: Some(properties),
        reasons,
        inputs,
        refresh_before_update: partial.refresh_before_update && engine.refreshes_before_update,
    };
    detailed(Code::Aborted, &message, &detail).unwrap_or_else(|| {
        // All else is bounded.
        Status::unknown(format!(
            "{doing}: the resource exists, and its id is too long to be told; this is a bug in the provider"
        ))
    })
}

/// A single reason with what the host says of it: engines count each that they are told as an error of its own. Which of many that belongs
/// to nobody knows.
fn together((said, explained): (Vec<String>, Vec<String>)) -> (Vec<String>, Vec<String>) {
    let (reason, hints) = match (said.as_slice(), explained.as_slice()) {
        ([reason], hints @ [_, ..]) | ([], [reason, hints @ ..]) => (reason, hints),
        _ => return (said, explained),
    };
    if hints.is_empty() {
        return (said, explained);
    }
    let hint = if reason.contains("hint: ") { "" } else { "hint: " };
    let whole = format!("{reason}; {hint}{}", hints.join("; "));
    if whole.chars().count() > LONGEST_REASON { (said, explained) } else { (vec![whole], Vec::new()) }
}

/// The status with its detail. None if that is too large.
fn detailed<M: Message + Name>(code: Code, message: &str, detail: &M) -> Option<Status> {
    let details = Any::from_msg(detail).map(|any| vec![any]).unwrap_or_default();
    let status = Details { code: code as i32, message: message.to_owned(), details }.encode_to_vec();
    (status.len() <= LARGEST_DETAILS).then(|| Status::with_details(code, message, status.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(reasons: usize, explained: usize) -> Vec<String> {
        let said = (0..reasons).map(|number| Reason::Said(format!("said {number}")));
        let reasons = said.chain((0..explained).map(|number| Reason::Explained(format!("denied {number}")))).collect();
        let (accepts, [refreshes_before_update, outputs_in_check, outputs_in_invoke]) = (Capabilities::ALL, [true; 3]);
        let engine = Engine { accepts, refreshes_before_update, outputs_in_check, outputs_in_invoke };
        let status = partial("create", Partial { reasons, ..Partial::default() }, &engine);
        let details = Details::decode(status.details()).unwrap();
        details.details[0].to_msg::<ErrorResourceInitFailed>().unwrap().reasons
    }

    #[test]
    fn what_explains_a_single_reason_stands_behind_it() {
        assert_eq!(told(1, 2), ["said 0; hint: denied 0; denied 1"]);
        assert_eq!(told(0, 2), ["denied 0; hint: denied 1"]);
        assert_eq!((told(1, 0), told(0, 1)), (vec!["said 0".to_owned()], vec!["denied 0".to_owned()]));
        let whole = told(1, 1_000);
        assert_eq!((whole[0].as_str(), whole[1].as_str()), ("said 0", "denied 0"), "it would be cut");
    }

    #[test]
    fn what_was_denied_is_told_however_many_reasons_a_provider_has() {
        assert_eq!(told(2, 1), ["said 0", "said 1", "denied 0"]);
        assert_eq!(told(98, 2).len(), 100);
        let full = told(1_000, 2);
        assert_eq!((full[97].as_str(), full[98].as_str(), full[99].as_str()), ("said 97", "denied 0", "denied 1"));
        assert_eq!((full.len(), full[100].as_str()), (101, "and 902 further reasons"));
        let many = told(60, 1_000);
        assert_eq!(
            (many[49].as_str(), many[50].as_str(), many[100].as_str()),
            ("said 49", "denied 0", "and 960 further reasons")
        );
    }
}
