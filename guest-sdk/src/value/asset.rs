//! Blobs and collections of blobs.

use super::{Fields, Misfit, Property, Value};
use crate::schema::{TypeSpec, Types};

/// A blob, given by its source, or by its hash alone where only old state is at hand.
///
/// `assets::open` reads it: a path means nothing inside a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Lower-case hexadecimal SHA-256 of the contents; equal hashes mean equal assets, whatever their source. It may be left out of what a
    /// provider returns: the host hashes a text, and knows that of a place in the request.
    pub hash: Option<String>,
    /// Where the contents are.
    pub source: AssetSource,
}

/// Where an asset's contents are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssetSource {
    /// The contents themselves.
    Text(String),
    /// A path on the machine of the program.
    Path(String),
    /// A `file`, `http` or `https` address.
    Uri(String),
    /// Not at hand: old state keeps only the hash.
    Elided,
}

/// A named collection of assets and archives, given by its source or by its hash alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Archive {
    /// Lower-case hexadecimal SHA-256 of the archive. It may be left out of what a provider returns, as that of an asset, unless files
    /// are among the members: engines tell by it alone whether an archive changed.
    pub hash: Option<String>,
    /// Where the members are.
    pub source: ArchiveSource,
}

/// Where an archive's members are.
#[derive(Clone, Debug, PartialEq)]
pub enum ArchiveSource {
    /// The members themselves, each an asset or an archive.
    Members(Fields),
    /// A path on the machine of the program: a directory, or a tar, gzipped tar or zip file.
    Path(String),
    /// A `file`, `http` or `https` address of a tar, gzipped tar or zip file.
    Uri(String),
    /// Not at hand: old state keeps only the hash.
    Elided,
}

/// The contents themselves. The host adds the hash.
impl From<String> for Asset {
    fn from(text: String) -> Self {
        Self { hash: None, source: AssetSource::Text(text) }
    }
}

impl Property for Asset {
    type Plain = Self;

    fn type_spec(_: &mut Types) -> TypeSpec {
        TypeSpec::reference("pulumi.json#/Asset")
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value.into_plain() {
            Value::Asset(asset) => Ok(asset),
            other => Err(Misfit::expected("an asset", &other)),
        }
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        Ok(Value::Asset(self.clone()))
    }
}

impl Property for Archive {
    type Plain = Self;

    fn type_spec(_: &mut Types) -> TypeSpec {
        TypeSpec::reference("pulumi.json#/Archive")
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value.into_plain() {
            Value::Archive(archive) => Ok(archive),
            other => Err(Misfit::expected("an archive", &other)),
        }
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        Ok(Value::Archive(self.clone()))
    }
}
