//! Tar: reading files of it, and writing the one that stands for members without a file when they are hashed.
//!
//! Reading goes header by header, since a library that gathers long names by itself takes as much memory for them as the file
//! says. Writing follows what engines hash to the last byte: names in the order given, mode 0600, no owner and no time.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use tar::{Archive, EntryType, PaxExtensions};

use super::blob::{Cursor, found};
use super::name::cleaned;
use super::{Access, AssetError, Blob, spool};

const BLOCK: u64 = 512;
/// Bytes of a header's field for a name.
const FIELD: usize = 100;
/// The longest name or list of attributes before a member, bytes.
const LONGEST: u64 = 64 << 10;

const WHAT: &str = "the tar file";

/// Unpacks a gzipped tar file.
///
/// # Errors
/// A damaged file, or a larger one than may be unpacked.
pub(super) fn gunzipped(file: &Blob, access: &Access) -> Result<Blob, AssetError> {
    spool::unpacked(MultiGzDecoder::new(Cursor::new(file, access)), file.size(), "the gzipped tar file", access)
}

/// The members of a tar file and where they lie, in its order.
///
/// # Errors
/// A damaged file, too many members, and members that are neither files nor directories.
pub(super) fn list(file: &Blob, access: &Access) -> Result<Vec<(String, Blob)>, AssetError> {
    let damaged = |error| found(WHAT, error);
    let mut members = Vec::new();
    let mut archive = Archive::new(Cursor::new(file, access));
    let mut long_name: Option<Vec<u8>> = None;
    let mut seen = 0_usize;
    for entry in archive.entries_with_seek().map_err(damaged)?.raw(true) {
        let mut entry = entry.map_err(damaged)?;
        seen += 1;
        access.one()?;
        // Each member may have a name and attributes before it.
        if seen / 3 > access.limits.members || members.len() >= access.limits.members {
            let limit = access.limits.members;
            return Err(AssetError::TooLarge(format!("{WHAT} has more than {limit} members")));
        }
        match entry.header().entry_type() {
            EntryType::GNULongName => {
                let mut name = small(&mut entry)?;
                name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(name.len()));
                long_name = Some(name);
            }
            EntryType::XHeader => {
                for extension in PaxExtensions::new(&small(&mut entry)?) {
                    let extension = extension.map_err(damaged)?;
                    match extension.key_bytes() {
                        b"path" => long_name = Some(extension.value_bytes().to_vec()),
                        b"size" => return Err(AssetError::Malformed(format!("{WHAT} has members of extended size"))),
                        _ => {}
                    }
                }
            }
            EntryType::XGlobalHeader | EntryType::GNULongLink => {}
            EntryType::Directory => long_name = None,
            EntryType::Regular | EntryType::Continuous => {
                let name = long_name.take().unwrap_or_else(|| entry.path_bytes().into_owned());
                let name = String::from_utf8(name)
                    .map_err(|_| AssetError::Malformed(format!("{WHAT} has a name that isn't UTF-8")))?;
                // Before there was a type for it, a slash made a directory.
                if name.ends_with('/') {
                    continue;
                }
                let name = cleaned(&name)?.into_owned();
                access.keep_member(name.len())?;
                let contents = file.stretch(entry.raw_file_position(), entry.size());
                let short = || AssetError::Malformed(format!("{WHAT} ends within a member"));
                members.push((name, contents.ok_or_else(short)?));
            }
            _ => {
                let name = String::from_utf8_lossy(&entry.path_bytes()).escape_debug().take(200).collect::<String>();
                return Err(AssetError::Malformed(format!("{WHAT} has `{name}`, which is neither file nor directory")));
            }
        }
    }
    Ok(members)
}

/// What is before a member: its long name, or its attributes.
fn small(entry: &mut tar::Entry<'_, Cursor<'_>>) -> Result<Vec<u8>, AssetError> {
    if entry.size() > LONGEST {
        return Err(AssetError::Malformed(format!("{WHAT} has a name or attributes of more than {LONGEST} bytes")));
    }
    let mut bytes = Vec::new();
    entry.take(LONGEST).read_to_end(&mut bytes).map_err(|error| found(WHAT, error))?;
    Ok(bytes)
}

/// The hash of a tar file that is never written.
#[derive(Default)]
pub(super) struct Hasher(Sha256);

