//! What is compared: executables that serve the same schema.

use std::path::PathBuf;

/// A provider's executable.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    /// What it is called in tables.
    pub(crate) name: &'static str,
    /// The executable.
    pub(crate) executable: PathBuf,
    /// Environment variables that it is started with, beside this process's.
    pub(crate) environment: Vec<(&'static str, PathBuf)>,
    /// The type of a random string: `length` and `special`.
    pub(crate) random_string: &'static str,
    /// The type of a value of any shape: `content`. Not all have one.
    pub(crate) document: Option<&'static str>,
    /// The function that picks `at` from `words`. Not all have one.
    pub(crate) pick_word: Option<&'static str>,
}

/// A provider under Bulkhead, and the same as a native executable.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// What is compared, for headings.
    pub(crate) title: &'static str,
    /// Under Bulkhead.
    pub(crate) ours: Contender,
    /// Native.
    pub(crate) theirs: Contender,
    /// What the native one is, which decides the targets.
    pub(crate) peer: Peer,
}

/// How a native provider is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    /// With `infer` of pulumi-go-provider.
    Infer,
    /// A Terraform provider, bridged.
    Bridged,
}

impl Pair {
    /// Both, ours first.
    pub(crate) fn both(&self) -> [&Contender; 2] {
        [&self.ours, &self.theirs]
    }
}
