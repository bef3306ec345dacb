//! What a component finds around it: environment variables and directories, as far as they are granted.
//!
//! Found once for each loaded component, and the same in every instance. The engine's own secrets lie around a plugin too, in
//! its environment and its home: they are refused here whatever is granted.

mod backend;
mod mounts;
mod protected;
mod variables;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bulkhead_policy::{Access, Capability, Denial, Directory, Permissions, Remedy, Why};
use wasmtime_wasi::{FsPerms, WasiCtxBuilder};

use self::mounts::Mounts;
pub(crate) use self::variables::Variables;
use super::authority::Authority;
use crate::assets::{AssetError, Guarded, Held};

/// Bytes of a way that is gone on from.
const LONGEST: usize = 4 << 10;

/// What is around a component.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    variables: Vec<(String, String)>,
    directories: Vec<Opened>,
    denials: Vec<Denial>,
    /// Variables that a default was to come from, which aren't granted.
    sought: Mutex<BTreeSet<String>>,
    guarded: OnceLock<Arc<Guarded>>,
    /// Whose state may be a directory.
    project: PathBuf,
    /// Where any component of the project may write.
    writable: Vec<PathBuf>,
}

/// The way from a granted directory to one that a guest has open.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    root: String,
    path: String,
}

/// At what of it a guest has looked since its instance began. Languages' libraries ask once and keep the answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Looked {
    /// At the environment.
    pub(crate) environment: bool,
    /// At which directories there are.
    pub(crate) directories: bool,
}

/// A directory that was there once, and can't be opened for another instance.
#[derive(Debug, thiserror::Error)]
#[error("the directory `{name}` can't be opened: {}: {error}", at.display())]
pub(crate) struct Unopened {
    name: String,
    at: PathBuf,
    error: wasmtime::Error,
}

/// What would be given to an instance, had it been written down.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unrecorded(Denial);

/// A directory that instances may use.
#[derive(Clone, Debug)]
struct Opened {
    /// As the component calls it.
    name: String,
    /// Where it really lies.
    real: PathBuf,
    access: Access,
    /// What would have it written to, if it may be read only.
    widening: Option<Remedy>,
}

impl Way {
    /// To a granted directory itself.
    pub(crate) fn new(root: String) -> Self {
        Self { path: root.clone(), root }
    }

    /// One that goes on from there. Of a long one the end is known.
    pub(crate) fn to(&self, path: &str) -> Self {
        let from = if self.path.len() > LONGEST { &self.root } else { &self.path };
        Self { root: self.root.clone(), path: format!("{from}/{path}") }
    }

    /// The name of the granted directory.
    pub(crate) fn root(&self) -> &str {
        &self.root
    }

    /// The whole way, with that name.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }
}

impl Surroundings {
    /// What a component gets of what it asks for. What it doesn't get is told when a call fails.
    /// `compiled` is where compiled code lies.
    pub(crate) fn of(permissions: &Permissions, variables: &Variables, compiled: Option<&Path>) -> Self {
        let (writable, project) = (permissions.writable().to_vec(), permissions.project().to_owned());
        let mut found = Self { writable, project, ..Self::default() };
        for name in permissions.variables() {
            // Whether a variable is there is as much as its value to whoever may not read it.
            let value = variables.value(name);
            match (permissions.variable(name), value) {
                (Ok(()), Some(value)) => found.variables.push((name.to_owned(), value)),
                (Err(denial), Some(_)) => found.denials.push(denial),
                (_, None) => {}
            }
        }
        for (name, directory) in permissions.directories() {
            match directory.and_then(|directory| found.admit(permissions, name, &directory, compiled)) {
                Ok(opened) => found.directories.push(opened),
                Err(denial) => found.denials.push(denial),
            }
        }
        found
    }

    /// What is granted, and yet given to nobody, because of what lies there or beside it. What files above say is told by others, and a
    /// directory that isn't there may be once it is used.
    pub(crate) fn ungivable(permissions: &Permissions, compiled: Option<&Path>) -> Vec<Denial> {
        let mut found = Self::default();
        for (name, directory) in permissions.directories() {
            let Some(directory) = directory.ok().filter(|directory| real(&directory.at).is_ok()) else { continue };
            match found.admit(permissions, name, &directory, compiled) {
                Ok(opened) => found.directories.push(opened),
                Err(Denial { why: Why::Above(_), .. }) => {}
                Err(denial) => found.denials.push(denial),
            }
        }
        found.denials
    }

    /// The directory as it really lies, if nothing speaks against it there.
    fn admit(
        &self,
        permissions: &Permissions,
        name: &str,
        directory: &Directory,
        compiled: Option<&Path>,
    ) -> Result<Opened, Denial> {
        let access = directory.access;
        let denied = |reason: String, remedy: Option<Remedy>| Denial {
            capability: Capability::Filesystem,
            subject: directory.called(&name),
            why: Why::Other(reason),
            remedy,
        };
        // Another component could have it lead to what nobody granted.
        let others = Guarded { writable: lying(permissions.writable()), secret: Vec::new() };
        if let Err(AssetError::OutOfReach(_)) = others.followed(&directory.at) {
            let at = directory.at.display();
            let remedy = "grant the directory that is meant by the path where it really lies".into();
            let reason =
                format!("the way to {at} is a link in a directory that components may write, and leads out of it");
            return Err(denied(reason, Some(remedy)));
        }
        let real = real(&directory.at).map_err(|error| {
            let remedy = "make the directory, or grant another one with `at`".into();
            denied(format!("{} can't be used: {error}", directory.at.display()), Some(remedy))
        })?;
        if let Some(owner) = protected::owner(&Mounts::now(), &real, access, permissions, compiled) {
            let reason = format!("{} holds {owner}, which no grant gives away", real.display());
            return Err(denied(reason, Some(permissions.elsewhere(name))));
        }
        // What may be written may be replaced, by a link to anywhere, before the next instance opens it.
        let nested = self.directories.iter().find(|other| {
            (other.access == Access::Write && real.starts_with(&other.real))
                || (access == Access::Write && other.real.starts_with(&real))
        });
        if let Some(other) = nested {
            let reason = format!("{} overlaps with `{}`, and the outer one may be written", real.display(), other.name);
            return Err(denied(reason, Some("grant directories that lie beside each other".into())));
        }
        permissions.allow_directory(directory, &real)?;
        let widening = (access == Access::Read).then(|| permissions.widening(name));
        Ok(Opened { name: name.to_owned(), real, access, widening })
    }

