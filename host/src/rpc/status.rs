//! The only place where a failure becomes a gRPC status.
//!
//! Codes carry meaning: engines read UNKNOWN, INTERNAL and DATA_LOSS as "nobody knows what exists now", every other code
//! as "nothing changed". So only an unknown outcome gets UNKNOWN, and nothing gets the other two.

use bulkhead_proto::provider::{
    ConfigureErrorMissingKeys, ErrorResourceInitFailed, configure_error_missing_keys::MissingKey,
};
use bulkhead_proto::status::{Any, Status as Details};
use bulkhead_value::wire::encode::Capabilities;
use prost::{Message, Name};
use tonic::{Code, Status};

use super::properties::sendable;
use crate::provider::{Error, ErrorKind, Partial};

/// The status of a failed operation. `doing` completes "failed to".
pub(super) fn failed(doing: &str, error: Error) -> Status {
    let message = format!("{doing}: {error}");
    match error.kind {
        ErrorKind::MissingConfiguration(keys) => {
            let missing_keys = keys.into_iter().map(|key| MissingKey { name: key.name, description: key.description });
            detailed(
                Code::InvalidArgument,
                message,
                &ConfigureErrorMissingKeys { missing_keys: missing_keys.collect() },
            )
        }
        kind => Status::new(code(&kind), message),
    }
}

fn code(kind: &ErrorKind) -> Code {
    match kind {
        ErrorKind::Rejected(_) | ErrorKind::MissingConfiguration(_) | ErrorKind::InvalidRequest => {
            Code::InvalidArgument
        }
        ErrorKind::NotReady => Code::FailedPrecondition,
        ErrorKind::Failed | ErrorKind::ProviderBug => Code::Aborted,
        ErrorKind::OutcomeUnknown => Code::Unknown,
        ErrorKind::NotFound => Code::NotFound,
        ErrorKind::Cancelled => Code::Cancelled,
        ErrorKind::Unsupported => Code::Unimplemented,
        ErrorKind::DeadlineExceeded => Code::DeadlineExceeded,
        ErrorKind::Exhausted => Code::ResourceExhausted,
    }
}

/// The status of an operation that left a resource behind: the engine records it from the detail.
pub(super) fn partial(doing: &str, partial: Partial, capabilities: &Capabilities) -> Status {
    // Engines drop the whole detail, the id with it, for one unknown value in what they would record.
    let capabilities = Capabilities { unknowns: false, ..*capabilities };
    let (properties, unsendable) = sendable(&partial.state, &capabilities);
    let (inputs, more) = partial.inputs.map(|inputs| sendable(&inputs, &capabilities)).unzip();
    let reasons: Vec<String> =
        partial.reasons.into_iter().chain(unsendable).chain(more.into_iter().flatten()).collect();
    let message = format!("{doing}: the resource exists but isn't ready: {}", reasons.join("; "));
    let detail = ErrorResourceInitFailed {
        id: partial.id,
        properties: Some(properties),
        reasons,
        inputs,
        refresh_before_update: false,
    };
    detailed(Code::Aborted, message, &detail)
}

fn detailed<M: Message + Name>(code: Code, message: String, detail: &M) -> Status {
    // Encoding into a vector can't fail; without its detail the status still says what happened.
    let details = Any::from_msg(detail).map(|any| vec![any]).unwrap_or_default();
    let status = Details { code: code as i32, message: message.clone(), details };
    Status::with_details(code, message, status.encode_to_vec().into())
}
