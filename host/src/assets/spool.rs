//! Unpacked contents, kept where they can be read from any offset: in memory while they are few, else in a file without a name.

use std::fs::File;
use std::io::{self, Read, Write};

use super::blob::found;
use super::file::Regular;
use super::{Access, AssetError, Blob};

/// Up to so many bytes stay in memory.
const FEW: usize = 1 << 20;
/// Up to so many bytes, any ratio is fine.
const HARMLESS: u64 = 16 << 20;

/// Unpacks everything that a decoder gives. `packed` is what that takes where it comes from, in bytes.
///
/// # Errors
/// More than may be unpacked, or in a ratio that only bombs have; what is damaged; a disk that is full.
pub(super) fn unpacked(mut decoder: impl Read, packed: u64, what: &str, access: &Access) -> Result<Blob, AssetError> {
    // It may take as long as it is large and give nothing.
    access.opening(packed)?;
    let unkept = |error: io::Error| AssetError::Unavailable(format!("{what} can't be unpacked: {error}"));
    let mut spool = Spool::default();
    let mut all: u64 = 0;
    let mut buffer = vec![0; 64 << 10];
    loop {
        access.wanted()?;
        let read = match decoder.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(found(what, error)),
        };
        let bytes = buffer.get(..read).unwrap_or_default();
        access.unpack(read as u64)?;
        all += read as u64;
        access.fits(what, all)?;
        if all > HARMLESS && all / access.limits.ratio > packed {
            let ratio = access.limits.ratio;
            return Err(AssetError::TooLarge(format!("{what} unpacks to more than {ratio} times its size")));
        }
        spool.push(bytes).map_err(unkept)?;
    }
    spool.finish().map_err(unkept)
}

/// Contents that come piece by piece.
#[derive(Default)]
pub(super) struct Spool {
    memory: Vec<u8>,
    file: Option<File>,
}

impl Spool {
    /// Adds to them.
    ///
    /// # Errors
    /// No place on the disk.
    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            return file.write_all(bytes).map_err(no_place);
        }
        if self.memory.len().saturating_add(bytes.len()) <= FEW {
            self.memory.extend_from_slice(bytes);
            return Ok(());
        }
        let mut file = tempfile::tempfile().map_err(no_place)?;
        file.write_all(&std::mem::take(&mut self.memory)).map_err(no_place)?;
        file.write_all(bytes).map_err(no_place)?;
        self.file = Some(file);
        Ok(())
    }

    /// The whole.
    ///
    /// # Errors
    /// A file that can't be looked at.
    pub(super) fn finish(self) -> io::Result<Blob> {
        match self.file {
            Some(file) => Ok(Blob::file(Regular::temporary(file)?)),
            None => Ok(Blob::bytes(&self.memory)),
        }
    }
}

/// Says that it is none of the contents that can't be used. The component is told as well, to which the directory's name is nothing.
fn no_place(error: io::Error) -> io::Error {
    let message =
        format!("there is no place for it in the directory for temporary files, which `TMPDIR` names: {error}");
    io::Error::new(error.kind(), message)
}