impl Hasher {
    /// Adds a member.
    ///
    /// # Errors
    /// Contents that can't be read.
    pub(super) fn add(&mut self, name: &str, contents: &Blob, access: &Access) -> Result<(), AssetError> {
        self.header(name, contents.size());
        contents.each(access, |bytes| self.0.update(bytes))?;
        self.pad(contents.size());
        Ok(())
    }

    /// Adds a member whose contents are at hand.
    pub(super) fn add_bytes(&mut self, name: &str, contents: &[u8]) {
        let size = contents.len() as u64;
        self.header(name, size);
        self.0.update(contents);
        self.pad(size);
    }

    /// The hash, in lower-case hexadecimal.
    pub(super) fn finish(mut self) -> String {
        self.0.update([0; 2 * BLOCK as usize]);
        format!("{:x}", self.0.finalize())
    }

    fn header(&mut self, name: &str, size: u64) {
        if let Some((prefix, rest)) = ustar(name) {
            self.0.update(header(b'0', rest, prefix, 0o600, size, true));
            return;
        }
        // An extended header before the member, with a file name of its own.
        let (directory, last) = name.rsplit_once('/').map_or(("", name), |(directory, last)| (directory, last));
        let separator = if directory.is_empty() { "" } else { "/" };
        let called = beginning(&[directory, separator, "PaxHeaders.0/", last]);
        let record = record("path", name);
        let called = called.get(..called.len().min(FIELD)).unwrap_or_default().trim_end_matches('/');
        self.0.update(header(b'x', called, "", 0, record.len() as u64, false));
        self.0.update(record.as_bytes());
        self.pad(record.len() as u64);
        let ascii = beginning(&[name]);
        let mut short = ascii.get(..ascii.len().min(FIELD)).unwrap_or_default();
        if ascii.len() > FIELD && short.ends_with('/') {
            short = short.trim_end_matches('/');
        }
        self.0.update(header(b'0', short, "", 0o600, size, true));
    }

    fn pad(&mut self, size: u64) {
        let over = usize::try_from(size % BLOCK).unwrap_or_default();
        if over > 0 {
            self.0.update([0; BLOCK as usize].get(over..).unwrap_or_default());
        }
    }
}

/// What is ASCII of a name in parts, as much as a field has room for and a character more. Long names are hashed by the thousand.
fn beginning(parts: &[&str]) -> String {
    parts.iter().flat_map(|part| part.chars()).filter(char::is_ascii).take(FIELD + 1).collect()
}

/// A name as prefix and rest, if the plain format has room for it.
fn ustar(name: &str) -> Option<(&str, &str)> {
    if !name.is_ascii() {
        return None;
    }
    if name.len() <= FIELD {
        return Some(("", name));
    }
    let within = name.get(..name.len().min(156))?;
    let (prefix, _) = within.rsplit_once('/')?;
    let rest = name.get(prefix.len() + 1..)?;
    (!prefix.is_empty() && !rest.is_empty() && rest.len() <= FIELD).then_some((prefix, rest))
}

/// A header block. Only members' own have owner names and devices, empty as they are.
fn header(kind: u8, name: &str, prefix: &str, mode: u64, size: u64, devices: bool) -> [u8; BLOCK as usize] {
    let mut block = [0; BLOCK as usize];
    let mut put = |at: usize, bytes: &[u8]| {
        for (place, byte) in block.iter_mut().skip(at).zip(bytes) {
            *place = *byte;
        }
    };
    put(0, name.as_bytes());
    put(100, format!("{mode:07o}").as_bytes());
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, format!("{size:011o}").as_bytes());
    put(136, b"00000000000");
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    if devices {
        put(329, b"0000000");
        put(337, b"0000000");
    }
    put(345, prefix.as_bytes());
    let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
    for (place, byte) in block.iter_mut().skip(148).zip(format!("{sum:06o}\0 ").bytes()) {
        *place = byte;
    }
    block
}

/// A record of an extended header: its own length, a key and a value.
fn record(key: &str, value: &str) -> String {
    let rest = key.len() + value.len() + " =\n".len();
    let mut length = rest;
    loop {
        let whole = rest + length.to_string().len();
        if whole == length {
            return format!("{length} {key}={value}\n");
        }
        length = whole;
    }
}
