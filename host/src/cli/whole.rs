//! A file that a command writes, whole or not at all: a disk that fills up meanwhile, or a Ctrl-C, leaves what was there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Puts contents in a file's place, with the permissions of what was there. A link there is replaced too, so the path is to be where the
/// file really lies. What is in between has a name that means nothing to anybody, so errors don't say it, but all of what the system does.
///
/// # Errors
/// A directory that can't be written to, or that has no room.
pub(super) fn replace(real: &Path, contents: &[u8]) -> io::Result<()> {
    let directory = real.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut refused = None;
    let make = |path: &Path| File::create_new(path).inspect_err(|error| refused = error.raw_os_error());
    let made = tempfile::Builder::new().make_in(directory, make);
    let mut file = made.map_err(|error| refused.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error))?;
    if let Ok(found) = fs::metadata(real) {
        file.as_file().set_permissions(found.permissions())?;
    }
    file.as_file_mut().write_all(contents)?;
    // Some file systems put it in place before its contents are on the disk, or tell only here that there is no room for them.
    file.as_file().sync_all()?;
    file.persist(real).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

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
}
