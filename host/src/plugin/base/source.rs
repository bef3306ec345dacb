//! From a reference to a component's file.
//!
//! What was recorded is what runs: a file counts only with the recorded digest. Where it has another, or is gone, the cache has the
//! component that was added, so that stacks can still be refreshed and destroyed that were made with it.

use std::path::{Path, PathBuf};

use bulkhead_policy::word;

use super::error::ParameterError;
use super::parameter::Parameter;
use crate::plugin::load::Loader;
use crate::plugin::operator::project_root;

/// A component's file, and what there is to say about it.
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) warning: Option<String>,
}

/// The file that somebody adds.
///
/// # Errors
/// A source that is no file.
pub(super) fn named(source: &str) -> Result<PathBuf, ParameterError> {
    match source.split_once("://") {
        Some(("file", path)) => Ok(PathBuf::from(path)),
        Some(_) => Err(ParameterError::Remote { source_text: source.to_owned() }),
        None => Ok(PathBuf::from(source)),
    }
}

/// The component that was recorded for a package. Relative paths start at `directory`, or at the project it is in.
///
/// # Errors
/// A component that is nowhere, or only another one.
pub(super) fn recorded(
    name: &str,
    parameter: &Parameter,
    directory: &Path,
    loader: &Loader,
) -> Result<Found, ParameterError> {
    let (source, digest) = (named(&parameter.source)?, parameter.digest());
    // Without `.` in the middle, which `components` leaves out.
    let below = |directory: &Path| directory.join(&source).components().collect();
    let mut looked: Vec<PathBuf> = vec![below(directory), below(project_root(directory))];
    looked.dedup();
    let (mut changed, mut unusable) = (None, None);
    for path in looked.iter().filter(|path| path.exists()) {
        match loader.digest(path) {
            Ok(found) if found == digest => return Ok(Found { path: path.clone(), warning: None }),
            Ok(found) => changed = Some((path.clone(), found)),
            Err(error) => unusable = Some(error),
        }
    }
    match (loader.kept(digest), changed, unusable) {
        // One that is being written, say, is as good as none.
        (Some(path), None, _) => Ok(Found { path, warning: None }),
        (Some(path), Some((file, _)), _) => {
            let version = parameter.version();
            let warning = format!(
                "{} has changed since the package `{name}` was added; {name} {version} (sha256:{digest}) is used as it \
                 was\nhint: to use what is there now, add the package again: `pulumi package add wasm {}`; if that is done, the stack \
                 goes over to it with `pulumi up`",
                file.display(),
                word(&parameter.source)
            );
            Ok(Found { path, warning: Some(warning) })
        }
        (None, Some((path, found)), _) => {
            Err(ParameterError::Changed { name: name.to_owned(), path, digest: digest.to_owned(), found })
        }
        (None, None, Some(error)) => Err(error.into()),
        (None, None, None) => Err(ParameterError::Missing { name: name.to_owned(), digest: digest.to_owned(), looked }),
    }
}
