//! Contents of assets and archives in the current request.
//!
//! A path means nothing inside a component, so contents are read through the host, and only those that the request names.

use std::io::{self, Read};

use super::imports::assets as host;
use crate::bindings::wit::assets::AssetError;
use crate::bindings::wit::values as wit;
use crate::error::{Error, Result};
use crate::value::{Archive, ArchiveSource, Asset, Fields, Value, write_asset};

/// How much is read at a time, bytes.
const CHUNK: u32 = 64 * 1024;

/// An open asset, read from its start on.
///
/// ```
/// use std::io::Read;
///
/// use bulkhead_sdk::{Asset, assets};
///
/// let asset = Asset::from("hello".to_owned());
/// let mut text = String::new();
/// assets::open(&asset)?.read_to_string(&mut text)?;
/// assert_eq!(text, "hello");
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
#[derive(Debug)]
pub struct Blob {
    host: host::Blob,
    /// A double, as the contract has it: exact up to 2^53.
    offset: f64,
}

/// An open archive.
#[derive(Debug)]
pub struct Reader(Contents);

#[derive(Debug)]
enum Contents {
    /// A file or an address, which the host unpacks.
    Host(host::Reader),
    /// Members that the request holds one by one.
    Members(Vec<(String, Member)>),
}

#[derive(Debug)]
enum Member {
    Asset(Asset),
    /// A member of an archive that is itself a file or an address.
    Packed(Archive, String),
}

/// Opens an asset of the current request.
pub fn open(asset: &Asset) -> Result<Blob> {
    let host = host::open_asset(&write_asset(asset.clone())).map_err(failed)?;
    Ok(Blob { host, offset: 0.0 })
}

/// Reads an asset of the current request whole.
pub fn read(asset: &Asset) -> Result<Vec<u8>> {
    open(asset)?.read_whole()
}

/// Opens an archive of the current request.
pub fn open_archive(archive: &Archive) -> Result<Reader> {
    if let ArchiveSource::Members(members) = &archive.source {
        let mut found = Vec::new();
        collect("", members, &mut found)?;
        found.sort_by(|(left, _), (right, _)| left.cmp(right));
        return Ok(Reader(Contents::Members(found)));
    }
    open_packed(archive).map(|reader| Reader(Contents::Host(reader)))
}

fn open_packed(archive: &Archive) -> Result<host::Reader> {
    let source = match &archive.source {
        ArchiveSource::Path(path) => wit::ArchiveSource::Path(path.clone()),
        ArchiveSource::Uri(uri) => wit::ArchiveSource::Uri(uri.clone()),
        ArchiveSource::Elided => wit::ArchiveSource::Elided,
        ArchiveSource::Members(_) => wit::ArchiveSource::Members(Vec::new()),
    };
    host::open_archive(&wit::Archive { hash: archive.hash.clone(), source }).map_err(failed)
}

/// All members below `prefix`, with `/` between levels.
fn collect(prefix: &str, members: &Fields, found: &mut Vec<(String, Member)>) -> Result<()> {
    for (name, member) in members {
        let name = format!("{prefix}{name}");
        match member.plain() {
            Value::Asset(asset) => found.push((name, Member::Asset(asset.clone()))),
            Value::Archive(Archive { source: ArchiveSource::Members(members), .. }) => {
                collect(&format!("{name}/"), members, found)?;
            }
            Value::Archive(archive) => {
                for inner in open_packed(archive)?.names().map_err(failed)? {
                    found.push((format!("{name}/{inner}"), Member::Packed(archive.clone(), inner)));
                }
            }
            other => return Err(Error::other(format!("the member `{name}` of an archive is {}", other.kind()))),
        }
    }
    Ok(())
}

impl Blob {
    /// Its size in bytes, where that is known without reading it all.
    pub fn size(&self) -> Option<u64> {
        self.host.size().map(|size| size as u64)
    }

    fn read_whole(mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let chunk = self.chunk(CHUNK)?;
            if chunk.is_empty() {
                return Ok(bytes);
            }
            bytes.extend(chunk);
        }
    }

    fn chunk(&mut self, length: u32) -> Result<Vec<u8>> {
        let bytes = self.host.read(self.offset, length).map_err(failed)?;
        self.offset += bytes.len() as f64;
        Ok(bytes)
    }
}

impl Read for Blob {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = u32::try_from(buffer.len()).unwrap_or(CHUNK).min(CHUNK);
        let bytes = self.chunk(length).map_err(|error| io::Error::other(error.to_string()))?;
        // The host may not send more than was asked for.
        let target = buffer.get_mut(..bytes.len()).ok_or_else(|| io::Error::other("more came than was asked for"))?;
        target.copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

impl Reader {
    /// The members' names with `/` between levels, sorted.
    pub fn names(&self) -> Result<Vec<String>> {
        match &self.0 {
            Contents::Host(reader) => reader.names().map_err(failed),
            Contents::Members(members) => Ok(members.iter().map(|(name, _)| name.clone()).collect()),
        }
    }

    /// Opens a member.
    pub fn open(&self, name: &str) -> Result<Blob> {
        let members = match &self.0 {
            Contents::Host(reader) => return opened(reader.open(name)),
            Contents::Members(members) => members,
        };
        match members.iter().find(|(known, _)| known == name) {
            Some((_, Member::Asset(asset))) => open(asset),
            Some((_, Member::Packed(archive, inner))) => opened(open_packed(archive)?.open(inner)),
            None => Err(Error::other(format!("the archive has no member `{name}`"))),
        }
    }
}

fn opened(blob: std::result::Result<host::Blob, AssetError>) -> Result<Blob> {
    Ok(Blob { host: blob.map_err(failed)?, offset: 0.0 })
}

fn failed(error: AssetError) -> Error {
    match error {
        AssetError::NotInRequest => Error::bug("an asset was opened that isn't part of the request"),
        AssetError::Elided => Error::other("only the hash of the asset is known, not its contents"),
        AssetError::Denied(reason) | AssetError::Unavailable(reason) => Error::other(reason),
        AssetError::Changed => Error::other("the asset changed while it was used: its contents don't have its hash"),
        AssetError::Malformed(reason) | AssetError::TooLarge(reason) => Error::other(reason),
    }
}

#[cfg(test)]
mod tests;
