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
        let urn = self.parsed()?;
        let (token, name) = (urn.token(), urn.name());
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

    /// Refuses what says which provider is configured and can't be right. A provider needs no URN.
    ///
    /// # Errors
    /// As [`context`](Self::context), unless the URN is empty.
    pub(super) fn of_provider(&self) -> Result<(), Status> {
        if self.urn.is_empty() { Ok(()) } else { self.parsed().map(drop) }
    }

    /// The URN, which says the same as what stands beside it.
    fn parsed(&self) -> Result<Urn, Status> {
        let urn = Urn::parse(self.urn).map_err(|error| unreadable(format!("read the URN: {error}")))?;
        for (what, given, own) in [("type", self.token, urn.token()), ("name", self.name, urn.name())] {
            if !given.is_empty() && given != own {
                return Err(unreadable(format!("the URN's {what} `{own}` isn't the request's, `{given}`")));
            }
        }
        Ok(urn)
    }
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
