//! What the operators' files say, and what follows from that for one provider: its limits, its permissions, its records.
//!
//! A file that can't be read keeps the provider from being served: to run with other limits than somebody wrote down would be
//! worse. All of them are read once, so that no change in between makes a provider run under half of each.

use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use bulkhead_policy::{Above, Applicant, Ceiling, Denial, OperatorFile, Permissions, Requests, Reviewed};

use super::error::OperatorError;
use super::file::read;
use super::places::Operators;
use crate::audit::{self, AuditFile};
use crate::component::Limits;
use crate::real_path::real_path;
use crate::regular;

/// The environment variable that names a file for records.
const AUDIT: &str = "BULKHEAD_AUDIT";
/// How far a file is looked at for the first of its records, bytes.
const BLANK_AT_MOST: u64 = 64;

/// What the operators' files say.
#[derive(Debug)]
pub(in crate::plugin) struct Decided {
    project: Written,
    above: Vec<Written>,
    development: bool,
}

/// A file, and what it says: nothing if it isn't there.
#[derive(Debug)]
struct Written {
    path: PathBuf,
    file: OperatorFile,
}

impl Decided {
    /// Reads the files.
    ///
    /// # Errors
    /// A file that is there and can't be followed.
    pub(super) fn by(operators: &Operators) -> Result<Self, OperatorError> {
        let project = written(&operators.project)?;
        Ok(Self { project, ..Self::above(operators)? })
    }

    /// Reads the files above a project's, which are all that it says anything of.
    fn above(operators: &Operators) -> Result<Self, OperatorError> {
        let decided = Self {
            project: Written { path: operators.project.clone(), file: OperatorFile::default() },
            above: operators.above.iter().map(|path| written(path)).collect::<Result<_, _>>()?,
            development: operators.development,
        };
        for Written { path, file } in &decided.above {
            if let Some(granted) = file.granted().next() {
                return Err(OperatorError::GrantsAbove { path: path.clone(), provider: granted.to_owned() });
            }
        }
        Ok(decided)
    }

    /// Whether components are run from where they are developed.
    pub(in crate::plugin) fn is_for_development(&self) -> bool {
        self.development
    }

    /// Whether some providers have limits of their own.
    pub(in crate::plugin) fn tells_providers_apart(&self) -> bool {
        std::iter::once(&self.project).chain(&self.above).any(|written| written.file.tells_providers_apart())
    }

    /// The limits of a provider.
    pub(in crate::plugin) fn limits(&self, provider: &str) -> Limits {
        let mut limits = Limits::default();
        limits.set(&self.project.file.limits(provider));
        self.above
            .iter()
            .for_each(|above| limits.narrow(&above.file.limits(provider), &above.path.display().to_string()));
        limits
    }

    /// What a component may do that asks for this. Only the project's file grants.
    pub(in crate::plugin) fn permissions(&self, applicant: Applicant, requests: &Requests) -> Permissions {
        let provider = applicant.provider.as_str();
        let files = std::iter::once(&self.project).chain(&self.above);
        let above = files
            .flat_map(|written| written.file.ceilings(provider).map(|(table, ceiling)| written.allows(table, ceiling)));
        let (above, grants) = (above.collect(), self.project.file.grants(provider));
        let records = self.named().into_iter().map(|(file, _)| file);
        let directory = self.project.directory();
        let writable = self.project.file.writable().map(|place| directory.join(place));
        let otherwise = self.project.file.named_otherwise(provider, &applicant.digest);
        let permissions = Permissions::new(applicant, requests.clone(), grants, above, directory);
        permissions.named(otherwise).recorded_in(records).beside(writable)
    }

    /// Where it is written down what components do: each file that an operator names, and the one of the process's environment.
    ///
    /// # Errors
    /// A project that has records written outside of itself, or to a file that holds something else.
    pub(in crate::plugin) fn audit(&self) -> Result<Vec<AuditFile>, OperatorError> {
        // Anybody who may change the project can change its file.
        let own = self.project.file.audit();
        if let Some(file) = own.file_from(self.project.directory()) {
            let path = self.project.path.clone();
            if !(own.file.as_deref().is_some_and(is_below) && lies_in(&file, self.project.directory())) {
                return Err(OperatorError::RecordsElsewhere { path, file });
            }
            if holds_something_else(&file) {
                return Err(OperatorError::RecordsAmongOthers { path, file });
            }
        }
        Ok(self.records().into_iter().map(|(path, required)| AuditFile::new(&path, required)).collect())
    }

