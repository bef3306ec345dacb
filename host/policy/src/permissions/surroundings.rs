//! What is around a component: variables and directories.

use std::path::Path;

use super::{Above, Permissions, Terms, UNREQUESTED, unallowed};
use crate::denial::{Capability, Denial, Remedy, Why};
use crate::directory::Directory;
use crate::environment::Ungrantable;
use crate::grant::{FilesystemGrant, quoted};
use crate::request::Access;

impl Permissions {
    /// Whether an environment variable may be read.
    ///
    /// # Errors
    /// The denial.
    pub fn variable(&self, name: &str) -> Result<(), Denial> {
        let denied =
            |why, remedy| Denial { capability: Capability::Environment, subject: name.to_owned(), why, remedy };
        let Terms { requests, grants, above, .. } = self.terms.as_ref();
        match Ungrantable::of(name) {
            Some(Ungrantable::Engines) => return Err(denied(Why::Never("the engine's own variables"), None)),
            Some(Ungrantable::NoName) => return Err(denied(Why::Never("what is no name of a variable"), None)),
            None => {}
        }
        if !requests.environment.iter().any(|request| request.name == name) {
            return Err(denied(Why::NotRequested, Some(UNREQUESTED.into())));
        }
        let among = |names: &[String]| names.iter().any(|granted| granted == name);
        if !grants.iter().any(|grant| among(&grant.environment)) {
            return Err(denied(self.ungranted(), Some(self.remedy("environment", &quoted(name), false))));
        }
        let above = above.iter().filter(|above| above.ceiling.environment.as_ref().is_some_and(|names| !among(names)));
        let unallowed = unallowed(above.map(|above| (above, quoted(name))), Capability::Environment);
        unallowed.map_or(Ok(()), |(why, remedy)| Err(denied(why, Some(remedy))))
    }

    /// The environment variables that are asked for.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.terms.requests.environment.iter().map(|request| request.name.as_str())
    }

    /// The directories that are asked for: where each lies, or why it may not be used.
    pub fn directories(&self) -> impl Iterator<Item = (&str, Result<Directory, Denial>)> {
        let Terms { requests, project, .. } = self.terms.as_ref();
        requests.filesystem.iter().map(move |request| {
            let directory = self.granted_directory(&request.path).map(|granted| Directory {
                at: project.join(granted.at.as_deref().unwrap_or(&granted.path)),
                access: granted.access.min(request.access),
            });
            let line = FilesystemGrant { path: request.path.clone(), at: None, access: request.access };
            let denial = || Denial {
                capability: Capability::Filesystem,
                subject: format!("{} ({})", request.path, request.access),
                why: self.ungranted(),
                remedy: Some(self.remedy("filesystem", &line.to_string(), false)),
            };
            (request.path.as_str(), directory.ok_or_else(denial))
        })
    }

    /// The grant of a directory: the last of those that give the most.
    fn granted_directory(&self, path: &str) -> Option<&FilesystemGrant> {
        let meant = self.grants().flat_map(|grant| &grant.filesystem).filter(|granted| granted.is_of(path));
        meant.max_by_key(|granted| granted.access)
    }

    /// What would have a directory written to that is granted for reading.
    pub fn widening(&self, path: &str) -> Remedy {
        if !self.requests().filesystem.iter().any(|request| request.path == path && request.access == Access::Write) {
            return UNREQUESTED.into();
        }
        // Where it lies stays the operator's word.
        let at = self.granted_directory(path).and_then(|granted| granted.at.clone());
        let line = FilesystemGrant { path: path.to_owned(), at, access: Access::Write };
        self.remedy("filesystem", &line.to_string(), true)
    }

    /// Whether everybody above allows a directory, by where it really lies.
    ///
    /// # Errors
    /// The denial.
    pub fn allow_directory(&self, directory: &Directory, real: &Path) -> Result<(), Denial> {
        let holds = |allowed: &FilesystemGrant| {
            real.starts_with(allowed.at.as_ref().unwrap_or(&allowed.path)) && allowed.access >= directory.access
        };
        let narrows = |above: &&Above| above.ceiling.filesystem.as_ref().is_some_and(|all| !all.iter().any(holds));
        let path = real.to_string_lossy().into_owned();
        let line = FilesystemGrant { path, at: None, access: directory.access }.to_string();
        let above = self.terms.above.iter().filter(narrows).map(|above| (above, line.clone()));
        let Some((why, remedy)) = unallowed(above, Capability::Filesystem) else { return Ok(()) };
        let subject = directory.called(&real.display());
        Err(Denial { capability: Capability::Filesystem, subject, why, remedy: Some(remedy) })
    }

    /// What would have another directory stand for one that can't be given as it lies: a new one. Of a directory that is used already
    /// the component would read what it writes, or have nothing of both.
    pub fn elsewhere(&self, path: &str) -> Remedy {
        let access = self.granted_directory(path).map(|granted| granted.access).unwrap_or_default();
        let line = FilesystemGrant { path: path.to_owned(), at: Some(self.unused(path)), access };
        format!("make a directory to stand for it, and add {}", self.terms.entry("filesystem", &line.to_string()))
            .into()
    }

    /// Where a new directory may lie in the project: each that is asked for has a place of its own.
    fn unused(&self, path: &str) -> String {
        let Terms { applicant, requests, .. } = self.terms.as_ref();
        let last = |path: &str| {
            let name = Path::new(path).file_name();
            name.map_or_else(|| "files".to_owned(), |name| name.to_string_lossy().into_owned())
        };
        let name = last(path);
        let before = requests.filesystem.iter().take_while(|request| request.path != path);
        let alike = before.filter(|request| last(&request.path) == name).count();
        let name = format!("./{name}-for-{}", applicant.provider);
        if alike == 0 { name } else { format!("{name}-{}", alike.saturating_add(1)) }
    }
}
