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

/// The format of an archive that is a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArchiveFormat {
    /// A tar file.
    Tar,
    /// A gzipped tar file.
    TarGzip,
    /// A zip file, a Java archive included.
    Zip,
}

impl ArchiveFormat {
    /// The format that the end of a path or an address tells: `.tar`, `.tgz`, `.tar.gz`, `.zip` or `.jar`, in lower case,
    /// as upstream has it. `None` for everything else: a directory, or a file that isn't an archive.
    pub fn of(name: &str) -> Option<Self> {
        let formats = [(".tar", Self::Tar), (".tgz", Self::TarGzip), (".tar.gz", Self::TarGzip), (".zip", Self::Zip)];
        let mut formats = formats.into_iter().chain([(".jar", Self::Zip)]);
        formats.find(|(end, _)| name.ends_with(end)).map(|(_, format)| format)
    }
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

#[cfg(test)]
mod tests {
    use super::{Archive, ArchiveFormat};
    use crate::{Asset, Value};

    #[test]
    fn the_end_of_a_name_tells_the_format() {
        for (name, format) in [
            ("./a.tar", Some(ArchiveFormat::Tar)),
            ("/a/b.tgz", Some(ArchiveFormat::TarGzip)),
            ("https://example.com/a.tar.gz", Some(ArchiveFormat::TarGzip)),
            ("a.zip", Some(ArchiveFormat::Zip)),
            ("a.jar", Some(ArchiveFormat::Zip)),
            ("a.rar", None),
            ("a.gz", None),
            ("a.zip/", None),
            ("tar", None),
            ("", None),
        ] {
            assert_eq!(ArchiveFormat::of(name), format, "{name}");
        }
    }

    #[test]
    fn only_assets_and_archives_belong_into_an_archive() {
        let good = Archive::members([("a", Value::from(Asset::text("x"))), ("b", Archive::elided("ab").into())]);
        assert_eq!(good.stray_member(), None);
        let bad =
            Archive::members([("a", Value::from(Asset::text("x"))), ("b", Value::from(Asset::text("x")).secret())]);
        assert_eq!(bad.stray_member().map(|(name, member)| (name, member.kind())), Some(("b", crate::Kind::Secret)));
        assert_eq!(Archive::elided("ab").stray_member(), None);
    }
}
