//! Directories as archives: every file below, and nothing that a link leads to elsewhere.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::file::{Held, Regular, Stamp};
use super::{Access, AssetError, Blob};

/// Where engines keep their own files; no archive has it.
const BOOKKEEPING: &str = ".pulumi";

/// A file below a directory, as it was when the directory was read.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The directory that it is in: one for all of its files, which may be many and deep.
    directory: Arc<Path>,
    /// Its name there, or the whole path of what a link leads to.
    file: OsString,
    stamp: Stamp,
}

impl Found {
    /// Opens the file.
    ///
    /// # Errors
    /// It isn't the same any more.
    pub(super) fn open(&self) -> Result<Blob, AssetError> {
        let file = Regular::open_resolved(&self.directory.join(&self.file))?;
        if file.stamp == self.stamp { Ok(Blob::file(file)) } else { Err(AssetError::Changed) }
    }
}

/// Something in a directory.
struct Entry {
    /// As its archive calls it.
    name: String,
    directory: Arc<Path>,
    file: OsString,
    kind: fs::FileType,
}

/// The files below a directory, which really lies at `real`, with their names, in the order in which they are hashed: level by level,
/// each sorted.
///
/// # Errors
/// What can't be read, too many files, and files that no archive can have, those with the engine's own secrets among them.
pub(super) fn list(root: &Path, real: &Path, access: &Access) -> Result<Vec<(String, Found)>, AssetError> {
    let unavailable = |path: &Path| {
        let path = path.to_owned();
        move |error: std::io::Error| AssetError::of_path(&path, &error)
    };
    // A link in the place of the directory has no members, as engines hash it.
    if fs::symlink_metadata(root).map_err(unavailable(root))?.is_symlink() {
        return Ok(Vec::new());
    }
    let (mut files, mut seen) = (Vec::new(), 0_usize);
    let mut open = sorted(&Arc::from(real), "", &mut seen, access)?;
    while let Some(Entry { name, directory, file, kind }) = open.pop() {
        let path = directory.join(&file);
        if kind.is_dir() {
            open.extend(sorted(&Arc::from(path), &format!("{name}/"), &mut seen, access)?);
        } else if kind.is_symlink() {
            // Engines take the file that a link leads to, and leave directories out.
            let target = path.canonicalize().map_err(unavailable(&path))?;
            let metadata = fs::metadata(&target).map_err(unavailable(&path))?;
            if !target.starts_with(real) {
                let message = format!("`{name}` is a link that leads out of the directory of its archive");
                return Err(AssetError::OutOfReach(format!("{message}; put a copy of the file there")));
            }
            if !metadata.is_dir() {
                access.guarded.shows(&path, &target)?;
                access.keep(target.as_os_str().len())?;
                files.push((name, Found { directory, file: target.into_os_string(), stamp: Stamp::of(&metadata) }));
            }
        } else if kind.is_file() {
            access.guarded.shows(&path, &path)?;
            let stamp = Stamp::of(&fs::symlink_metadata(&path).map_err(unavailable(&path))?);
            files.push((name, Found { directory, file, stamp }));
        } else {
            return Err(AssetError::Malformed(format!("`{name}` is neither a file nor a directory")));
        }
    }
    Ok(files)
}

/// What is in a directory, last first.
fn sorted(directory: &Arc<Path>, prefix: &str, seen: &mut usize, access: &Access) -> Result<Vec<Entry>, AssetError> {
    let unavailable = |error: std::io::Error| AssetError::of_path(directory, &error);
    let mut entries = Vec::new();
    access.keep(directory.as_os_str().len())?;
    // Names are told, too: they are those of the directory that was looked at, and not of what a link in its place leads to.
    let held = Held::open(directory)?;
    for entry in fs::read_dir(&held.place).map_err(unavailable)? {
        access.one()?;
        let entry = entry.map_err(unavailable)?;
        let kind = entry.file_type().map_err(unavailable)?;
        let file = entry.file_name();
        let Some(name) = file.to_str() else {
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
        // With no room to grow, which would be as much again.
        let name = [prefix, name].concat();
        access.keep_member(name.len().saturating_add(file.len()))?;
        entries.push(Entry { name, directory: Arc::clone(directory), file, kind });
    }
    // What is above them is the same for all.
    entries.sort_by(|left, right| right.file.cmp(&left.file));
    Ok(entries)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    /// Somebody may put it there between a look at what is in a directory and at what is in that.
    #[test]
    fn a_link_in_the_place_of_a_directory_has_no_names_told() {
        let place = tempfile::tempdir().unwrap();
        let real = place.path().canonicalize().unwrap();
        fs::create_dir_all(real.join("secret/below")).unwrap();
        fs::write(real.join("secret/below/name"), "").unwrap();
        std::os::unix::fs::symlink("secret", real.join("way")).unwrap();
        let listed = |path: &str| {
            sorted(&Arc::from(real.join(path)), "", &mut 0, &Access::default()).map(|entries| entries.len())
        };
        assert_eq!(listed("secret"), Ok(1));
        assert_eq!(listed("way/below"), Err(AssetError::Changed), "above it");
        assert!(listed("way").is_err(), "in its place");
    }
}