    /// Puts it around an instance.
    ///
    /// # Errors
    /// A directory has gone, or the process has too many open. An instance without would do other things than one with it.
    pub(crate) fn supply(&self, wasi: &mut WasiCtxBuilder) -> Result<(), Unopened> {
        wasi.envs(&self.variables);
        for Opened { name, real, access, .. } in &self.directories {
            let permissions = match access {
                Access::Read => FsPerms::ReadOnly,
                Access::Write => FsPerms::ReadWrite,
            };
            let unopened = |error| Unopened { name: name.clone(), at: real.clone(), error };
            // Whoever may write above it could have put a link in its place since it was decided on.
            let held = Held::open(real).map_err(|error| unopened(wasmtime::Error::new(error)))?;
            wasi.preopened_dir(&held.place, name, permissions).map_err(unopened)?;
        }
        Ok(())
    }

    /// Where a file that a program names has to be opened with care: the component may have put a link there, and what no link may
    /// lead to.
    /// Found when the first is opened: most components never open one. Not where calls are polled: it takes as long as the slowest mount.
    pub(crate) fn guarded(&self) -> Arc<Guarded> {
        let guarded = || {
            let writable = self.directories.iter().filter(|opened| opened.access == Access::Write);
            let writable = writable.map(|opened| opened.real.clone()).chain(lying(&self.writable)).collect();
            Arc::new(Guarded { writable, secret: protected::secrets(&self.project) })
        };
        Arc::clone(self.guarded.get_or_init(guarded))
    }

    /// Has nobody find that until something is sent, as where a mount doesn't answer. It gives up after a while, so that a test which waits
    /// for it fails.
    #[cfg(test)]
    pub(crate) fn unanswered(self: &Arc<Self>) -> std::sync::mpsc::Sender<()> {
        let ((answer, answers), (begins, begun)) = (std::sync::mpsc::channel(), std::sync::mpsc::channel());
        let surroundings = Arc::clone(self);
        std::thread::spawn(move || {
            surroundings.guarded.get_or_init(|| {
                let _ = begins.send(());
                let _ = answers.recv_timeout(std::time::Duration::from_secs(20));
                Arc::default()
            });
        });
        begun.recv().unwrap();
        answer
    }

    /// How many directories each instance has open from its beginning.
    pub(crate) fn directories(&self) -> usize {
        self.directories.len()
    }

    /// A variable, as far as the component may read it.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        if self.withheld(name).is_some() {
            self.sought.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
        }
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// Why a variable that is there isn't there for the component.
    pub(crate) fn withheld(&self, name: &str) -> Option<&Denial> {
        self.denials.iter().find(|denial| denial.capability == Capability::Environment && denial.subject == name)
    }

    /// What isn't there for a guest which has looked at this, or for the defaults of its schema. What nobody looked for is missed by nobody.
    pub(crate) fn missed(&self, looked: Looked) -> Vec<&Denial> {
        let sought = self.sought.lock().unwrap_or_else(PoisonError::into_inner);
        let missed = |denial: &&Denial| match denial.capability {
            Capability::Environment => looked.environment || sought.contains(&denial.subject),
            _ => looked.directories,
        };
        self.denials.iter().filter(missed).collect()
    }

    /// Whether a component asks for directories, granted or not.
    pub(crate) fn has_directories(&self) -> bool {
        let is_directory = |denial: &Denial| denial.capability == Capability::Filesystem;
        !self.directories.is_empty() || self.denials.iter().any(is_directory)
    }

    /// What would have a directory written to that is granted for reading. None of one that may be written to, or isn't there.
    pub(crate) fn widening(&self, name: &str) -> Option<&Remedy> {
        self.directories.iter().find(|opened| opened.name == name)?.widening.as_ref()
    }

    /// Writes down what an instance gets, before it does, and what it doesn't.
    ///
    /// # Errors
    /// It isn't written, and has to be. An instance without would do other things than one with it.
    pub(crate) fn record(&self, authority: &Authority) -> Result<(), Unrecorded> {
        for (name, _) in &self.variables {
            authority.given(Capability::Environment, name).map_err(Unrecorded)?;
        }
        for Opened { name, access, .. } in &self.directories {
            authority.given(Capability::Filesystem, &format_args!("{name} ({access})")).map_err(Unrecorded)?;
        }
        self.denials.iter().for_each(|denial| authority.refused(denial));
        Ok(())
    }

    /// What it asked for, would be there, and isn't granted.
    #[cfg(test)]
    fn denials(&self) -> &[Denial] {
        &self.denials
    }
}

/// Where those of these directories really lie that are there.
fn lying(places: &[PathBuf]) -> Vec<PathBuf> {
    places.iter().filter_map(|place| real(place).ok()).collect()
}

/// Where a directory really lies.
fn real(at: &Path) -> io::Result<PathBuf> {
    let real = at.canonicalize()?;
    if real.is_dir() { Ok(real) } else { Err(io::ErrorKind::NotADirectory.into()) }
}

#[cfg(test)]
mod tests;
