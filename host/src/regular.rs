//! Files that end, opened without waiting for anybody.
//!
//! A path that an operator or a project names may lead to a pipe, whose opening waits for a writer that never comes, or to a device
//! that acts on being opened or has no end. Whoever reads a whole file opens it here. Whoever writes one that has to be whole has it
//! written through here, as far as there is a disk to write it to.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

#[cfg(unix)]
use rustix::fs::OFlags;

/// Opens a file for reading. A directory is opened too: who reads it is told that it is one.
///
/// # Errors
/// What can't be opened, and what is neither.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    let file = unhurried(&mut options).open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() || kind.is_dir() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))
}

/// The contents of a file that has at most so many bytes. A file may say that it has any number, and take no room for them.
///
/// # Errors
/// What can't be read, what isn't a file, and what is larger.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let large = || io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {} MiB", most >> 20));
    if file.metadata()?.len() > most {
        return Err(large());
    }
    let mut contents = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(file, most.saturating_add(1)), &mut contents)?;
    // It may have grown since.
    if contents.len() as u64 > most { Err(large()) } else { Ok(contents) }
}

/// Has what was written to a file be on the disk. Some systems for files can't, and what a power failure may leave there, they don't say of
/// any file.
///
/// # Errors
/// A disk that is full or broken, which some systems tell only here.
pub(crate) fn synced(file: &File) -> io::Result<()> {
    file.sync_all().or_else(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    })
}

/// Opening a pipe doesn't wait for its other end, and a terminal doesn't become this process's.
pub(crate) fn unhurried(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    }
    options
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
        for path in [pipe.as_path(), Path::new("/dev/zero")] {
            assert_eq!(read(path, 10).unwrap_err().to_string(), "it is no regular file");
        }
        assert_eq!(read(directory.path(), u64::MAX).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(read(&directory.path().join("missing"), 10).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_written_through_is_not_said_to_have_failed() {
        let device = File::options().write(true).open("/dev/null").unwrap();
        assert_eq!(device.sync_all().unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert!(synced(&device).is_ok());
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let sparse = directory.path().join("sparse");
        File::create(&sparse).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&sparse, 1 << 30).unwrap_err().to_string(), "it has more than 1024 MiB");
        std::fs::write(&sparse, "12").unwrap();
        assert_eq!(read(&sparse, 2).unwrap(), b"12");
        assert_eq!(read(&sparse, 1).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
