//! Directories that may be used.

use std::path::PathBuf;

use crate::request::Access;

/// A granted directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    /// Where it lies.
    pub at: PathBuf,
    /// What for.
    pub access: Access,
}
