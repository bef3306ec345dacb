//! From a file to something that calls can be made into: machine code, linked imports, bound exports.
//!
//! All of it happens before a front end announces itself: an engine waits without limit for the port, but only seconds for
//! the first answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bulkhead_schema::Package;
use wasmtime::component::InstancePre;

use super::artefact::Artefact;
use super::cache::Cache;
use super::engine::Runtime;
use super::exports::{self, Bound};
use super::guest::ComponentGuest;
use super::sections::SectionsError;
use crate::imports;
use crate::provider::{Component, Exports, Guest, Log};
use crate::store::{Limits, State};

/// A loaded component.
pub struct Loaded {
    pub(super) runtime: Runtime,
    pub(super) pre: InstancePre<State>,
    pub(super) bound: Arc<Bound>,
    pub(super) limits: Arc<Limits>,
    pub(super) cache: Cache,
    pub(super) artefact: Arc<Artefact>,
}

/// Why a component can't be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file can't be read.
    #[error("can't read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file isn't a component.
    #[error("{error}")]
    NotAComponent {
        /// What it is.
        #[from]
        error: SectionsError,
    },
    /// The compiler refused it.
    #[error("the component can't be compiled: {0}")]
    Compile(String),
    /// It wants something that this host doesn't have.
    #[error("the component needs imports that this host doesn't offer: {0}")]
    Link(String),
    /// It exports nothing of the contract.
    #[error("the component isn't a provider: it exports {}", listed(exports))]
    NotAProvider {
        /// What it exports.
        exports: Vec<String>,
    },
    /// It speaks another version of the contract.
    #[error(
        "the component exports `bulkhead:provider/{interface}` of contract {found}, and this host speaks {supported}"
    )]
    Contract {
        /// The interface.
        interface: String,
        /// Its version.
        found: String,
        /// The host's version.
        supported: &'static str,
    },
    /// An interface lacks a function.
    #[error("the component's export `{interface}` isn't what the contract says: {reason}")]
    Export {
        /// The interface.
        interface: &'static str,
        /// What is wrong.
        reason: String,
    },
}

impl LoadError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "name an existing .wasm file that you may read",
            Self::NotAComponent { error: SectionsError::CoreModule } => {
                "build for the target wasm32-wasip2: `bulkhead build` does"
            }
            Self::NotAComponent { .. } => "the file may be incomplete; build or download it again",
            Self::Compile(_) => "the file may be damaged, or use proposals that this host doesn't know; build it again",
            Self::Link(_) => "build the provider with an SDK for this host's version",
            Self::NotAProvider { .. } => {
                "a provider exports `bulkhead:provider/schema` at least; use the SDK's `provider!`"
            }
            Self::Contract { .. } | Self::Export { .. } => "build the provider with an SDK for this host's version",
        }
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
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
        let component = cache.component(runtime.engine(), &artefact)?;
        exports::refuse_other_versions(&component)?;
        let linker = imports::linker(runtime.engine()).map_err(|error| LoadError::Link(format!("{error:#}")))?;
        let pre = linker.instantiate_pre(&component).map_err(|error| LoadError::Link(format!("{error:#}")))?;
        let bound = Bound::new(&pre)?;
        Ok(Arc::new(Self {
            runtime: runtime.clone(),
            pre,
            bound: Arc::new(bound),
            limits: Arc::new(limits),
            cache: cache.clone(),
            artefact,
        }))
    }

    /// The component's digest.
    pub fn digest(&self) -> &str {
        self.artefact.digest()
    }

    /// The names of the interfaces that the component exports.
    pub fn export_names(&self) -> Vec<String> {
        exports::names(self.pre.component())
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
    package: Arc<Package>,
}

impl LoadedProvider {
    /// The component, and the package that it describes.
    pub fn new(loaded: Arc<Loaded>, package: Arc<Package>) -> Self {
        Self { loaded, package }
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
        Arc::new(ComponentGuest::new(Arc::clone(&self.loaded), Arc::clone(&self.package), log))
    }
}