    /// The files for records, each once, and whether it is required.
    fn records(&self) -> Vec<(PathBuf, bool)> {
        let mut files: Vec<(PathBuf, PathBuf, bool)> = Vec::new();
        for (named, required) in self.named() {
            let place = real_path(&named);
            match files.iter_mut().find(|(known, ..)| *known == place) {
                Some((.., already)) => *already |= required,
                None => files.push((place, named, required)),
            }
        }
        files.into_iter().map(|(_, named, required)| (named, required)).collect()
    }

    /// The files for records, by each name that somebody has for one.
    fn named(&self) -> Vec<(PathBuf, bool)> {
        let environment = std::env::var_os(AUDIT).filter(|value| !value.is_empty());
        let environment = environment.map(|path| (PathBuf::from(path), false));
        let files = std::iter::once(&self.project).chain(&self.above).filter_map(|written| {
            let audit = written.file.audit();
            Some((audit.file_from(written.directory())?, audit.required))
        });
        environment.into_iter().chain(files).collect()
    }
}

/// Whether a path leads down a directory, and not to what a version control runs and reads there.
fn is_below(path: &Path) -> bool {
    path.components().all(|part| match part {
        Component::Normal(name) => !name.eq_ignore_ascii_case(".git"),
        part => part == Component::CurDir,
    })
}

/// Whether a file lies in a directory, whatever links are in its place or on the way: those come with a project, too.
fn lies_in(file: &Path, directory: &Path) -> bool {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let there = file.ancestors().find(|entry| entry.symlink_metadata().is_ok());
    // A link that leads nowhere leads to a file that would be made there.
    let real = there.and_then(|entry| entry.canonicalize().ok());
    let within = |(real, directory): (PathBuf, PathBuf)| real.strip_prefix(directory).is_ok_and(is_below);
    real.zip(directory.canonicalize().ok()).is_some_and(within)
}

/// Whether a file is there and begins as none for records does: the project's own, or a component, would be damaged by lines at its end.
/// What can't be read, as a pipe, is left to whoever writes there.
fn holds_something_else(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = regular::open(file).and_then(|file| file.take(BLANK_AT_MOST).read_to_end(&mut start));
    // A blank line is what a full disk may leave of the first one, or some letters of it.
    let mut lines = start.split(|byte| *byte == b'\n');
    read.is_ok() && lines.any(|line| line.iter().zip(audit::BEGINNING).any(|(found, record)| found != record))
}

fn written(path: &Path) -> Result<Written, OperatorError> {
    read(path).map(|file| Written { path: path.to_owned(), file: file.unwrap_or_default() })
}

impl Written {
    fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// What the file allows at most, its directories as they really lie.
    fn allows(&self, table: String, ceiling: &Ceiling) -> Above {
        let mut ceiling = ceiling.clone();
        for allowed in ceiling.filesystem.iter_mut().flatten() {
            let at = self.directory().join(allowed.at.as_ref().unwrap_or(&allowed.path));
            let real = at.canonicalize().unwrap_or(at);
            allowed.at = Some(real.to_string_lossy().into_owned());
        }
        Above { file: self.path.display().to_string(), table, ceiling }
    }
}

/// What a component may do that asks for this in the project of a directory.
///
/// # Errors
/// A file that is there and can't be followed.
pub fn permissions(directory: &Path, applicant: Applicant, requests: &Requests) -> Result<Permissions, OperatorError> {
    Ok(Operators::of(directory).read()?.permissions(applicant, requests))
}

/// The limits of a provider in the project of a directory.
///
/// # Errors
/// A file that is there and can't be followed.
pub fn limits(directory: &Path, provider: &str) -> Result<Limits, OperatorError> {
    Ok(Operators::of(directory).read()?.limits(provider))
}

/// What it might do, and within which limits, if the project's file were another one.
///
/// # Errors
/// A file above that is there and can't be followed.
pub fn permissions_with(
    directory: &Path,
    file: OperatorFile,
    applicant: Applicant,
    requests: &Requests,
) -> Result<(Permissions, Limits), OperatorError> {
    let operators = Operators::of(directory);
    let above = Decided::above(&operators)?;
    let decided = Decided { project: Written { path: operators.project, file }, ..above };
    let limits = decided.limits(&applicant.provider);
    Ok((decided.permissions(applicant, requests), limits))
}

