//! A named collection of blobs, by its members, its path or its address, and by its hash.
//!
//! This module opens nothing, and it doesn't compute the hash of members: that takes the contents of every asset.

use crate::{Object, Value};

/// A named collection of assets and archives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// The SHA-256 of the archive in lower-case hexadecimal: of the file, or of a deterministic tar of the members.
    pub hash: Option<String>,
    /// Where the members are.
    pub source: ArchiveSource,
}

/// Where an archive's members are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchiveSource {
    /// The members themselves, each an asset or an archive: see [`Archive::stray_member`].
    Members(Object),
    /// A path on the machine of the program: a directory, or a tar, gzipped tar or zip file.
    Path(String),
    /// A `file`, `http` or `https` address of a tar, gzipped tar or zip file.
    Uri(String),
    /// Not at hand: old state keeps only the hash.
    Elided,
}

impl Archive {
    /// The hash of an archive without members: of 1,024 zero bytes, the end of a tar file. It tells an empty archive
    /// from one whose members were left out.
    pub const EMPTY_HASH: &str = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";

    /// An archive of these members, without a hash.
    pub fn members(members: impl Into<Object>) -> Self {
        Self { hash: None, source: ArchiveSource::Members(members.into()) }
    }

    /// An archive whose members aren't at hand.
    pub fn elided(hash: impl Into<String>) -> Self {
        Self { hash: Some(hash.into()), source: ArchiveSource::Elided }
    }

    /// The same archive without its contents, as old state keeps it.
    #[must_use]
    pub fn without_contents(&self) -> Self {
        Self { hash: self.hash.clone(), source: ArchiveSource::Elided }
    }

    /// The first member that is neither an asset nor an archive, and so doesn't belong here.
    pub fn stray_member(&self) -> Option<(&str, &Value)> {
        let ArchiveSource::Members(members) = &self.source else { return None };
        let mut members = members.iter().map(|(name, member)| (name.as_str(), member));
        members.find(|(_, member)| !matches!(member, Value::Asset(_) | Value::Archive(_)))
    }
}
