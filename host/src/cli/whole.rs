//! A file that a command writes, whole or not at all: a disk that fills up meanwhile, or a Ctrl-C, leaves what was there, and where the
//! system can have files without a name, nothing beside it.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::Path;

use tempfile::{NamedTempFile, TempPath};

use crate::regular;

/// Puts contents in a file's place, with the permissions, owner and group of what was there. A link there is replaced too, so the path is
/// to be where the file really lies. What is in between has a name that means nothing to anybody, so errors don't say it, but all of what
/// the system does.
///
/// # Errors
/// A directory that can't be written to, or that has no room.
pub(super) fn replace(real: &Path, contents: &[u8]) -> io::Result<()> {
    place(real, |file| {
        if let Ok(found) = fs::metadata(real) {
            belong(file, &found);
            file.set_permissions(found.permissions())?;
        }
        file.write_all(contents)
    })
}

/// Puts a copy of a file in a place, with its permissions. What lies there is replaced as by [`replace`].
///
/// # Errors
/// As [`replace`], and a file that can't be read.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    place(to, |file| {
        let mut from = File::open(from)?;
        io::copy(&mut from, file)?;
        file.set_permissions(from.metadata()?.permissions())
    })
}

/// What to do about an error that has to do neither with who may write nor with room.
pub(super) fn remedy(error: &io::Error) -> Option<&'static str> {
    // As containers have it with a file of their machine's.
    let mounted = "it is a mount of its own, which nothing can take the place of: write it where it is mounted from";
    (error.kind() == io::ErrorKind::ResourceBusy).then_some(mounted)
}

/// Puts in a place what somebody fills a file with.
fn place(real: &Path, fill: impl Fn(&mut File) -> io::Result<()>) -> io::Result<()> {
    let directory = real.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let filled = |file: &mut File| {
        fill(file)?;
        // Some file systems put it in place before its contents are on the disk, or tell only here that there is no room for them.
        regular::synced(file)
    };
    // One that is open for writing can't be executed, so it is closed before it is in place.
    let put = |whole: TempPath| whole.persist(real).map_err(|error| error.error);
    #[cfg(target_os = "linux")]
    if let Some(mut file) = nameless(directory) {
        filled(&mut file)?;
        // Without /proc it can't be given a name.
        if let Ok(whole) = named(directory, |path| name(&file, path)) {
            drop(file);
            return put(whole.into_temp_path());
        }
    }
    let mut whole = named(directory, |path| File::create_new(path))?;
    filled(whole.as_file_mut())?;
    put(whole.into_temp_path())
}

/// Makes something under a name that nothing has.
fn named<F>(directory: &Path, make: impl Fn(&Path) -> io::Result<F>) -> io::Result<NamedTempFile<F>> {
    let mut refused = None;
    let make = |path: &Path| make(path).inspect_err(|error| refused = error.raw_os_error());
    let made = tempfile::Builder::new().make_in(directory, make);
    made.map_err(|error| refused.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error))
}

/// A file that is gone with this process, whatever ends it. None where there are no such files, or none can be made.
#[cfg(target_os = "linux")]
fn nameless(directory: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags};

    let mode = Mode::from_raw_mode(0o666);
    rustix::fs::open(directory, OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC, mode).ok().map(File::from)
}

/// Gives a name to a file that has none.
#[cfg(target_os = "linux")]
fn name(file: &File, path: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, linkat};

    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Has a file belong to whom another one does, as far as this user may say so: a group's file stays theirs, whoever of them writes it, and
/// stays what its owner can read where somebody writes it who may do everything.
#[cfg(unix)]
fn belong(file: &File, found: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};

    let (owner, group) = (Some(found.uid()), Some(found.gid()));
    // Who may give it to nobody else may give it to a group of their own. Where neither is so, it is as every file that they write.
    let _ = fchown(file, owner, group).or_else(|_| fchown(file, None, group));
}

#[cfg(not(unix))]
fn belong(_file: &File, _found: &Metadata) {}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    use rustix::io::Errno;

    use super::*;

    /// Those without a kind of their own, such as a broken disk's, were told as an "uncategorized error".
    #[test]
    fn an_error_says_what_the_system_says_and_nothing_that_nobody_knows() {
        let directory = tempfile::tempdir().unwrap();
        for (parent, errno) in [("gone", Errno::NOENT), (&"a".repeat(300), Errno::NAMETOOLONG)] {
            let error = replace(&directory.path().join(parent).join("bulkhead.toml"), b"").unwrap_err();
            assert_eq!(error.raw_os_error(), Some(errno.raw_os_error()), "{error}");
            assert!(!error.to_string().contains(".tmp"), "{error}");
        }
    }

    #[test]
    fn a_file_keeps_its_permissions_and_has_nothing_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let real = directory.path().join("file");
        fs::write(&real, "before").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        replace(&real, b"after").unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "after");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_keeps_its_owner_and_group() {
        let directory = tempfile::tempdir().unwrap();
        let real = directory.path().join("file");
        fs::write(&real, "before").unwrap();
        let own = fs::metadata(&real).unwrap();
        let groups = rustix::process::getgroups().unwrap().into_iter().map(rustix::process::Gid::as_raw);
        let (owner, group) = match own.uid() {
            0 => (1234, 2345),
            own_user => (own_user, groups.into_iter().find(|group| *group != own.gid()).unwrap_or(own.gid())),
        };
        chown(&real, Some(owner), Some(group)).unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o660)).unwrap();
        replace(&real, b"after").unwrap();
        let found = fs::metadata(&real).unwrap();
        assert_eq!((found.uid(), found.gid(), found.mode() & 0o777), (owner, group, 0o660));
    }

    #[test]
    fn a_copy_that_failed_on_its_way_has_nothing_beside_it_and_leaves_what_was_there() {
        let directory = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| directory.path().join(name));
        fs::write(&from, "new").unwrap();
        fs::write(&to, "before").unwrap();
        fs::set_permissions(&from, fs::Permissions::from_mode(0o755)).unwrap();
        let entries = || fs::read_dir(directory.path()).unwrap().count();
        #[cfg(target_os = "linux")]
        let has_nameless = nameless(directory.path()).is_some();
        #[cfg(not(target_os = "linux"))]
        let has_nameless = false;
        let meanwhile = |file: &mut File| {
            file.write_all(b"half")?;
            assert_eq!(entries(), if has_nameless { 2 } else { 3 }, "it has no name yet, where files need none");
            Err(io::ErrorKind::StorageFull.into())
        };
        assert!(place(&to, meanwhile).is_err());
        assert_eq!((fs::read_to_string(&to).unwrap().as_str(), entries()), ("before", 2));
        copy(&from, &to).unwrap();
        assert_eq!((fs::read_to_string(&to).unwrap().as_str(), entries()), ("new", 2));
        assert_eq!(fs::metadata(&to).unwrap().mode() & 0o777, 0o755);
    }
}
