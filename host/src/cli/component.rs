//! A component that a command is about.

use std::path::Path;
use std::sync::Arc;

use super::error::CommandError;
use crate::component::{Artefact, Cache, Description, Limits, LoadError, Loaded, Runtime};
use crate::plugin::{self, OperatorError};

/// Loads a component and its description, within the limits that somebody decided for a provider of its name: one that may be served can
/// be looked at, and one that may not isn't run either. `doing` completes "failed to".
///
/// # Errors
/// A file that isn't a usable provider, or an operator's file that can't be followed.
pub(super) async fn load(
    doing: &str,
    path: &Path,
    limits: impl FnOnce(&str) -> Result<Limits, OperatorError>,
    cache: &Cache,
) -> Result<(Arc<Loaded>, Description), CommandError> {
    let runtime =
        Runtime::new().map_err(|error| CommandError::new(format!("{doing}: {error}")).perhaps(error.hint()))?;
    let failed = |what: String| CommandError::new(format!("{doing} {}: {what}", path.display()));
    let unloadable = |error: LoadError| failed(error.to_string()).hint(error.hint());
    let artefact = Artefact::open(cache, path).map_err(unloadable)?;
    // What is said of all providers holds for one that has to be asked which it is.
    let limits = limits(&artefact.package_name().unwrap_or_default());
    let limits = limits.map_err(|error| failed(error.to_string()).hint(error.hint()))?;
    let loaded = Loaded::new(&runtime, cache, limits, Arc::new(artefact)).map_err(unloadable)?;
    let description = Description::of(&loaded).await.map_err(|error| {
        let mended = "mend the provider's schema or manifest and build it again, or ask its author";
        let hint = error.hint().unwrap_or(mended);
        failed(error.to_string()).hint(hint)
    })?;
    Ok((loaded, description))
}

/// The limits of a provider here.
///
/// # Errors
/// An operator's file that can't be followed.
pub(super) fn here(provider: &str) -> Result<Limits, OperatorError> {
    plugin::limits(Path::new("."), provider)
}
