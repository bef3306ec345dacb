//! What was drawn exists nowhere but in the state, so a refresh finds it as it was. Only an import has something to read:
//! the id.

use bulkhead_sdk::{Read, Resource, Result, Snapshot};

/// The state as it is, or what `import` makes of the id.
pub(super) fn read<R: Resource>(
    request: Read<'_, R>,
    import: impl FnOnce(&str) -> Result<Snapshot<R>>,
) -> Result<Option<Snapshot<R>>> {
    match request.prior {
        Some(prior) => Ok(Some(Snapshot::new(request.id, prior.state()?))),
        None => import(&request.id).map(Some),
    }
}
