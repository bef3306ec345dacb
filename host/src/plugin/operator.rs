//! Where the operators' files lie, and what follows from them for one provider.
//!
//! Engines start plugins in the project's directory, so the project's file is found from there. A file that can't be read keeps
//! the provider from being served: to run with other limits than somebody wrote down would be worse.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use bulkhead_policy::{Above, Applicant, Ceiling, OperatorFile, OperatorFileError, Permissions, Requests, Reviewed};

use crate::audit::AuditFile;
use crate::component::Limits;

/// What the files are called.
const NAME: &str = "bulkhead.toml";
/// What projects are known by.
const PROJECTS: [&str; 2] = ["Pulumi.yaml", "Pulumi.yml"];
/// The environment variable that names a file for records.
const AUDIT: &str = "BULKHEAD_AUDIT";
/// More than anybody writes, bytes.
const LARGEST: u64 = 1 << 20;

/// Why an operator's file can't be followed.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// It can't be read.
    #[error("read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It isn't what an operator's file is.
    #[error("follow {}: {error}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        error: OperatorFileError,
    },
    /// It grants, where only narrowing is possible.
    #[error(
        "follow {}: it grants the provider `{provider}` something, which only a project's file can; write what it may at most \
         under [providers.{provider}.allow]",
        path.display()
    )]
    GrantsAbove {
        /// The file.
        path: PathBuf,
        /// The provider.
        provider: String,
    },
    /// It has files written that lie elsewhere, where only files of one's own project are anybody's to name.
    #[error(
        "follow {}: it has records written to {}, which lies outside of the project; only the user's or the organisation's file \
         can say so",
        path.display(), file.display()
    )]
    RecordsElsewhere {
        /// The file.
        path: PathBuf,
        /// The file of the records.
        file: PathBuf,
    },
}

/// The operators' files.
#[derive(Clone, Debug, Default)]
pub(super) struct Operators {
    /// The project's, which may set any limit, and grants.
    pub(crate) project: Option<PathBuf>,
    /// The user's and the organisation's, which may only narrow.
    pub(super) above: Vec<PathBuf>,
    /// Whether components are run from where they are developed, so that grants for `dev` count.
    pub(super) development: bool,
}

impl Operators {
    /// The files that concern a process: of the project that it runs in, of its user, of its machine.
    pub(super) fn of_this_process() -> Self {
        Self::of(Path::new(""))
    }

    /// The files that concern a project, by a directory in it. A relative one is relative to where the process runs.
    pub(super) fn of(directory: &Path) -> Self {
        let present = std::env::current_dir().ok().map(|present| present.join(directory));
        let project = present.and_then(|directory| in_project(&directory));
        let user = std::env::var_os("XDG_CONFIG_HOME")
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
            .or_else(|| std::env::home_dir().map(|home| home.join(".config")));
        let organisation = cfg!(unix).then(|| PathBuf::from("/etc"));
        let above = user.into_iter().chain(organisation).map(|directory| directory.join("bulkhead").join(NAME));
        Self { project, above: above.collect(), development: false }
    }

    /// The same, for components that are run from where they are developed.
    pub(super) fn developing(self) -> Self {
        Self { development: true, ..self }
    }

    /// The limits of a provider.
    ///
    /// # Errors
    /// A file that is there and can't be followed.
    pub(super) fn limits(&self, provider: &str) -> Result<Limits, OperatorError> {
        let mut limits = Limits::default();
        if let Some(file) = self.project.as_deref().map(read).transpose()?.flatten() {
            limits.set(&file.limits(provider));
        }
        for path in &self.above {
            if let Some(file) = read(path)? {
                limits.narrow(&file.limits(provider));
            }
        }
        Ok(limits)
    }

