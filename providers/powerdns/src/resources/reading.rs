//! How each resource is read, refreshed or imported: found by its id, and said in the words in which it was given.

use std::fmt::Display;

use bulkhead_sdk::{Read, Resource, Result, Snapshot};

use crate::api::Server;
use crate::settings::Settings;

/// A resource that the server knows by an id, and that is recognised as what it was given.
pub(super) trait Known: Resource<Config = Settings> {
    /// The id, in its parts.
    type Id: Display;
    /// What the server has.
    type Found;

    /// Reads an id, as programs record it or people type it.
    fn id(text: &str) -> Result<Self::Id>;

    /// What the server has by an id, if it has anything.
    fn find(server: &Server, id: &Self::Id) -> Result<Option<Self::Found>>;

    /// The state of that, in the spelling in which it was given; in the server's if it is imported.
    fn recognised(server: &Server, id: &Self::Id, found: Self::Found, given: Option<Self::Inputs>) -> Result<Self>;

    /// Whether what the server has by the id is what is on record. Servers give some ids again.
    fn is_recorded(&self, _found: &Self::Found) -> bool {
        true
    }

    /// What it was given.
    fn into_given(self) -> Self::Inputs;
}

/// Reads a resource; none if it is gone, and the server is there to say so.
pub(super) fn read<R: Known>(request: Read<'_, R>) -> Result<Option<Snapshot<R>>> {
    let (server, id) = (request.config.server()?, R::id(&request.id)?);
    // What was made half-way has the inputs on record and little else, and is no import.
    let recorded = request.prior.as_ref().and_then(|prior| prior.state().ok());
    let is_recorded = |found: &R::Found| recorded.as_ref().is_none_or(|recorded| recorded.is_recorded(found));
    let Some(found) = R::find(server, &id)?.filter(is_recorded) else {
        server.is_gone()?;
        return Ok(None);
    };
    let given = recorded.map(R::into_given).or_else(|| request.prior.and_then(|prior| prior.inputs().ok().flatten()));
    Ok(Some(Snapshot::new(id.to_string(), R::recognised(server, &id, found, given)?)))
}
