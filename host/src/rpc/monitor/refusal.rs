//! What a monitor's failures mean to the component that asked.

use std::error::Error as _;

use bulkhead_proto::provider::CheckFailure;
use bulkhead_schema::{Failure, FailureKind};
use bulkhead_value::PropertyPath;
use tonic::{Code, Status};

use super::super::status::LONGEST_MESSAGE;
use crate::provider::{Error, ErrorKind, shortened};

/// A request that failed. `doing` completes "failed to".
pub(super) fn refusal(doing: &str, status: Status) -> Error {
    // What the client makes up itself has a cause; what the engine says has none.
    if let Some(cause) = status.source() {
        return Error::new(
            ErrorKind::Failed,
            format!("{doing}: the engine's resource monitor can't be reached: {cause}"),
        )
        .hint("the engine may have gone; look above for what it said last");
    }
    let message = shortened(format!("{doing}: {}", status.message()), LONGEST_MESSAGE);
    let kind = match status.code() {
        // A monitor that shuts down says that it is unavailable: the deployment was cancelled, or failed elsewhere.
        Code::Cancelled | Code::Unavailable => ErrorKind::Cancelled,
        Code::NotFound => ErrorKind::NotFound,
        Code::Unimplemented => ErrorKind::Unsupported,
        _ => ErrorKind::Failed,
    };
    Error::new(kind, message)
}

/// A resource that the engine goes on without, in an update that continues after errors (`--continue-on-error`). What went wrong it has
/// told by then, beside the resource. As SDKs have it, that is an error: a component that took it for a value which isn't known yet would
/// register others without what they need of it, and be on record as complete.
pub(super) fn went_wrong(doing: &str) -> Error {
    Error::new(
        ErrorKind::Failed,
        format!("{doing}: the engine goes on without it, since it or what it depends on failed"),
    )
}

/// Arguments that were rejected. They are the component's own: whoever gave the component its inputs would look for what is wrong with
/// those, under names that others have.
pub(super) fn rejected(doing: &str, failures: Vec<CheckFailure>) -> Error {
    let failure = |failure: CheckFailure| Failure {
        path: PropertyPath::parse(&failure.property).unwrap_or_else(|_| PropertyPath::field(&failure.property)),
        kind: FailureKind::Constraint,
        reason: failure.reason,
    };
    let wrong = Error::rejected(failures.into_iter().map(failure).collect());
    Error::new(ErrorKind::Failed, shortened(format!("{doing}: {wrong}"), LONGEST_MESSAGE))
}
