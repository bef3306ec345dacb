//! From bytes to something that calls can be made into: digest, machine code, linked imports, bound exports.
//!
//! All of it happens before a front end announces itself: an engine waits without limit for the port, but only seconds for
//! the first answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bulkhead_schema::Package;
use sha2::{Digest, Sha256};
use wasmtime::component::{Component as WasmComponent, InstancePre};

use super::cache::Cache;
use super::engine::Runtime;
use super::exports::{self, Bound};
use super::guest::ComponentGuest;
use super::sections::{Sections, SectionsError};
use crate::imports;
use crate::provider::{Component, Exports, Guest, Log};
use crate::store::{Limits, State};

/// A loaded component.
pub struct Loaded {
    pub(super) runtime: Runtime,
    pub(super) pre: InstancePre<State>,
    pub(super) bound: Arc<Bound>,
    pub(super) limits: Arc<Limits>,
    pub(super) sections: Sections,
    pub(super) cache: Cache,
    digest: String,
    imports: Vec<String>,
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

/// The lower-case hexadecimal SHA-256 by which components are known.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Loaded {
    /// Loads a component from a file.
    ///
    /// # Errors
    /// A file that can't be read, isn't a component, or doesn't fit this host.
    pub fn from_file(runtime: &Runtime, cache: &Cache, limits: Limits, path: &Path) -> Result<Arc<Self>, LoadError> {
        let bytes = std::fs::read(path).map_err(|error| LoadError::Unreadable { path: path.to_owned(), error })?;
        Self::from_bytes(runtime, cache, limits, &bytes)
    }

    /// Loads a component.
    ///
    /// # Errors
    /// Bytes that aren't a component, or don't fit this host.
    pub fn from_bytes(runtime: &Runtime, cache: &Cache, limits: Limits, bytes: &[u8]) -> Result<Arc<Self>, LoadError> {
        let sections = Sections::read(bytes)?;
        let digest = digest(bytes);
        let component = cache
            .component(runtime.engine(), &digest, bytes)
            .map_err(|error| LoadError::Compile(error.root_cause().to_string()))?;
        exports::refuse_other_versions(&component)?;
        let linker = imports::linker(runtime.engine()).map_err(|error| LoadError::Link(format!("{error:#}")))?;
        let pre = linker.instantiate_pre(&component).map_err(|error| LoadError::Link(format!("{error:#}")))?;
        let bound = Bound::new(&pre)?;
        Ok(Arc::new(Self {
            runtime: runtime.clone(),
            imports: imported(&component),
            pre,
            bound: Arc::new(bound),
            limits: Arc::new(limits),
            sections,
            cache: cache.clone(),
            digest,
        }))
    }

    /// The component's digest.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The names of the interfaces that the component exports.
    pub fn export_names(&self) -> Vec<String> {
        exports::names(self.pre.component())
    }

    /// The names of the interfaces that the component imports: an upper bound of what it uses.
    pub fn import_names(&self) -> &[String] {
        &self.imports
    }
}

fn imported(component: &WasmComponent) -> Vec<String> {
    let ty = component.component_type();
    let mut names: Vec<String> = ty.imports(component.engine()).map(|(name, _)| name.to_owned()).collect();
    names.sort_unstable();
    names
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

    fn start(&self, log: Arc<dyn Log>) -> Arc<dyn Guest> {
        Arc::new(ComponentGuest::new(Arc::clone(&self.loaded), Arc::clone(&self.package), log))
    }
}
