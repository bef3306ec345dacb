//! Regular files, opened with care: a path may name a device that acts on being opened, or a pipe that waits for ever.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{AssetError, Guarded};

/// What tells whether a file is still the one that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    pub(super) fn of(metadata: &std::fs::Metadata) -> Self {
        Self { length: metadata.len(), modified: metadata.modified().ok() }
    }
}

/// A regular file that is open.
#[derive(Debug)]
pub(super) struct Regular {
    file: File,
    path: PathBuf,
    pub(super) stamp: Stamp,
}

impl Regular {
    /// Opens a file that the user named; links are followed, with care.
    ///
    /// # Errors
    /// It can't be read, or isn't a regular file.
    pub(super) fn open(path: &Path, guarded: &Guarded) -> Result<Self, AssetError> {
        Self::opened(path, &guarded.followed(path)?)
    }

    /// Opens a file whose path was resolved before; a link that has taken its place is refused.
    ///
    /// # Errors
    /// As [`Regular::open`].
    pub(super) fn open_resolved(path: &Path) -> Result<Self, AssetError> {
        Self::opened(path, path)
    }

    fn opened(path: &Path, real: &Path) -> Result<Self, AssetError> {
        let unavailable = |error| AssetError::of_path(path, &error);
        let file = careful().open(real).map_err(unavailable)?;
        // A directory above it may have been replaced by a link since the path was looked at.
        if location(&file).is_some_and(|location| location != real) {
            return Err(AssetError::Changed);
        }
        let metadata = file.metadata().map_err(unavailable)?;
        if metadata.is_dir() {
            let message = format!("`{}` is a directory; use an archive for it", path.display());
            return Err(AssetError::Unavailable(message));
        }
        if !metadata.is_file() {
            return Err(AssetError::Unavailable(format!("`{}` isn't a regular file", path.display())));
        }
        Ok(Self { file, path: path.to_owned(), stamp: Stamp::of(&metadata) })
    }

    /// A file without a name, which nobody else writes to.
    pub(super) fn temporary(file: File) -> io::Result<Self> {
        let stamp = Stamp::of(&file.metadata()?);
        Ok(Self { file, path: PathBuf::from("a temporary file"), stamp })
    }

    /// Fills a buffer from an offset on, as far as the file goes; the number of bytes.
    ///
    /// # Errors
    /// The file changed since it was opened, or can't be read.
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize, AssetError> {
        let unavailable = |error| AssetError::of_path(&self.path, &error);
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match at(&self.file, rest, offset.saturating_add(filled as u64)) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unavailable(error)),
            }
        }
        // After reading: what was written before then shows.
        if Stamp::of(&self.file.metadata().map_err(unavailable)?) != self.stamp {
            return Err(AssetError::Changed);
        }
        Ok(filled)
    }
}

/// A directory that is looked through: nobody can put another in its place meanwhile, as far as the system tells where it lies.
pub(crate) struct Held {
    #[expect(dead_code, reason = "open for as long as it is looked through")]
    directory: Option<File>,
    /// Where it can be read.
    pub(crate) place: PathBuf,
}

impl Held {
    /// Opens a directory whose path was resolved before.
    ///
    /// # Errors
    /// It can't be read, or lies elsewhere by now.
    #[cfg(target_os = "linux")]
    pub(crate) fn open(path: &Path) -> Result<Self, AssetError> {
        use std::os::fd::AsRawFd;

        let directory = careful().open(path).map_err(|error| AssetError::of_path(path, &error))?;
        match location(&directory) {
            Some(location) if location != path => Err(AssetError::Changed),
            Some(_) => {
                let place = PathBuf::from(format!("/proc/self/fd/{}", directory.as_raw_fd()));
                Ok(Self { directory: Some(directory), place })
            }
            None => Ok(Self { directory: Some(directory), place: path.to_owned() }),
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn open(path: &Path) -> Result<Self, AssetError> {
        Ok(Self { directory: None, place: path.to_owned() })
    }
}

#[cfg(unix)]
fn careful() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    // Opening a pipe doesn't wait for its other end, and a terminal doesn't become this process's.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    options
}

#[cfg(not(unix))]
fn careful() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

/// Where a file that is open lies, if the system tells.
#[cfg(target_os = "linux")]
fn location(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;

    std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

#[cfg(not(target_os = "linux"))]
fn location(_: &File) -> Option<PathBuf> {
    None
}

#[cfg(unix)]
fn at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
