//! A guest's errors, in the waist's terms, and the waist's errors as a guest gets them.

use super::bindings::types;
use super::decode::{beginning, failures};
use super::defaults::failure_answer;
use super::tree::{TreeError, TreeLimits, object_from_tree};
use crate::provider::{Error, ErrorKind, Fault, MissingKey, Partial, Reason};

/// Missing keys that are told.
const MOST_KEYS: usize = 100;

/// What a guest said with an error.
pub(crate) enum Said {
    /// A fault.
    Fault(Fault),
    /// An error whose state can't be decoded: the resource exists all the same.
    Undecodable {
        /// The resource's id.
        id: String,
        /// Why.
        error: TreeError,
    },
}

/// Decodes an error of an operation on a resource.
pub(crate) fn said(error: types::Error, limits: &TreeLimits) -> Said {
    match error {
        types::Error::NotInitialised(partial) => match decoded(partial.state, partial.inputs, &limits.undone()) {
            Ok((state, inputs)) => {
                let mut reasons: Vec<Reason> = partial.reasons.into_iter().map(given).map(Reason::Said).collect();
                if reasons.is_empty() {
                    reasons.push(Reason::Said(given(String::new())));
                }
                Said::Fault(Fault::Partial(Partial {
                    id: partial.id,
                    state,
                    inputs,
                    reasons,
                    refresh_before_update: partial.refresh_before_update,
                    finished: false,
                }))
            }
            Err(error) => Said::Undecodable { id: partial.id, error },
        },
        other => Said::Fault(Fault::Error(said_of(other))),
    }
}

type State = (bulkhead_value::Object, Option<bulkhead_value::Object>);

fn decoded(
    state: super::bindings::values::Tree,
    inputs: Option<super::bindings::values::Tree>,
    limits: &TreeLimits,
) -> Result<State, TreeError> {
    let inputs = inputs.map(|inputs| object_from_tree(inputs, limits)).transpose()?;
    Ok((object_from_tree(state, limits)?, inputs))
}

/// Decodes an error of a call that isn't about a resource.
pub(crate) fn said_of(error: types::Error) -> Error {
    let plain = |kind, message| Error::new(kind, given(message));
    match error {
        types::Error::Rejected(wrong) => Error::rejected(failures(wrong)),
        types::Error::MissingConfiguration(keys) => {
            let key = |key: types::MissingKey| MissingKey {
                name: beginning(key.name),
                description: beginning(key.description),
            };
            Error::missing_configuration(keys.into_iter().take(MOST_KEYS).map(key).collect())
        }
        types::Error::Failed(message) | types::Error::Other(message) => plain(ErrorKind::Failed, message),
        types::Error::AwaitFailed(message) => plain(ErrorKind::AwaitFailed, message),
        types::Error::OutcomeUnknown(message) => plain(ErrorKind::OutcomeUnknown, message),
        types::Error::NotFound(message) => plain(ErrorKind::NotFound, message),
        types::Error::Cancelled => Error::cancelled(),
        types::Error::Unsupported(message) => plain(ErrorKind::Unsupported, message),
        types::Error::Bug(message) => Error::provider_bug(message),
        types::Error::NotInitialised(_) => {
            Error::provider_bug("the provider reported a partial resource in a call that neither makes nor changes one")
        }
    }
}

/// The reason that a guest gave. Without one people would read the beginning of a sentence.
pub(super) fn given(reason: String) -> String {
    if reason.is_empty() { "the provider gave no reason".to_owned() } else { reason }
}

/// An error of a call that changes nothing, so that its outcome is known whatever it says.
pub(crate) fn of_no_effect(error: types::Error) -> types::Error {
    match error {
        types::Error::OutcomeUnknown(message) => types::Error::Other(message),
        other => other,
    }
}

/// Values that a guest returned, and nobody can use. More than an operator allows is a limit that it met, and no bug.
pub(crate) fn malformed(error: TreeError) -> Error {
    let message = format!("the provider returned {error}");
    match error.hint() {
        Some(hint) => Error::new(ErrorKind::Exhausted, message).hint(hint),
        None => Error::provider_bug(message),
    }
}

/// What a guest is told of values that it passed, and nobody can use. Never `failed`, as with [`error_of`].
pub(crate) fn refusal(error: TreeError) -> types::Error {
    let message = format!("the provider passed {error}");
    match error.hint() {
        Some(hint) => types::Error::Other(format!("{message}\nhint: {hint}")),
        None => types::Error::Bug(message),
    }
}

/// What a guest is told of a failure that isn't its own.
pub(crate) fn answer(error: Error) -> types::Error {
    let message = error.to_string();
    match error.kind {
        ErrorKind::Rejected(failures) => types::Error::Rejected(failures.into_iter().map(failure_answer).collect()),
        ErrorKind::MissingConfiguration(keys) => {
            let key = |key: MissingKey| types::MissingKey { name: key.name, description: key.description };
            types::Error::MissingConfiguration(keys.into_iter().map(key).collect())
        }
        ErrorKind::OutcomeUnknown => types::Error::OutcomeUnknown(message),
        ErrorKind::NotFound => types::Error::NotFound(message),
        ErrorKind::Cancelled => types::Error::Cancelled,
        ErrorKind::Unsupported => types::Error::Unsupported(message),
        ErrorKind::ProviderBug => types::Error::Bug(message),
        ErrorKind::InvalidRequest
        | ErrorKind::NotReady
        | ErrorKind::Failed
        | ErrorKind::AwaitFailed
        | ErrorKind::DeadlineExceeded
        | ErrorKind::Overdue
        | ErrorKind::Exhausted => types::Error::Failed(message),
    }
}

/// What a guest is told when the engine can't be asked. Never `failed`: passed on after a checkpoint, that would say that the
/// resource is gone. Nor `not-found`, which says so when it is passed on by a read or a deletion.
pub(crate) fn error_of(error: Error) -> types::Error {
    match answer(error) {
        types::Error::Failed(message) | types::Error::OutcomeUnknown(message) | types::Error::NotFound(message) => {
            types::Error::Other(message)
        }
        other => other,
    }
}
