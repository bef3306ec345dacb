//! What updates have in common: a change whose answer is lost may have come about, and what is on record must not say that it didn't.
//!
//! An update that failed plainly counts as one that changed nothing: who takes a change back then is told that there is nothing to do, and
//! the server keeps it.

use std::fmt::Display;

use bulkhead_sdk::{Error, Resource, Result, Update};

use crate::api::Problem;

/// What became of the change that an update asked for.
pub(super) fn changed<R: Resource, T>(
    request: &Update<'_, R>,
    attempt: Result<T, Problem>,
    rejected: impl FnOnce(Problem) -> Error,
) -> Result<T> {
    changed_or_attempted(request, &[], attempt, rejected)
}

/// The same, where the next update has to know what this one `attempted`.
pub(super) fn changed_or_attempted<R: Resource, T>(
    request: &Update<'_, R>,
    attempted: &[&str],
    attempt: Result<T, Problem>,
    rejected: impl FnOnce(Problem) -> Error,
) -> Result<T> {
    attempt.map_err(|problem| match problem.is_uncertain() {
        true => unknown_after(request, attempted, problem),
        false => rejected(problem),
    })
}

/// What to say of an update that failed after something may have changed: what was on record stays there, and the next deployment updates
/// again, whatever the program says then.
pub(super) fn unknown<R: Resource>(request: &Update<'_, R>, reason: impl Display) -> Error {
    unknown_after(request, &[], reason)
}

/// The same, with what was attempted in the state: engines keep the inputs from before it, so that both are on record. Nothing here asks whether
/// an input changed; each update sends everything.
pub(super) fn unknown_after<R: Resource>(request: &Update<'_, R>, attempted: &[&str], reason: impl Display) -> Error {
    request.partial(attempted.iter().copied(), [reason.to_string()])
}
