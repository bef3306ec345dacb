//! Directories that may be used.

use std::fmt::Display;
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

impl Directory {
    /// As denials and records call it.
    pub fn called(&self, name: &dyn Display) -> String {
        format!("{name} ({})", self.access)
    }
}
