//! Why contents can't be had.

use std::fmt;
use std::path::Path;

/// Why contents can't be read. Texts name paths and members, never contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AssetError {
    /// Only the hash is known.
    Elided,
    /// Policy forbids it.
    Denied(String),
    /// No provider is given what lies there, whatever is granted.
    OutOfReach(String),
    /// It isn't there, or can't be read.
    Unavailable(String),
    /// It doesn't have its recorded hash, or changed while it was read.
    Changed,
    /// It is of no known format, damaged, or named in a way that may lead elsewhere.
    Malformed(String),
    /// It is larger than it may be.
    TooLarge(String),
    /// It is larger than the limit of this name, which an operator sets, and why.
    Limited(&'static str, String),
    /// The call ended meanwhile.
    Stopped,
}

impl AssetError {
    /// What a failed access to a path means.
    pub(super) fn of_path(path: &Path, error: &std::io::Error) -> Self {
        Self::Unavailable(format!("`{}` can't be read: {error}", path.display()))
    }
}

impl fmt::Display for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elided => f.write_str("only its hash is known"),
            Self::Changed => f.write_str("it changed"),
            Self::Stopped => f.write_str("the call ended"),
            Self::Denied(reason)
            | Self::OutOfReach(reason)
            | Self::Unavailable(reason)
            | Self::Malformed(reason)
            | Self::TooLarge(reason)
            | Self::Limited(_, reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for AssetError {}
