//! One operator's file, read with care: it may be anybody's, and of any size.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use bulkhead_policy::OperatorFile;

use super::error::OperatorError;
use crate::regular;

/// What a file says. None if there is no file.
///
/// # Errors
/// A file that is there and can't be followed.
pub fn read(path: &Path) -> Result<Option<OperatorFile>, OperatorError> {
    let read = || -> io::Result<String> {
        let mut text = String::new();
        // One byte more is enough to see that it is too large.
        regular::open(path)?.take(OperatorFile::LARGEST as u64 + 1).read_to_string(&mut text)?;
        Ok(text)
    };
    let text = match read() {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return match dangling(path) {
                Some(error) => Err(OperatorError::Unreadable { path: path.to_owned(), error }),
                None => Ok(None),
            };
        }
        Err(error) => return Err(OperatorError::Unreadable { path: path.to_owned(), error }),
    };
    OperatorFile::parse(&text).map(Some).map_err(|error| OperatorError::Malformed { path: path.to_owned(), error })
}

/// What says that a file was meant to be there: a link on the way to it, or in its place, that leads nowhere. Somebody wrote down
/// what may be done, and an unmounted volume must not undo that.
fn dangling(path: &Path) -> Option<io::Error> {
    let (there, _) = path.ancestors().find_map(|entry| Some((entry, fs::symlink_metadata(entry).ok()?)))?;
    let error = fs::metadata(there).err()?;
    Some(match error.kind() {
        io::ErrorKind::NotFound => io::Error::other(format!("{} is a link that leads nowhere", there.display())),
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_no_file_to_follow() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bulkhead.toml");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RUSR).unwrap();
        let said = format!("read {}: it is no regular file", path.display());
        assert_eq!(read(&path).unwrap_err().to_string(), said);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_no_missing_file() {
        use std::os::unix::fs::symlink;

        let directory = tempfile::tempdir().unwrap();
        let error = |path: &Path| read(path).unwrap_err().to_string();
        let path = directory.path().join("bulkhead.toml");
        symlink(directory.path().join("gone"), &path).unwrap();
        assert_eq!(error(&path), format!("read {0}: {0} is a link that leads nowhere", path.display()));
        let above = directory.path().join("bulkhead");
        symlink(directory.path().join("gone"), &above).unwrap();
        let path = above.join("bulkhead.toml");
        assert_eq!(error(&path), format!("read {}: {} is a link that leads nowhere", path.display(), above.display()));
        fs::create_dir(directory.path().join("gone")).unwrap();
        assert!(read(&path).unwrap().is_none(), "a link to a directory without one");
        fs::write(directory.path().join("file"), "").unwrap();
        assert!(read(&directory.path().join("file/bulkhead.toml")).unwrap().is_none(), "nor can one be there");
    }

    #[test]
    fn what_to_do_is_told_by_what_is_wrong() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bulkhead.toml");
        let hint = || read(&path).unwrap_err().hint();
        fs::create_dir(&path).unwrap();
        let in_its_place = hint();
        assert!(in_its_place.starts_with("put back the file that was meant"), "{in_its_place}");
        fs::remove_dir(&path).unwrap();
        for bytes in [&b"\xff\xfe["[..], b"# \xe4\n"] {
            fs::write(&path, bytes).unwrap();
            assert!(hint().starts_with("save it as UTF-8"), "{}", hint());
        }
        for text in ["[limits]\nqueue = 1\nqueue = 2", "[limits]\n[limits]"] {
            fs::write(&path, text).unwrap();
            assert!(hint().starts_with("each name stands once in a table: "), "{text}: {}", hint());
        }
        for text in ["later = 1", "[limits]\nlater = 1", "[limits]\nisolation = \"later\""] {
            fs::write(&path, text).unwrap();
            assert!(hint().ends_with(" doesn't know, a later one may"), "{text}: {}", hint());
        }
        fs::write(&path, "[limits]\nmemory = \"unknown \"").unwrap();
        assert_eq!(hint(), "docs/operator.md has the form of the file");
        let error = io::Error::from(io::ErrorKind::PermissionDenied);
        assert!(OperatorError::Unreadable { path, error }.hint().starts_with("let whoever runs providers read it"));
    }

    #[test]
    fn a_file_that_cannot_be_followed_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bulkhead.toml");
        assert!(read(&path).unwrap().is_none(), "one that isn't there says nothing");
        let error = || read(&path).unwrap_err().to_string();
        fs::create_dir(&path).unwrap();
        assert!(error().starts_with(&format!("read {}: ", path.display())), "{}", error());
        fs::remove_dir(&path).unwrap();
        fs::write(&path, "[limits]\nmemory = 1\nmemroy = 2\n").unwrap();
        assert!(error().starts_with(&format!("follow {}: TOML parse error at line 3", path.display())), "{}", error());
        fs::write(&path, "[limits]\r\nmemroy = 2\r\n").unwrap();
        assert!(error().contains("line 2"), "{}", error());
        for (bytes, said) in [(&b"\xff\xfe["[..], "utf-8"), (b"[limits]\nmemory = \"1\0\"", "line 2")] {
            fs::write(&path, bytes).unwrap();
            assert!(error().to_lowercase().contains(said), "{}", error());
        }
        fs::write(&path, "\u{feff}[limits]\r\nmemory = \"1MiB\"\r\n").unwrap();
        assert!(read(&path).unwrap().is_some(), "as editors of some systems write it");
        fs::write(&path, format!("a = {}1{}", "[".repeat(400_000), "]".repeat(400_000))).unwrap();
        assert!(error().contains("line 1"), "{}", error());
        fs::write(&path, "#".repeat((1 << 20) + 1)).unwrap();
        assert!(error().ends_with("it is larger than 1 MiB"), "{}", error());
    }
}