/// What became of each request, by the directories of this machine, of which some are withheld though they are granted, and by the limits
/// of the provider.
pub fn review(permissions: &Permissions, withheld: &[Denial], limits: &Limits) -> Vec<Reviewed> {
    let project = permissions.file();
    let real = |at: &Path| {
        let real = at.canonicalize()?;
        if real.is_dir() { Ok(real) } else { Err(io::ErrorKind::NotADirectory.into()) }
    };
    permissions.review(&real, withheld, &|asked| limits.given(asked, &project))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn decided(project: &Path, above: &[&Path]) -> Result<Decided, OperatorError> {
        let above = above.iter().map(|path| path.to_path_buf()).collect();
        Operators { project: project.to_owned(), above, development: false }.read()
    }

    #[test]
    fn a_project_sets_limits_and_others_narrow_them() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str, memory: &str| {
            let path = directory.path().join(name);
            fs::write(&path, format!("[limits]\nmemory = \"{memory}\"\nsockets = 3\n")).unwrap();
            path
        };
        let (low, high) = (file("low.toml", "1MiB"), file("high.toml", "2GiB"));
        let missing = directory.path().join("none.toml");
        let limits = |project: &Path, above: &[&Path]| decided(project, above).unwrap().limits("x");
        assert_eq!(limits(&missing, &[&missing]).memory, 1 << 30, "the default");
        assert_eq!(limits(&high, &[&missing]).memory, 2 << 30, "a project may set more");
        assert_eq!(limits(&missing, &[&high]).memory, 1 << 30, "others may not");
        assert_eq!(limits(&high, &[&low]).memory, 1 << 20);
        assert_eq!(limits(&low, &[&high, &low]).memory, 1 << 20);
        assert_eq!(limits(&missing, &[&low]).outgoing.sockets, 3);
    }

    #[test]
    fn nothing_that_is_written_meanwhile_counts() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bulkhead.toml");
        fs::write(&path, "[limits]\nsockets = 1\n[audit]\nfile = \"a.jsonl\"\n").unwrap();
        let decided = decided(&path, &[]).unwrap();
        fs::write(&path, "[limits]\nsockets = 1000\n[audit]\nfile = \"../b.jsonl\"\n").unwrap();
        assert_eq!(decided.limits("x").outgoing.sockets, 1);
        assert_eq!(decided.audit().map(|files| files.len()).map_err(|error| error.to_string()), Ok(1));
        fs::remove_file(&path).unwrap();
        assert_eq!(decided.limits("x").outgoing.sockets, 1);
    }

    #[test]
    fn only_a_project_grants() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bulkhead.toml");
        fs::write(&path, "[[providers.x.grants]]\ndigest = \"dev\"\nenvironment = [\"A\"]\n").unwrap();
        let missing = directory.path().join("none.toml");
        assert!(decided(&path, &[&missing]).is_ok());
        let error = decided(&missing, &[&path]).unwrap_err().to_string();
        assert!(error.contains("it grants the provider `x` something, which only a project's file can"), "{error}");
    }

    #[test]
    fn a_grant_under_another_providers_name_is_pointed_out() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bulkhead.toml");
        let digest = "2".repeat(64);
        fs::write(&path, format!("[[providers.z.grants]]\ndigest = \"sha256:{digest}\"\nenvironment = [\"A\"]\n"))
            .unwrap();
        let requests: Requests = serde_json::from_str(r#"{"environment":[{"name":"A","reason":"r"}]}"#).unwrap();
        let why = |provider: &str, digest: &str| {
            let applicant =
                Applicant { provider: provider.to_owned(), digest: digest.to_owned(), ..Applicant::default() };
            let denied = decided(&path, &[]).unwrap().permissions(applicant, &requests).variable("A");
            denied.err().map(|denial| denial.why.to_string())
        };
        let named = "nothing grants it, since bulkhead.toml has what it grants to this digest under the name `z`";
        assert_eq!(why("x", &digest).as_deref(), Some(named));
        assert_eq!(why("x", &"3".repeat(64)).as_deref(), Some("nothing grants it"));
        assert_eq!(why("z", &digest), None);
    }

    #[test]
    fn what_any_component_may_write_is_known_to_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bulkhead.toml");
        let grant = |name: &str, filesystem: &str| {
            format!("[[providers.{name}.grants]]\ndigest = \"dev\"\nfilesystem = [{filesystem}]\n")
        };
        let written = r#""in", { path = "out", access = "write" }"#;
        let elsewhere = r#"{ path = "out", at = "/srv/x", access = "write" }"#;
        fs::write(&path, grant("x", written) + &grant("y", elsewhere)).unwrap();
        let missing = directory.path().join("none.toml");
        let applicant = Applicant { provider: "z".to_owned(), ..Applicant::default() };
        let permissions = decided(&path, &[&missing]).unwrap().permissions(applicant, &Requests::default());
        assert_eq!(permissions.writable(), [directory.path().join("out"), PathBuf::from("/srv/x")]);
        assert_eq!(permissions.bind(&|_| bulkhead_policy::Configured::Absent).writable().len(), 2);
    }

    #[test]
    fn a_project_has_records_added_to_no_file_that_holds_something_else() {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path().join("bulkhead.toml");
        let missing = directory.path().join("none.toml");
        let audit = |file: &str, above: bool| {
            fs::write(&project, format!("[audit]\nfile = \"{file}\"")).unwrap();
            let decided = if above { decided(&missing, &[&project]) } else { decided(&project, &[]) };
            decided.unwrap().audit().map(|files| files.len()).map_err(|error| error.to_string())
        };
        for (file, holds) in [
            ("Pulumi.yaml", &b"name: x\n"[..]),
            ("Pulumi.json", b"{\"name\":\"x\"}"),
            ("x.wasm", b"\0asm\x0d\0\x01\0"),
            ("a", b"\nname: x\n"),
            ("b", b"{\"tim "),
        ] {
            fs::write(directory.path().join(file), holds).unwrap();
            let error = audit(file, false).unwrap_err();
            assert!(error.ends_with(&format!("{file}, which is there and holds something else")), "{error}");
            assert_eq!(fs::read(directory.path().join(file)).unwrap(), holds);
        }
        assert!(audit("bulkhead.toml", false).unwrap_err().ends_with("which is there and holds something else"));
        let record = b"\n{\"time\":\"2026-11-21T22:10:11.122911Z\",\"event\":\"rpc\"}\n";
        let torn = [&b"{\"ti"[..], record].concat();
        for holds in [b"", &b"{\"ti"[..], &record[1..], record, b"\n", b"\n\n{\"ti", &torn] {
            fs::write(directory.path().join("audit.jsonl"), holds).unwrap();
            assert_eq!(audit("audit.jsonl", false), Ok(1));
        }
        assert_eq!(audit("Pulumi.yaml", true), Ok(1), "whoever operates the machine may say so");
    }

    #[test]
    fn a_project_has_records_written_within_itself_only() {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path().join("project").join("bulkhead.toml");
        fs::create_dir(directory.path().join("project")).unwrap();
        let missing = directory.path().join("none.toml");
        let audit = |file: &str, above: bool| {
            fs::write(&project, format!("[audit]\nfile = \"{file}\"")).unwrap();
            let decided = if above { decided(&missing, &[&project]) } else { decided(&project, &[]) };
            decided.unwrap().audit().map(|files| files.len()).map_err(|error| error.to_string())
        };
        assert_eq!(audit("audit.jsonl", false), Ok(1));
        assert_eq!(audit("new/audit.jsonl", false), Ok(1));
        assert_eq!(audit("./audit.jsonl", false), Ok(1));
        let elsewhere = directory.path().join("elsewhere.jsonl").display().to_string();
        for file in ["../audit.jsonl", &elsewhere, ".git/hooks/pre-commit", "./.GIT/config"] {
            let error = audit(file, false).unwrap_err();
            assert!(error.contains("which lies outside of the project"), "{error}");
            assert_eq!(audit(file, true), Ok(1));
        }
        #[cfg(unix)]
        for (link, to, within) in [
            ("profile", "../profile", false),
            ("nowhere", "../gone", false),
            ("up", "..", false),
            ("records", "kept.jsonl", true),
            ("hook", ".git/hooks/pre-commit", false),
            ("up", ".git/hooks", false),
        ] {
            fs::write(directory.path().join("profile"), "").unwrap();
            fs::write(directory.path().join("project/kept.jsonl"), "").unwrap();
            fs::create_dir_all(directory.path().join("project/.git/hooks")).unwrap();
            fs::write(directory.path().join("project/.git/hooks/pre-commit"), "").unwrap();
            let _ = fs::remove_file(directory.path().join("project").join(link));
            std::os::unix::fs::symlink(to, directory.path().join("project").join(link)).unwrap();
            let file = if link == "up" { "up/audit.jsonl" } else { link };
            let outside = ["gone", "audit.jsonl"].map(|name| directory.path().join(name));
            outside.iter().for_each(|made| drop(fs::remove_file(made)));
            assert_eq!(audit(file, false).is_ok(), within, "{link}");
            assert!(!outside.iter().any(|made| made.exists()), "{link}");
            assert_eq!(audit(file, true), Ok(1), "{link}: whoever operates the machine may say so");
        }
    }
}
