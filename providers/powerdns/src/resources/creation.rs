//! What the creation of things has in common that have a name of their own: others may have made them, and an answer that is lost
//! leaves open who did.

use bulkhead_sdk::{Error, Result};

use crate::api::Problem;

/// What zones are called here.
pub(super) const ZONE: &str = "zone";

/// What was made. It wasn't there a moment ago: if nobody knows how the attempt ended and it is there now, the attempt made it.
pub(super) fn made<T>(
    attempt: Result<T, Problem>,
    look: impl FnOnce() -> Result<Option<T>, Problem>,
    (what, id): (&str, &str),
    rejected: impl FnOnce(Problem) -> Error,
) -> Result<T> {
    match attempt {
        Ok(made) => Ok(made),
        Err(Problem::Conflict) => Err(exists(what, id)),
        Err(problem) if problem.is_uncertain() => match look() {
            Ok(Some(found)) => Ok(found),
            Ok(None) => Err(Error::failed(problem)),
            Err(_) => Err(Error::outcome_unknown(format!("{problem}\nhint: is there a {what} `{id}`? then import it"))),
        },
        Err(problem) => Err(rejected(problem)),
    }
}

/// What to say about something that the server has although nobody here made it, or that is to be replaced by itself. Engines ask nobody whether
/// the old one is in the way where they are told to replace it.
pub(super) fn exists(what: &str, id: &str) -> Error {
    // With a zone goes whatever others have in it.
    let replaced = match what {
        ZONE => "",
        _ => "; if it is this resource's own, to be replaced, say `deleteBeforeReplace: true` in its options",
    };
    Error::failed(format!("the server has this {what} already\nhint: import it with the id `{id}`{replaced}"))
}

/// What to say about something that is gone.
pub(super) fn gone(what: &str) -> Error {
    Error::failed(format!(
        "the server doesn't have this {what} any more\nhint: `pulumi refresh` says what else is gone"
    ))
}

/// What to say about something in a zone that isn't there.
pub(super) fn no_zone() -> Error {
    Error::rejected("zone", "must be a zone of the server\nhint: if it is, `powerdns:serverId` isn't the server's")
}
