//! A component that a command is about.

use std::path::Path;
use std::sync::Arc;

use super::error::CommandError;
use crate::component::{Cache, Description, Limits, Loaded, Runtime};

/// Loads a component and its description. `doing` completes "failed to".
///
/// # Errors
/// A file that isn't a usable provider.
pub(super) async fn load(doing: &str, path: &Path, cache: &Cache) -> Result<(Arc<Loaded>, Description), CommandError> {
    let runtime =
        Runtime::new().map_err(|error| CommandError::new(format!("{doing}: {error}")).perhaps(error.hint()))?;
    let loaded = Loaded::from_file(&runtime, cache, Limits::default(), path)
        .map_err(|error| CommandError::new(format!("{doing} {}: {error}", path.display())).hint(error.hint()))?;
    let description = Description::of(&loaded).await.map_err(|error| {
        let mended = "mend the provider's schema or manifest and build it again, or ask its author";
        let hint = error.hint().unwrap_or(mended);
        CommandError::new(format!("{doing} {}: {error}", path.display())).hint(hint)
    })?;
    Ok((loaded, description))
}
