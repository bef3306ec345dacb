//! Which resource a request is about: its URN, and the name and type that newer engines repeat beside it.

use std::time::Duration;

use bulkhead_value::Urn;
use bulkhead_value::signature::is_unknown;
use tonic::Status;

use super::status::unreadable;
use crate::provider::Context;

/// The request's subject.
pub(super) struct Identity<'a> {
    pub(super) urn: &'a str,
    pub(super) name: &'a str,
    pub(super) token: &'a str,
}

impl Identity<'_> {
    /// The context of an operation on the resource.
    ///
    /// # Errors
    /// INVALID_ARGUMENT for a malformed URN, or one that contradicts name or type.
    pub(super) fn context(&self, timeout: f64) -> Result<Context, Status> {
        let urn = parsed(self.urn)?;
        let (token, name) = (urn.token(), urn.name());
        for (what, given, own) in [("type", self.token, token), ("name", self.name, name)] {
            if !given.is_empty() && given != own {
                return Err(unreadable(format!("the URN's {what} `{own}` isn't the request's, `{given}`")));
            }
        }
        crate::audit::note_urn(self.urn);
        Ok(Context {
            token: token.to_owned(),
            name: Some(name.to_owned()),
            urn: Some(self.urn.to_owned()),
            seed: None,
            timeout: timeout_of(timeout)?,
            views: None,
        })
    }
}

fn parsed(urn: &str) -> Result<Urn, Status> {
    Urn::parse(urn).map_err(|error| unreadable(format!("read the URN: {error}")))
}

/// Refuses the malformed URN of a provider, which needs none.
///
/// # Errors
/// INVALID_ARGUMENT.
pub(super) fn well_formed(urn: &str) -> Result<(), Status> {
    if urn.is_empty() { Ok(()) } else { parsed(urn).map(drop) }
}

/// A timeout in seconds; 0 means the provider's own.
fn timeout_of(seconds: f64) -> Result<Option<Duration>, Status> {
    if seconds == 0.0 {
        return Ok(None);
    }
    Duration::try_from_secs_f64(seconds)
        .map(Some)
        .map_err(|_| Status::invalid_argument("the timeout isn't a positive number of seconds"))
}

/// An id, which every operation on an existing resource needs.
///
/// # Errors
/// INVALID_ARGUMENT for an empty one, and for one that isn't known.
pub(super) fn id(id: String) -> Result<String, Status> {
    if id.is_empty() {
        return Err(Status::invalid_argument("the resource's id is empty: it isn't created yet"));
    }
    if is_unknown(&id) {
        return Err(Status::invalid_argument("the resource's id isn't known yet"));
    }
    Ok(id)
}
