//! The targets.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::{path, schema, wire};

/// What is fuzzed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Property bags as they arrive over gRPC.
    Wire,
    /// Value trees as guests return them.
    #[cfg(feature = "host")]
    Tree,
    /// Package schemas as components carry them, and what is made of them.
    Schema,
    /// Property paths as engines send them.
    Path,
}

impl Target {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Wire,
        #[cfg(feature = "host")]
        Self::Tree,
        Self::Schema,
        Self::Path,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            #[cfg(feature = "host")]
            Self::Tree => "tree",
            Self::Schema => "schema",
            Self::Path => "path",
        }
    }

    /// The target of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|target| target.name() == name)
    }

    /// Whether it takes the host, whose compilation takes minutes.
    pub fn is_in_host(self) -> bool {
        cfg!(feature = "host") && self.name() == "tree"
    }

    /// The inputs that are checked in.
    pub fn corpus(self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name())
    }

    /// What is checked in, in the order of the files' names.
    ///
    /// # Errors
    /// Files that can't be read.
    pub fn inputs(self) -> io::Result<Vec<Vec<u8>>> {
        let entries = fs::read_dir(self.corpus())?.map(|entry| Ok(entry?.path()));
        let mut paths = entries.collect::<io::Result<Vec<PathBuf>>>()?;
        paths.sort();
        paths.iter().map(fs::read).collect()
    }

    /// Feeds it some bytes.
    ///
    /// # Panics
    /// If something doesn't hold: that is what is looked for.
    pub fn run(self, bytes: &[u8]) {
        match self {
            Self::Wire => wire::run(bytes),
            #[cfg(feature = "host")]
            Self::Tree => bulkhead::decode_tree(bytes),
            Self::Schema => schema::run(bytes),
            Self::Path => path::run(bytes),
        }
    }
}
