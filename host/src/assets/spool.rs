//! Unpacked contents, kept where they can be read from any offset: in memory while they are few, else in a file without a name.

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
    let no_place = |error: io::Error| AssetError::Unavailable(format!("{what} can't be unpacked: {error}"));
    let mut memory = Vec::new();
    let mut file = None;
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
        if file.is_none() && memory.len() + read > FEW {
            let mut spool = tempfile::tempfile().map_err(no_place)?;
            spool.write_all(&std::mem::take(&mut memory)).map_err(no_place)?;
            file = Some(spool);
        }
        match &mut file {
            Some(spool) => spool.write_all(bytes).map_err(no_place)?,
            None => memory.extend_from_slice(bytes),
        }
    }
    match file {
        Some(spool) => Ok(Blob::file(Regular::temporary(spool).map_err(no_place)?)),
        None => Ok(Blob::bytes(&memory)),
    }
}
