//! From a file to something that calls can be made into: machine code, linked imports, bound exports.
//!
//! All of it happens before a front end announces itself: an engine waits without limit for the port, but only seconds for
//! the first answer.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bulkhead_policy::{Denial, Permissions};
use bulkhead_schema::Package;
use wasmtime::component::InstancePre;

use super::agreement::{self, Disagreement};
use super::artefact::Artefact;
use super::cache::{Cache, Code};
use super::compile::compile;
use super::engine::Runtime;
use super::exports::{self, Bound};
use super::guest::ComponentGuest;
use super::load_error::LoadError;
use super::shape;
use super::workers::Lines;
use crate::imports;
use crate::outgoing::Resolver;
use crate::provider::{Component, Exports, Guest, Log};
use crate::store::{FileTurns, Limits, State, Surroundings, Variables};

/// A loaded component.
pub struct Loaded {
    pub(super) runtime: Runtime,
    pub(super) pre: InstancePre<State>,
    pub(super) bound: Arc<Bound>,
    /// What the host keeps for each instance, whatever that does: for all that it is put together from, bytes.
    pub(super) parts: usize,
    pub(super) limits: Arc<Limits>,
    /// What it may do, before it is configured.
    pub(super) permissions: Arc<Permissions>,
    pub(super) surroundings: Arc<Surroundings>,
    /// What answers for names, if it isn't this machine.
    pub(super) resolver: Option<Arc<dyn Resolver>>,
    pub(super) cache: Cache,
    pub(super) artefact: Arc<Artefact>,
    /// Where its calls wait for their turns.
    pub(super) lines: Lines,
    /// And where, for what they do with files.
    pub(super) file_turns: FileTurns,
}

impl Loaded {
    /// Loads a component from a file.
    ///
    /// # Errors
    /// A file that can't be read, isn't a component, or doesn't fit this host.
    pub fn from_file(runtime: &Runtime, cache: &Cache, limits: Limits, path: &Path) -> Result<Arc<Self>, LoadError> {
        Self::new(runtime, cache, limits, Arc::new(Artefact::open(cache, path)?))
    }

    /// Loads a component from memory.
    ///
    /// # Errors
    /// Bytes that aren't a component, or don't fit this host.
    pub fn from_bytes(runtime: &Runtime, cache: &Cache, limits: Limits, bytes: &[u8]) -> Result<Arc<Self>, LoadError> {
        Self::new(runtime, cache, limits, Arc::new(Artefact::of(bytes.to_vec())?))
    }

    /// Loads a component.
    ///
    /// # Errors
    /// A component that doesn't fit this host.
    pub fn new(
        runtime: &Runtime,
        cache: &Cache,
        limits: Limits,
        artefact: Arc<Artefact>,
    ) -> Result<Arc<Self>, LoadError> {
        let engine = runtime.engine();
        artefact.fits(&limits)?;
        let compile = || compile(engine, cache.compiler(), &artefact, &limits);
        let Code { component, items } = cache.component(engine, artefact.digest(), compile)?;
        exports::refuse_other_versions(&component)?;
        let linker = imports::linker(engine).map_err(|error| LoadError::Link(format!("{error:#}")))?;
        let pre = linker.instantiate_pre(&component).map_err(|error| LoadError::Link(format!("{error:#}")))?;
        let bound = Bound::new(pre.component())?;
        Ok(Arc::new(Self {
            runtime: runtime.clone(),
            pre,
            bound: Arc::new(bound),
            parts: shape::memory(items),
            limits: Arc::new(limits),
            permissions: Arc::default(),
            surroundings: Arc::default(),
            resolver: None,
            cache: cache.clone(),
            artefact,
            lines: Lines::default(),
            file_turns: FileTurns::default(),
        }))
    }

    /// The same component under other limits, with these permissions. Without this it has none.
    #[must_use]
    pub fn under(&self, limits: Limits, permissions: Permissions) -> Arc<Self> {
        self.started(limits, permissions, &Variables::Own)
    }

