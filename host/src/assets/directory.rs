//! Directories as archives: every file below, and nothing that a link leads to elsewhere.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use super::file::{Regular, Stamp};
use super::{Access, AssetError, Blob};

/// Where engines keep their own files; no archive has it.
const BOOKKEEPING: &str = ".pulumi";

/// A file below a directory, as it was when the directory was read.
#[derive(Clone, Debug)]
pub(super) struct Found {
    path: PathBuf,
    stamp: Stamp,
}

impl Found {
    /// Opens the file.
    ///
    /// # Errors
    /// It isn't the same any more.
    pub(super) fn open(&self) -> Result<Blob, AssetError> {
        let file = Regular::open_resolved(&self.path)?;
        if file.stamp == self.stamp { Ok(Blob::file(file)) } else { Err(AssetError::Changed) }
    }
}

/// The files below a directory with their names, in the order in which they are hashed: level by level, each sorted.
///
/// # Errors
/// What can't be read, too many files, and files that no archive can have.
pub(super) fn list(root: &Path, access: &Access) -> Result<Vec<(String, Found)>, AssetError> {
    let unavailable = |path: &Path| {
        let path = path.to_owned();
        move |error: std::io::Error| AssetError::of_path(&path, &error)
    };
    // A link in the place of the directory has no members, as engines hash it.
    if fs::symlink_metadata(root).map_err(unavailable(root))?.is_symlink() {
        return Ok(Vec::new());
    }
    let real = root.canonicalize().map_err(unavailable(root))?;
    let (mut files, mut seen) = (Vec::new(), 0_usize);
    let mut open = sorted(&real, String::new(), &mut seen, access)?;
    while let Some((name, entry)) = open.pop() {
        let path = entry.path();
        let kind = entry.file_type().map_err(unavailable(&path))?;
        if kind.is_dir() {
            open.extend(sorted(&path, format!("{name}/"), &mut seen, access)?);
        } else if kind.is_symlink() {
            // Engines take the file that a link leads to, and leave directories out.
            let target = path.canonicalize().map_err(unavailable(&path))?;
            let metadata = fs::metadata(&target).map_err(unavailable(&path))?;
            if !target.starts_with(&real) {
                let message = format!("`{name}` is a link that leads out of the directory of its archive");
                return Err(AssetError::Denied(format!("{message}; put a copy of the file there")));
            }
            if !metadata.is_dir() {
                files.push((name, Found { path: target, stamp: Stamp::of(&metadata) }));
            }
        } else if kind.is_file() {
            let stamp = Stamp::of(&entry.metadata().map_err(unavailable(&path))?);
            files.push((name, Found { path, stamp }));
        } else {
            return Err(AssetError::Malformed(format!("`{name}` is neither a file nor a directory")));
        }
    }
    Ok(files)
}

/// What is in a directory, last first.
fn sorted(
    directory: &Path,
    prefix: String,
    seen: &mut usize,
    access: &Access,
) -> Result<Vec<(String, DirEntry)>, AssetError> {
    let unavailable = |error: std::io::Error| AssetError::of_path(directory, &error);
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory).map_err(unavailable)? {
        access.wanted()?;
        let entry = entry.map_err(unavailable)?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            let message = format!("a name in `{}` isn't UTF-8", directory.display());
            return Err(AssetError::Malformed(message));
        };
        if name == BOOKKEEPING {
            continue;
        }
        *seen += 1;
        if *seen > access.limits.members {
            let limit = access.limits.members;
            return Err(AssetError::TooLarge(format!("the directory of an archive has more than {limit} members")));
        }
        entries.push((format!("{prefix}{name}"), entry));
    }
    entries.sort_by(|(left, _), (right, _)| right.cmp(left));
    Ok(entries)
}
