//! Where the operators' files lie.
//!
//! Engines start plugins in the project's directory, so the project's file is found from there.

use std::path::{Path, PathBuf};

use super::decided::Decided;
use super::error::OperatorError;
use crate::project_files::PROJECTS;
use crate::user_places;

/// What the files are called.
const NAME: &str = "bulkhead.toml";

/// The operators' files, whether they are there or not.
#[derive(Clone, Debug, Default)]
pub(in crate::plugin) struct Operators {
    /// The project's, which may set any limit, and grants.
    pub(super) project: PathBuf,
    /// The user's and the organisation's, which may only narrow.
    pub(super) above: Vec<PathBuf>,
    /// Whether components are run from where they are developed, so that grants for `dev` count.
    pub(super) development: bool,
}

impl Operators {
    /// The files that concern a process: of the project that it runs in, of its user, of its machine.
    pub(in crate::plugin) fn of_this_process() -> Self {
        Self::of(Path::new("."))
    }

    /// The files that concern a project, by a directory in it. A relative one is relative to where the process runs.
    pub(in crate::plugin) fn of(directory: &Path) -> Self {
        let organisation = cfg!(unix).then(|| PathBuf::from("/etc/bulkhead"));
        let above = user_places::settings().into_iter().chain(organisation).map(|directory| directory.join(NAME));
        Self { project: project_file(directory), above: above.collect(), development: false }
    }

    /// The same, for components that are run from where they are developed.
    pub(in crate::plugin) fn developing(self) -> Self {
        Self { development: true, ..self }
    }

    /// What they say at this moment. Whatever follows from it follows from the same words.
    ///
    /// # Errors
    /// A file that is there and can't be followed.
    pub(in crate::plugin) fn read(&self) -> Result<Decided, OperatorError> {
        Decided::by(self)
    }
}

/// The file that grants for a directory, whether it is there or not.
pub fn project_file(directory: &Path) -> PathBuf {
    let real = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    project_root(&real).join(NAME)
}

/// A path that means the same wherever somebody uses it.
pub fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// Whether a directory belongs to anything that engines start plugins in: a project, or a plugin that is developed there.
pub fn is_in_project(directory: &Path) -> bool {
    let real = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let names = PROJECTS.iter().chain([&"PulumiPlugin.yaml"]);
    project_root(&real) != real || names.into_iter().any(|name| real.join(name).exists())
}

/// The directory of the project that a directory belongs to.
pub(in crate::plugin) fn project_root(directory: &Path) -> &Path {
    let of_project = |directory: &&Path| PROJECTS.iter().any(|name| directory.join(name).exists());
    directory.ancestors().find(of_project).unwrap_or(directory)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_project_is_found_from_below() {
        let directory = tempfile::tempdir().unwrap();
        let real = directory.path().canonicalize().unwrap();
        let deep = real.join("program/deep");
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join(NAME), "").unwrap();
        assert_eq!(project_file(&deep), deep.join(NAME), "where there is no project");
        assert!(!is_in_project(&deep));
        fs::write(real.join("Pulumi.yaml"), "").unwrap();
        assert_eq!(project_file(&deep), real.join(NAME), "only the project's own file counts");
        assert_eq!(Operators::of(&deep).project, real.join(NAME));
        assert!(is_in_project(&deep) && is_in_project(&real));
        // Engines read projects in either form.
        fs::rename(real.join("Pulumi.yaml"), real.join("Pulumi.json")).unwrap();
        assert_eq!(project_file(&deep), real.join(NAME));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_written_to_and_what_is_read_is_one_file_by_whatever_path() {
        let directory = tempfile::tempdir().unwrap();
        let real = directory.path().canonicalize().unwrap();
        let project = real.join("project");
        fs::create_dir(&project).unwrap();
        fs::write(project.join("Pulumi.yaml"), "").unwrap();
        std::os::unix::fs::symlink(&project, real.join("link")).unwrap();
        assert_eq!(project_file(&real.join("link")), project.join(NAME));
        assert_eq!(Operators::of(&real.join("link")).project, project.join(NAME));
    }
}
