//! Where a grant is written: into the project's own file, by one command at a time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Where a project's file really lies. A link within the project stays one.
///
/// # Errors
/// A link that leads out of the project, and where to. Whoever made the project would choose what is written to: the file of another
/// project, or of its user.
pub(super) fn own(path: &Path) -> Result<PathBuf, PathBuf> {
    let project = path.parent().unwrap_or(Path::new(""));
    let project = project.canonicalize().unwrap_or_else(|_| project.to_owned());
    let real = path.canonicalize().unwrap_or_else(|_| project.join(path.file_name().unwrap_or_default()));
    if real.starts_with(project) { Ok(real) } else { Err(real) }
}

/// What keeps other commands from writing to a directory, for as long as it is held. A lock of the directory leaves no file behind; where
/// there are none, a file that changes meanwhile is still noticed.
pub(super) struct Alone {
    _directory: Option<File>,
}

impl Alone {
    /// Waits for other commands that write to the directory of a file.
    pub(super) fn with(path: &Path) -> Self {
        let open = || fs::File::open(path.parent()?).ok();
        Self { _directory: open().filter(|directory| directory.lock().is_ok()) }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_out_of_the_project_is_no_file_of_its() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path().canonicalize().unwrap();
        let (project, path) = (directory.join("project"), directory.join("project/bulkhead.toml"));
        fs::create_dir_all(project.join("shared")).unwrap();
        assert_eq!(own(&path), Ok(path.clone()), "it needn't be there yet");
        let (inside, outside) = (project.join("shared/grants.toml"), directory.join("others.toml"));
        for (to, expected) in [(inside.clone(), Ok(inside)), (outside.clone(), Err(outside))] {
            fs::write(&to, "").unwrap();
            symlink(&to, &path).unwrap();
            assert_eq!(own(&path), expected);
            fs::remove_file(&path).unwrap();
        }
        symlink(&project, directory.join("link")).unwrap();
        assert_eq!(own(&directory.join("link/bulkhead.toml")), Ok(path));
    }
}