    /// Holds its size to what an operator allows.
    ///
    /// # Errors
    /// More than that.
    pub(crate) fn fits(&self, limits: &Limits) -> Result<(), LoadError> {
        self.artefact.fits(limits)
    }

    /// The same, in the environment that a plugin was started with.
    pub(crate) fn started(&self, limits: Limits, permissions: Permissions, variables: &Variables) -> Arc<Self> {
        Arc::new(Self {
            runtime: self.runtime.clone(),
            pre: self.pre.clone(),
            bound: Arc::clone(&self.bound),
            parts: self.parts,
            limits: Arc::new(limits),
            surroundings: Arc::new(Surroundings::of(&permissions, variables, self.cache.directory())),
            permissions: Arc::new(permissions),
            resolver: self.resolver.clone(),
            cache: self.cache.clone(),
            artefact: Arc::clone(&self.artefact),
            lines: Lines::default(),
            file_turns: FileTurns::default(),
        })
    }

    /// The same component, for which something else than this machine answers for names.
    #[must_use]
    pub fn resolving(&self, resolver: Arc<dyn Resolver>) -> Arc<Self> {
        Arc::new(Self {
            runtime: self.runtime.clone(),
            pre: self.pre.clone(),
            bound: Arc::clone(&self.bound),
            parts: self.parts,
            limits: Arc::clone(&self.limits),
            surroundings: Arc::clone(&self.surroundings),
            permissions: Arc::clone(&self.permissions),
            resolver: Some(resolver),
            cache: self.cache.clone(),
            artefact: Arc::clone(&self.artefact),
            lines: self.lines.clone(),
            file_turns: self.file_turns.clone(),
        })
    }

    /// The component's digest.
    pub fn digest(&self) -> &str {
        self.artefact.digest()
    }

    /// The names of the interfaces that the component exports.
    pub fn export_names(&self) -> Vec<String> {
        exports::names(self.pre.component())
    }

    /// What the package promises, and the component has no code for.
    pub fn disagreements(&self, package: &Package) -> Vec<Disagreement> {
        agreement::disagreements(package, &self.bound.exports())
    }

    /// The interfaces that the component exports, and the package has nothing for.
    pub fn idle_exports(&self, package: &Package) -> Vec<&'static str> {
        agreement::idle(package, &self.bound.exports())
    }

    /// A method of the provider itself that the component has no code for.
    pub fn unanswered_method<'p>(&self, package: &'p Package) -> Option<&'p String> {
        agreement::unanswered(package, &self.bound.exports())
    }

    /// The directories that are granted with these permissions, and yet given to nobody, because of what lies there or beside them.
    pub fn withheld(&self, permissions: &Permissions) -> Vec<Denial> {
        Surroundings::ungivable(permissions, self.cache.directory())
    }

    /// The names of the interfaces that the component imports: an upper bound of what it uses.
    pub fn import_names(&self) -> Vec<String> {
        let component = self.pre.component();
        let ty = component.component_type();
        let mut names: Vec<String> = ty.imports(component.engine()).map(|(name, _)| name.to_owned()).collect();
        names.sort_unstable();
        names
    }
}

/// A loaded component behind the waist.
pub struct LoadedProvider {
    loaded: Arc<Loaded>,
}

impl LoadedProvider {
    /// The component.
    pub fn new(loaded: Arc<Loaded>) -> Self {
        Self { loaded }
    }
}

impl Component for LoadedProvider {
    fn exports(&self) -> Exports {
        self.loaded.bound.exports()
    }

    fn reading_deadline(&self) -> Duration {
        self.loaded.limits.wall
    }

    fn start(&self, log: Arc<dyn Log>) -> Arc<dyn Guest> {
        Arc::new(ComponentGuest::new(Arc::clone(&self.loaded), log))
    }
}
