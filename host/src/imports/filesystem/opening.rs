//! Opening what lies beneath a directory, without waiting for anybody.
//!
//! What a name stands for when it is looked at may be another thing when it is opened: a pipe that somebody moved there, a component
//! among them, whose opening waits for its other end and keeps a thread of the process for as long. So nothing is waited for, and
//! what was opened is looked at. Apart from that it is the stock function.

use std::fs::File as Opened;
use std::io;
use std::sync::Arc;

use cap_primitives::fs::{FollowSymlinks, OpenOptions, OpenOptionsExt as _, open as open_beneath};
use rustix::fs::OFlags;
use rustix::io::Errno;
use wasmtime_wasi::filesystem::{Descriptor, Dir, File};
use wasmtime_wasi::p2::bindings::filesystem::types::{DescriptorFlags, ErrorCode, OpenFlags, PathFlags};
use wasmtime_wasi::{OpenMode, runtime};

use crate::scarcity;

/// What is neither a file nor a directory by now. No grant was too narrow for it, which the other code would stand for.
const MOVED: ErrorCode = ErrorCode::Access;

/// Why something isn't opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unopened {
    /// The system says so, or what is there.
    Code(ErrorCode),
    /// There are as many files open as there can be.
    NoFiles,
}

impl From<ErrorCode> for Unopened {
    fn from(code: ErrorCode) -> Self {
        Self::Code(code)
    }
}

impl From<io::Error> for Unopened {
    fn from(error: io::Error) -> Self {
        if scarcity::is_of_files(&error) {
            return Self::NoFiles;
        }
        match Errno::from_io_error(&error) {
            // The stock function calls it `io`, as if the disk were broken.
            Some(Errno::ROFS) => Self::Code(ErrorCode::ReadOnly),
            // A pipe that nobody reads, or a socket.
            Some(Errno::NXIO) => Self::Code(MOVED),
            _ => Self::Code(ErrorCode::from(error)),
        }
    }
}

/// Opens a file or a directory.
///
/// # Errors
/// What can't be opened, may not be, or is neither.
pub(super) async fn open(
    directory: Dir,
    path: String,
    (follow, how, access): (PathFlags, OpenFlags, DescriptorFlags),
) -> Result<Descriptor, Unopened> {
    let synchronously = DescriptorFlags::FILE_INTEGRITY_SYNC
        | DescriptorFlags::DATA_INTEGRITY_SYNC
        | DescriptorFlags::REQUESTED_WRITE_SYNC;
    if access.intersects(synchronously) {
        return Err(ErrorCode::Unsupported.into());
    }
    let of_directories = how.contains(OpenFlags::DIRECTORY);
    if of_directories && how.intersects(OpenFlags::CREATE | OpenFlags::EXCLUSIVE | OpenFlags::TRUNCATE) {
        return Err(ErrorCode::Invalid.into());
    }
    let mode = mode(how, access);
    if mode.contains(OpenMode::WRITE) && directory.perms.write_not_permitted() {
        return Err(ErrorCode::NotPermitted.into());
    }
    let options = options(follow, how, mode);
    let beneath = Arc::clone(&directory.dir);
    let opening = runtime::spawn_blocking(move || unhurried(&beneath, &path, &options));
    let (opened, is_directory) = opening.await?;
    match (is_directory, of_directories) {
        (true, _) => Ok(Descriptor::Dir(Dir::new(opened, directory.perms, mode, false))),
        (false, true) => Err(ErrorCode::NotDirectory.into()),
        (false, false) => Ok(Descriptor::File(File::new(opened, directory.perms, mode, false))),
    }
}

/// What it is opened for. Whatever isn't written to is read.
fn mode(how: OpenFlags, access: DescriptorFlags) -> OpenMode {
    let mut mode = OpenMode::empty();
    if access.contains(DescriptorFlags::WRITE) || how.intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE) {
        mode |= OpenMode::WRITE;
    }
    if access.contains(DescriptorFlags::READ) || !access.contains(DescriptorFlags::WRITE) {
        mode |= OpenMode::READ;
    }
    mode
}

