//! What is called, and how often at once.

use std::fmt;

/// A kind of operation. One may be several calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// An RPC that does nothing: what transport costs.
    GetPluginInfo,
    /// Check.
    Check,
    /// Diff, where nothing changed.
    Diff,
    /// Create.
    Create,
    /// Check, then Create of what it returned, as an engine does.
    CheckAndCreate,
    /// Invoke.
    Invoke,
}

impl Operation {
    /// All of them.
    pub(crate) const ALL: [Self; 6] =
        [Self::GetPluginInfo, Self::Check, Self::Diff, Self::Create, Self::CheckAndCreate, Self::Invoke];
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GetPluginInfo => "GetPluginInfo",
            Self::Check => "Check",
            Self::Diff => "Diff, no change",
            Self::Create => "Create",
            Self::CheckAndCreate => "Check + Create",
            Self::Invoke => "Invoke",
        })
    }
}
