//! Zip: its directory at the end of the file, and members that are unpacked when they are opened.

use std::io::{self, Read};
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder, ZipLocator};

use super::blob::found;
use super::name::cleaned;
use super::{Access, AssetError, Blob, spool};

const WHAT: &str = "the zip file";

/// A member of a zip file.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    archive: Arc<ZipArchive<Blob>>,
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    /// As messages show it.
    shown: String,
}

impl ReaderAt for Blob {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.fill(offset, buffer).map_err(io::Error::other)
    }
}

/// The members of a zip file.
///
/// # Errors
/// A damaged file, or too many members.
pub(super) fn list(file: &Blob, access: &Access) -> Result<Vec<(String, Packed)>, AssetError> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipLocator::new().locate_in_reader(file.clone(), &mut buffer, file.size());
    let archive = Arc::new(archive.map_err(|(_, error)| damaged(error))?);
    let (mut members, mut seen) = (Vec::new(), 0);
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        access.one()?;
        seen += 1;
        if seen > access.limits.members {
            let limit = access.limits.members;
            return Err(AssetError::TooLarge(format!("{WHAT} has more than {limit} members")));
        }
        if entry.is_dir() {
            continue;
        }
        let name = String::from_utf8(entry.file_path().as_bytes().to_vec())
            .map_err(|_| AssetError::Malformed(format!("{WHAT} has a name that isn't UTF-8")))?;
        let name = cleaned(&name)?.into_owned();
        let shown: String = name.escape_debug().take(200).collect();
        access.keep_member(name.len().saturating_add(shown.capacity()))?;
        if entry.flags().is_encrypted() {
            return Err(AssetError::Malformed(format!("the member `{shown}` of {WHAT} is encrypted")));
        }
        let (place, method) = (entry.wayfinder(), entry.compression_method());
        members.push((name, Packed { archive: Arc::clone(&archive), place, method, shown }));
    }
    if seen as u64 != archive.entries_hint() {
        return Err(AssetError::Malformed(format!("{WHAT} is damaged: its directory has another length than it says")));
    }
    Ok(members)
}

impl Packed {
    /// Unpacks the member.
    ///
    /// # Errors
    /// A damaged member, or a larger one than it says or may be.
    pub(super) fn open(&self, access: &Access) -> Result<Blob, AssetError> {
        let what = format!("the member `{}` of {WHAT}", self.shown);
        access.fits(&what, self.place.uncompressed_size_hint())?;
        let entry = self.archive.get_entry(self.place).map_err(damaged)?;
        // Nor can it be larger in there.
        access.fits(&what, self.place.compressed_size_hint())?;
        let packed = entry.reader();
        let contents: Box<dyn Read> = match self.method {
            CompressionMethod::STORE => Box::new(packed),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(packed)),
            other => {
                return Err(AssetError::Malformed(format!("{what} is packed with {other}, which isn't known here")));
            }
        };
        // Size and checksum are those that the directory tells.
        spool::unpacked(entry.verifying_reader(contents), self.place.compressed_size_hint(), &what, access)
    }
}

fn damaged(error: rawzip::Error) -> AssetError {
    match error.into_kind() {
        rawzip::ErrorKind::IO(error) => found(WHAT, error),
        other => AssetError::Malformed(format!("{WHAT} is damaged: {}", rawzip::Error::from(other))),
    }
}