fn options(follow: PathFlags, how: OpenFlags, mode: OpenMode) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(mode.contains(OpenMode::READ)).write(mode.contains(OpenMode::WRITE));
    let (create, exclusive) = (how.contains(OpenFlags::CREATE), how.contains(OpenFlags::EXCLUSIVE));
    options.create(create && !exclusive).create_new(create && exclusive);
    options.truncate(how.contains(OpenFlags::TRUNCATE));
    let links = if follow.contains(PathFlags::SYMLINK_FOLLOW) { FollowSymlinks::Yes } else { FollowSymlinks::No };
    options._cap_fs_ext_follow(links);
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    options
}

/// What was opened, and whether it is a directory.
fn unhurried(beneath: &Opened, path: &str, options: &OpenOptions) -> Result<(Opened, bool), Unopened> {
    let opened = open_beneath(beneath, path.as_ref(), options)?;
    let kind = opened.metadata()?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Err(MOVED.into());
    }
    // Of a file nothing has to be waited for, so that it is as others are.
    rustix::fs::fcntl_setfl(&opened, OFlags::empty()).map_err(io::Error::from)?;
    Ok((opened, kind.is_dir()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;
    use std::path::Path;
    use std::time::Duration;

    use wasmtime_wasi::FsPerms;

    use super::*;

    type Asked = (&'static str, OpenFlags, DescriptorFlags);

    /// What comes of some openings. None of those that wait.
    fn opened(place: &Path, asked: &[Asked]) -> Vec<Option<Result<Descriptor, Unopened>>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let all = runtime.block_on(async {
            let mut all = Vec::new();
            for (path, how, access) in asked {
                let directory = Dir::new(Opened::open(place).unwrap(), FsPerms::ReadWrite, OpenMode::READ, false);
                let opening = open(directory, (*path).to_owned(), (PathFlags::SYMLINK_FOLLOW, *how, *access));
                all.push(tokio::time::timeout(Duration::from_secs(5), opening).await.ok());
            }
            all
        });
        // A thread that waits would keep the test from its end.
        runtime.shutdown_background();
        all
    }

    #[test]
    fn what_only_an_operator_can_mend_is_told_from_what_was_not_granted() {
        let unopened = |errno: Errno| Unopened::from(io::Error::from(errno));
        assert_eq!(unopened(Errno::ROFS), Unopened::Code(ErrorCode::ReadOnly));
        assert_eq!([Errno::MFILE, Errno::NFILE].map(unopened), [Unopened::NoFiles; 2]);
        assert_eq!(
            [Errno::PERM, Errno::IO].map(unopened),
            [ErrorCode::NotPermitted, ErrorCode::Io].map(Unopened::Code)
        );
    }

    #[test]
    fn a_pipe_is_not_waited_for_and_a_file_is_opened_as_any() {
        let place = tempfile::tempdir().unwrap();
        let (read, write, as_it_is) = (DescriptorFlags::READ, DescriptorFlags::WRITE, OpenFlags::empty());
        rustix::fs::mkfifoat(rustix::fs::CWD, place.path().join("pipe"), rustix::fs::Mode::RWXU).unwrap();
        fs::write(place.path().join("file"), "contents").unwrap();
        let mut all = opened(
            place.path(),
            &[
                ("file", as_it_is, read),
                ("pipe", as_it_is, read),
                ("pipe", as_it_is, write),
                ("pipe", OpenFlags::CREATE, read | write),
                ("pipe", OpenFlags::TRUNCATE, write),
            ],
        );
        let pipes: Vec<_> = all.drain(1..).map(|opened| opened.map(Result::err)).collect();
        assert_eq!(pipes, [Some(Some(Unopened::Code(MOVED))); 4]);
        let Some(Some(Ok(Descriptor::File(file)))) = all.pop() else { panic!("it is a file") };
        let mut contents = String::new();
        (&*file.file).read_to_string(&mut contents).unwrap();
        assert_eq!(contents, "contents");
        assert!(!rustix::fs::fcntl_getfl(&file.file).unwrap().contains(OFlags::NONBLOCK));
    }
}