    /// What a component may do that asks for this. Only the project's file grants.
    ///
    /// # Errors
    /// A file that is there and can't be followed.
    pub(super) fn permissions(&self, applicant: Applicant, requests: &Requests) -> Result<Permissions, OperatorError> {
        if requests.is_empty() {
            return Ok(Permissions::default());
        }
        let project = self.project.as_deref().map(read).transpose()?.flatten().unwrap_or_default();
        let directory = self.project.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let provider = applicant.provider.as_str();
        let mut above: Vec<Above> =
            project.ceilings(provider).map(|ceiling| self.allowed(directory, ceiling)).collect();
        for path in &self.above {
            let Some(file) = read(path)? else { continue };
            if let Some(granted) = file.granted().next() {
                let (path, provider) = (path.clone(), granted.to_owned());
                return Err(OperatorError::GrantsAbove { path, provider });
            }
            let directory = path.parent().unwrap_or(Path::new(""));
            above.extend(file.ceilings(provider).map(|ceiling| allowed(path, directory, ceiling)));
        }
        let grants = project.grants(provider).to_vec();
        Ok(Permissions::new(applicant, requests.clone(), &grants, above, directory))
    }

    /// Where it is written down what components do: each file that an operator names, and the one of the process's environment.
    ///
    /// # Errors
    /// A file that is there and can't be followed.
    pub(super) fn audit(&self) -> Result<Vec<AuditFile>, OperatorError> {
        let mut files: Vec<(PathBuf, bool)> = Vec::new();
        let named = std::env::var_os(AUDIT).filter(|value| !value.is_empty());
        files.extend(named.map(|path| (PathBuf::from(path), false)));
        for path in self.project.iter().chain(&self.above) {
            let Some(file) = read(path)? else { continue };
            let directory = path.parent().unwrap_or(Path::new(""));
            let Some(named) = file.audit().file_from(directory) else { continue };
            // Anybody who may change the project can change its file.
            let within = |file: &Path| file.components().all(|part| matches!(part, Component::Normal(_)));
            if self.project.as_ref() == Some(path) && !file.audit().file.as_deref().is_some_and(within) {
                return Err(OperatorError::RecordsElsewhere { path: path.clone(), file: named });
            }
            match files.iter_mut().find(|(known, _)| *known == named) {
                Some((_, required)) => *required |= file.audit().required,
                None => files.push((named, file.audit().required)),
            }
        }
        Ok(files.into_iter().map(|(path, required)| AuditFile::new(&path, required)).collect())
    }

    fn allowed(&self, directory: &Path, ceiling: &Ceiling) -> Above {
        allowed(self.project.as_deref().unwrap_or(Path::new(NAME)), directory, ceiling)
    }
}

/// What a file allows at most, its directories as they really lie.
fn allowed(file: &Path, directory: &Path, ceiling: &Ceiling) -> Above {
    let mut ceiling = ceiling.clone();
    for allowed in ceiling.filesystem.iter_mut().flatten() {
        let at = directory.join(allowed.at.as_ref().unwrap_or(&allowed.path));
        let real = at.canonicalize().unwrap_or(at);
        allowed.at = Some(real.to_string_lossy().into_owned());
    }
    Above { file: file.display().to_string(), ceiling }
}

/// The file that grants for a directory, whether it is there or not.
pub fn project_file(directory: &Path) -> PathBuf {
    let real = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    project_root(&real).join(NAME)
}

/// What became of a component's requests in the project of a directory.
///
/// # Errors
/// A file that is there and can't be followed.
pub fn review(directory: &Path, applicant: Applicant, requests: &Requests) -> Result<Vec<Reviewed>, OperatorError> {
    Ok(Operators::of(directory).permissions(applicant, requests)?.review())
}

/// The directory of the project that a directory belongs to.
pub(super) fn project_root(directory: &Path) -> &Path {
    let of_project = |directory: &&Path| PROJECTS.iter().any(|name| directory.join(name).exists());
    directory.ancestors().find(of_project).unwrap_or(directory)
}

/// The file of the project that a directory belongs to.
fn in_project(directory: &Path) -> Option<PathBuf> {
    Some(project_root(directory).join(NAME)).filter(|path| path.exists())
}

