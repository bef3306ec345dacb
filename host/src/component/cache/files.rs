//! Files and directories that nobody but this user can have written, and that are whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use crate::regular;

/// What a component's machine code is called, after its digest and the engine's.
pub(super) const CODE: &str = ".cwasm";
/// The documents that a component describes itself by, after its digest: its schema and its manifest.
pub(super) const DOCUMENTS: [&str; 2] = ["schema.json", "manifest.json"];
/// What of these takes long to make, made.
pub(in super::super) const INDEX: &str = "index";
/// Which digest a file had, after that of its path.
pub(in super::super) const KNOWN: &str = "known.json";
/// What is written still.
pub(super) const UNFINISHED: &str = ".tmp";

/// What to do where something lies there that can't be used.
pub(super) const STRANGE: &str = "if this comes again, delete the file, and see who else writes to its directory";

/// Opens a file that the cache wrote, and that nobody else can have changed: no link, which leads to who knows what, no pipe and no
/// device, and no file of somebody else's.
///
/// # Errors
/// There is none, or something else.
pub(super) fn ours(path: &Path) -> io::Result<File> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let file = regular::open(path)?;
    only_ours(&file.metadata()?)?;
    Ok(file)
}

/// Writes a file completely or not at all, beside readers and other writers.
pub(super) fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    // Two writers never share a temporary file, even if they are of one process, or have the same number in two containers.
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let temporary = path.with_extension(format!("{}-{count}-{}{UNFINISHED}", std::process::id(), now.as_nanos()));
    let mut file = private(&temporary)?;
    // Its seal is at its end: in what a power failure left of it, zeros before that would be run as code.
    let whole = file.write_all(contents).and_then(|()| regular::synced(&file));
    whole.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // Leaving it would fill a disk that is full already.
        let _ = fs::remove_file(&temporary);
    })
}

/// A new file that only this user may read and write.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Refuses a directory that is another one wherever a process runs: that of a project, say, which came with code in it.
pub(super) fn fixed(directory: &Path) -> io::Result<()> {
    match directory.is_absolute() {
        true => Ok(()),
        false => Err(io::Error::other("it is a relative path, and machine code is run only from one place")),
    }
}

/// Makes the directory, or checks that an existing one is nobody else's business. Its mode is for its owner to change: it may
/// have other uses.
#[cfg(unix)]
pub(super) fn prepare(directory: &Path) -> io::Result<()> {
    std::os::unix::fs::DirBuilderExt::mode(fs::DirBuilder::new().recursive(true), 0o700).create(directory)?;
    only_ours(&fs::metadata(directory)?)
}

/// Refuses what another user owns or may write to.
#[cfg(unix)]
fn only_ours(metadata: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;

    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("it belongs to another user"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(io::Error::other("others may write to it, which `chmod go-w` ends"));
    }
    Ok(())
}

#[cfg(not(unix))]
fn only_ours(_: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn prepare(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}
