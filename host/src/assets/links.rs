//! Where a path leads, link by link.
//!
//! A component that may write into a directory can make a link there, and a program may name what it finds in its place: then the
//! host would read for the component what nobody granted it. So a link that lies where the component may write leads nowhere
//! out of there, and none leads to what engines keep secret.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::AssetError;

/// Links that lead from one to another.
const MOST: u32 = 40;

/// Places that links are followed in with care. All of them as they really lie.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guarded {
    /// Directories that the component may write into.
    pub(crate) writable: Vec<PathBuf>,
    /// What no asset is, or lies in.
    pub(crate) secret: Vec<PathBuf>,
}

impl Guarded {
    /// Where a path really leads.
    ///
    /// # Errors
    /// It isn't there, or the component may have made it lead there.
    pub(crate) fn followed(&self, path: &Path) -> Result<PathBuf, AssetError> {
        let unavailable = |error| AssetError::of_path(path, &error);
        let parts = |path: &Path| -> Vec<OsString> {
            path.components().rev().map(|part| part.as_os_str().to_owned()).collect()
        };
        let mut ahead = parts(&std::path::absolute(path).map_err(unavailable)?);
        let (mut at, mut links, mut left) = (PathBuf::new(), 0, Vec::new());
        while let Some(part) = ahead.pop() {
            if part == ".." {
                at.pop();
                continue;
            }
            let next = at.join(&part);
            if !fs::symlink_metadata(&next).map_err(unavailable)?.is_symlink() {
                at = next;
                continue;
            }
            links += 1;
            if links > MOST {
                return Err(unavailable(io::Error::other("too many links")));
            }
            left.extend(self.writable.iter().filter(|writable| next.starts_with(writable)));
            ahead.extend(parts(&fs::read_link(&next).map_err(unavailable)?));
        }
        if let Some(writable) = left.into_iter().find(|writable| !at.starts_with(writable)) {
            let (path, writable) = (path.display(), writable.display());
            return Err(AssetError::OutOfReach(format!(
                "`{path}` is a link that leads out of {writable}, where the provider may have made it itself; put a copy of \
                 the file there, or name the file that is meant"
            )));
        }
        self.shows(path, &at)?;
        Ok(at)
    }

    /// Refuses what engines keep secret: a path that really leads there.
    ///
    /// # Errors
    /// It is.
    pub(super) fn shows(&self, path: &Path, real: &Path) -> Result<(), AssetError> {
        match self.secret.iter().any(|secret| real.starts_with(secret)) {
            false => Ok(()),
            true => Err(AssetError::OutOfReach(format!(
                "`{}` is a file with the engine's own secrets, which no provider is given",
                path.display()
            ))),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_that_a_component_may_have_made_leads_nowhere_else() {
        let place = tempfile::tempdir().unwrap();
        let real = place.path().canonicalize().unwrap();
        let at = |name: &str| place.path().join(name);
        for directory in ["out/sub", "dir"] {
            fs::create_dir_all(at(directory)).unwrap();
        }
        for file in ["out/file", "secret", "dir/a"] {
            fs::write(at(file), "").unwrap();
        }
        let links = [
            ("../secret", "out/link"),
            ("file", "out/fine"),
            ("../dir", "out/above"),
            ("out/link", "chain"),
            ("x", "x"),
        ];
        for (target, link) in links {
            symlink(target, at(link)).unwrap();
        }
        let nobody = Guarded::default();
        assert_eq!(nobody.followed(&at("out/link")), Ok(real.join("secret")), "where nobody else may write");
        let guarded = Guarded { writable: vec![real.join("out")], secret: vec![real.join("dir/a")] };
        for path in ["out/link", "chain", "out/sub/../link", "out/above/a"] {
            let Err(AssetError::OutOfReach(reason)) = guarded.followed(&at(path)) else { panic!("{path}") };
            let out = real.join("out");
            let expected = format!("`{}` is a link that leads out of {}, where", at(path).display(), out.display());
            assert!(reason.starts_with(&expected), "{reason}");
        }
        assert_eq!(guarded.followed(&at("out/fine")), Ok(real.join("out/file")));
        assert_eq!(guarded.followed(&at("secret")), Ok(real.join("secret")));
        let Err(AssetError::OutOfReach(reason)) = guarded.followed(&at("dir/a")) else { panic!("a secret") };
        assert!(reason.ends_with("is a file with the engine's own secrets, which no provider is given"), "{reason}");
        let Err(AssetError::Unavailable(reason)) = guarded.followed(&at("x")) else { panic!("a circle") };
        assert!(reason.ends_with("can't be read: too many links"), "{reason}");
    }
}
