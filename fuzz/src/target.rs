//! The targets.

use std::path::{Path, PathBuf};

use crate::{path, schema, wire};

/// What is fuzzed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Property bags as they arrive over gRPC.
    Wire,
    /// Value trees as guests return them.
    Tree,
    /// Package schemas as components carry them, and what is made of them.
    Schema,
    /// Property paths as engines send them.
    Path,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Wire, Self::Tree, Self::Schema, Self::Path];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Tree => "tree",
            Self::Schema => "schema",
            Self::Path => "path",
        }
    }

    /// The target of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    /// The inputs that are checked in.
    pub fn corpus(self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name())
    }

    /// Feeds it some bytes.
    ///
    /// # Panics
    /// If something doesn't hold: that is what is looked for.
    pub fn run(self, bytes: &[u8]) {
        match self {
            Self::Wire => wire::run(bytes),
            Self::Tree => bulkhead::decode_tree(bytes),
            Self::Schema => schema::run(bytes),
            Self::Path => path::run(bytes),
        }
    }
}