/// What a file says. None if there is no file.
///
/// # Errors
/// A file that is there and can't be followed.
pub fn read(path: &Path) -> Result<Option<OperatorFile>, OperatorError> {
    let read = || {
        let mut text = String::new();
        File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
        if text.len() as u64 > LARGEST { Err(io::Error::other("it is larger than 1 MiB")) } else { Ok(text) }
    };
    let text = match read() {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(OperatorError::Unreadable { path: path.to_owned(), error }),
    };
    OperatorFile::parse(&text).map(Some).map_err(|error| OperatorError::Malformed { path: path.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_project_sets_limits_and_others_narrow_them() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str, memory: &str| {
            let path = directory.path().join(name);
            fs::write(&path, format!("[limits]\nmemory = \"{memory}\"")).unwrap();
            path
        };
        let (low, high) = (file("low.toml", "1MiB"), file("high.toml", "2GiB"));
        let missing = directory.path().join("none.toml");
        let memory = |project: Option<&PathBuf>, above: &[&PathBuf]| {
            let above = above.iter().map(|path| (*path).clone()).collect();
            Operators { project: project.cloned(), above, development: false }.limits("x").unwrap().memory
        };
        assert_eq!(memory(None, &[&missing]), 1 << 30, "the default");
        assert_eq!(memory(Some(&high), &[&missing]), 2 << 30, "a project may set more");
        assert_eq!(memory(None, &[&high]), 1 << 30, "others may not");
        assert_eq!(memory(Some(&high), &[&low]), 1 << 20);
        assert_eq!(memory(Some(&low), &[&high, &low]), 1 << 20);
    }

    #[test]
    fn a_project_has_records_written_within_itself_only() {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path().join("project").join(NAME);
        fs::create_dir(directory.path().join("project")).unwrap();
        let audit = |file: &str, above: bool| {
            fs::write(&project, format!("[audit]\nfile = \"{file}\"")).unwrap();
            let (own, others) = if above { (None, vec![project.clone()]) } else { (Some(project.clone()), Vec::new()) };
            let operators = Operators { project: own, above: others, development: false };
            operators.audit().map(|files| files.len()).map_err(|error| error.to_string())
        };
        assert_eq!(audit("audit.jsonl", false), Ok(1));
        let elsewhere = directory.path().join("elsewhere.jsonl").display().to_string();
        for file in ["../audit.jsonl", &elsewhere] {
            let error = audit(file, false).unwrap_err();
            assert!(error.contains("which lies outside of the project"), "{error}");
            assert_eq!(audit(file, true), Ok(1));
        }
    }

    #[test]
    fn the_project_is_found_from_below() {
        let directory = tempfile::tempdir().unwrap();
        let deep = directory.path().join("program/deep");
        fs::create_dir_all(&deep).unwrap();
        let here = deep.join(NAME);
        let root = directory.path().join(NAME);
        fs::write(&here, "").unwrap();
        assert_eq!(in_project(&deep), Some(here), "where there is no project");
        fs::write(directory.path().join("Pulumi.yaml"), "").unwrap();
        assert_eq!(in_project(&deep), None, "only the project's own file counts");
        fs::write(&root, "").unwrap();
        assert_eq!(in_project(&deep), Some(root));
    }

    #[test]
    fn a_file_that_cannot_be_followed_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(NAME);
        let error = || {
            let operators = Operators { project: None, above: vec![path.clone()], development: false };
            operators.limits("x").unwrap_err().to_string()
        };
        fs::create_dir(&path).unwrap();
        assert!(error().starts_with(&format!("read {}: ", path.display())), "{}", error());
        fs::remove_dir(&path).unwrap();
        fs::write(&path, "[limits]\nmemory = 1\nmemroy = 2\n").unwrap();
        assert!(error().starts_with(&format!("follow {}: TOML parse error at line 3", path.display())), "{}", error());
        fs::write(&path, "#".repeat((1 << 20) + 1)).unwrap();
        assert!(error().ends_with("it is larger than 1 MiB"), "{}", error());
    }
}
