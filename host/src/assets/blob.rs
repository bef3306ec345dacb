//! Open contents: bytes at hand, or a stretch of a file.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::file::Regular;
use super::{Access, AssetError};

/// How much is read at a time where all is read, bytes.
const CHUNK: usize = 256 << 10;

/// Open contents. A clone reads the same.
#[derive(Clone, Debug)]
pub(crate) struct Blob {
    contents: Contents,
    start: u64,
    length: u64,
}

#[derive(Clone, Debug)]
enum Contents {
    Bytes(Arc<[u8]>),
    File(Arc<Regular>),
}

impl Blob {
    /// Bytes at hand.
    pub(super) fn bytes(bytes: &[u8]) -> Self {
        Self { contents: Contents::Bytes(bytes.into()), start: 0, length: bytes.len() as u64 }
    }

    /// A whole file.
    pub(super) fn file(file: Regular) -> Self {
        Self { start: 0, length: file.stamp.length, contents: Contents::File(Arc::new(file)) }
    }

    /// A stretch of it. None if it has no such stretch.
    pub(super) fn stretch(&self, start: u64, length: u64) -> Option<Self> {
        let end = start.checked_add(length).filter(|end| *end <= self.length)?;
        Some(Self { contents: self.contents.clone(), start: self.start.checked_add(start)?, length: end - start })
    }

    /// Its size in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.length
    }

    /// Bytes that it keeps of the host's memory.
    pub(crate) fn weight(&self) -> usize {
        match &self.contents {
            Contents::Bytes(bytes) => bytes.len(),
            Contents::File(_) => 0,
        }
    }

    /// Whether reading waits for nothing.
    pub(crate) fn at_hand(&self) -> bool {
        matches!(self.contents, Contents::Bytes(_))
    }

    /// Bytes from an offset on, fewer than asked for only at the end.
    ///
    /// # Errors
    /// More than may be read at once, or a file that changed or can't be read.
    pub(crate) fn read(&self, offset: u64, length: u64, access: &Access) -> Result<Vec<u8>, AssetError> {
        let length = length.min(self.length.saturating_sub(offset));
        let Some(length) = usize::try_from(length).ok().filter(|length| *length <= access.limits.read) else {
            let limit = access.limits.read;
            return Err(AssetError::TooLarge(format!(
                "{length} bytes were asked for at once, and the limit is {limit}; read in pieces"
            )));
        };
        let mut bytes = vec![0; length];
        let read = self.fill(offset, &mut bytes)?;
        // A file that became shorter has another stamp.
        bytes.truncate(read);
        Ok(bytes)
    }

    /// Fills a buffer from an offset on, as far as the contents go.
    pub(super) fn fill(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, AssetError> {
        let left = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let length = buffer.len().min(left);
        let Some(buffer) = buffer.get_mut(..length) else { return Ok(0) };
        let from = self.start.saturating_add(offset);
        match &self.contents {
            Contents::File(file) => file.read_at(buffer, from),
            Contents::Bytes(bytes) => {
                let from = usize::try_from(from).unwrap_or(usize::MAX);
                let Some(bytes) = bytes.get(from..from.saturating_add(length)) else { return Ok(0) };
                buffer.copy_from_slice(bytes);
                Ok(length)
            }
        }
    }

    /// Hands over everything, piece by piece.
    ///
    /// # Errors
    /// What can't be read, too much for this call, or nobody who waits any more.
    pub(super) fn each(&self, access: &Access, mut take: impl FnMut(&[u8])) -> Result<(), AssetError> {
        let mut buffer = vec![0; CHUNK.min(usize::try_from(self.length).unwrap_or(CHUNK))];
        let mut offset = 0;
        while offset < self.length {
            access.wanted()?;
            let read = self.fill(offset, &mut buffer)?;
            access.opening(read as u64)?;
            let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else {
                return Err(AssetError::Changed);
            };
            take(bytes);
            offset += read as u64;
        }
        Ok(())
    }

    /// Refuses contents that don't have a recorded hash.
    ///
    /// # Errors
    /// Another hash, or what can't be read.
    pub(super) fn expect(&self, hash: Option<&str>, access: &Access) -> Result<(), AssetError> {
        let Some(expected) = hash else { return Ok(()) };
        let mut hasher = Sha256::new();
        self.each(access, |bytes| hasher.update(bytes))?;
        if format!("{:x}", hasher.finalize()) == expected { Ok(()) } else { Err(AssetError::Changed) }
    }
}

/// A blob read from its start on, for libraries. An error of ours comes out again with [`found`].
pub(super) struct Cursor<'a> {
    blob: Blob,
    access: &'a Access,
    at: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(blob: &Blob, access: &'a Access) -> Self {
        Self { blob: blob.clone(), access, at: 0 }
    }
}

impl Read for Cursor<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.access.wanted().and_then(|()| self.blob.fill(self.at, buffer)).map_err(io::Error::other)?;
        self.at = self.at.saturating_add(read as u64);
        Ok(read)
    }
}

impl Seek for Cursor<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.blob.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}

/// The error that came through a library, or that the library found in what it read.
pub(super) fn found(what: &str, error: io::Error) -> AssetError {
    match error.downcast::<AssetError>() {
        Ok(ours) => ours,
        Err(error) => AssetError::Malformed(format!("{what} is damaged: {error}")),
    }
}
