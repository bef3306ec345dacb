//! Errors to and from the contract's.

use crate::bindings::wit::types as wit;
use crate::error::{Error, ErrorKind, MissingKey, Partial};
use crate::value::{decode_fields, encode_fields};

impl From<Error> for wit::Error {
    fn from(error: Error) -> Self {
        match error.into_kind() {
            ErrorKind::Rejected(failures) => Self::Rejected(failures.into_iter().map(Into::into).collect()),
            ErrorKind::MissingConfiguration(keys) => Self::MissingConfiguration(
                keys.into_iter()
                    .map(|MissingKey { name, description }| wit::MissingKey { name, description })
                    .collect(),
            ),
            ErrorKind::Failed(message) => Self::Failed(message),
            ErrorKind::NotInitialised(partial) => Self::NotInitialised(write_partial(partial)),
            ErrorKind::AwaitFailed(message) => Self::AwaitFailed(message),
            ErrorKind::OutcomeUnknown(message) => Self::OutcomeUnknown(message),
            ErrorKind::NotFound(message) => Self::NotFound(message),
            ErrorKind::Cancelled => Self::Cancelled,
            ErrorKind::Unsupported(message) => Self::Unsupported(message),
            ErrorKind::Bug(message) => Self::Bug(message),
            ErrorKind::Other(message) => Self::Other(message),
        }
    }
}

fn write_partial(mut partial: Partial) -> wit::Partial {
    // The contract wants at least one.
    if partial.reasons.is_empty() {
        partial.reasons.push("the resource isn't ready".to_owned());
    }
    wit::Partial {
        id: partial.id,
        state: encode_fields(partial.state),
        inputs: partial.inputs.map(encode_fields),
        reasons: partial.reasons,
        refresh_before_update: partial.refresh_before_update,
    }
}

/// What the host answers to an import. A function, since `?` would keep no more of it than its text.
pub(crate) fn read_error(error: wit::Error) -> Error {
    let kind = match error {
        wit::Error::Rejected(failures) => ErrorKind::Rejected(failures.into_iter().map(Into::into).collect()),
        wit::Error::MissingConfiguration(keys) => ErrorKind::MissingConfiguration(
            keys.into_iter().map(|wit::MissingKey { name, description }| MissingKey { name, description }).collect(),
        ),
        wit::Error::Failed(message) => ErrorKind::Failed(message),
        wit::Error::NotInitialised(partial) => match read_partial(partial) {
            Ok(partial) => ErrorKind::NotInitialised(partial),
            Err(error) => return error,
        },
        wit::Error::AwaitFailed(message) => ErrorKind::AwaitFailed(message),
        wit::Error::OutcomeUnknown(message) => ErrorKind::OutcomeUnknown(message),
        wit::Error::NotFound(message) => ErrorKind::NotFound(message),
        wit::Error::Cancelled => ErrorKind::Cancelled,
        wit::Error::Unsupported(message) => ErrorKind::Unsupported(message),
        wit::Error::Bug(message) => ErrorKind::Bug(message),
        wit::Error::Other(message) => ErrorKind::Other(message),
    };
    kind.into()
}

fn read_partial(partial: wit::Partial) -> Result<Partial, Error> {
    Ok(Partial {
        id: partial.id,
        state: decode_fields(partial.state)?,
        inputs: partial.inputs.map(decode_fields).transpose()?,
        reasons: partial.reasons,
        refresh_before_update: partial.refresh_before_update,
    })
}
