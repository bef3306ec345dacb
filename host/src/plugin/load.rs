//! From a component's file to what can be served of it.
//!
//! All launch modes load alike: under the limits of the operators whose project it is, the schema read while the machine code is
//! mapped, and what one process has loaded once isn't loaded again until the file changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bulkhead_policy::Applicant;

use super::error::PluginError;
use super::operator::{Decided, Operators, absolute};
use crate::audit::Auditor;
use crate::component::{
    Artefact, Cache, Description, LoadError, Loaded, LoadedProvider, Runtime, Variables, published,
};
use crate::provider::Message;
use crate::rpc::{EngineLink, Largest, Offer};
use crate::telemetry;

/// Loads components, with one WebAssembly engine for all.
pub(super) struct Loader {
    cache: Cache,
    runtime: OnceLock<Runtime>,
    loaded: Mutex<BTreeMap<PathBuf, Arc<Known>>>,
}

/// A component as it was when it was last loaded.
struct Known {
    loaded: Arc<Loaded>,
    description: Description,
}

/// What can be served.
pub(super) struct Ready {
    /// The provider.
    pub(super) offer: Arc<Offer>,
    /// Where it is written down what it does.
    pub(super) auditor: Auditor,
    /// The component's digest.
    pub(super) digest: String,
    /// The largest request.
    pub(super) largest_message: Largest,
    /// What everybody who uses it should know.
    pub(super) warning: Option<String>,
}

impl Ready {
    /// Tells an engine's users what they should know.
    pub(super) fn warn(&self, link: &dyn EngineLink) {
        if let Some(text) = &self.warning {
            link.log().log(Message::warning(text.clone()));
        }
    }
}

impl Loader {
    /// Nothing is started before the first component is loaded.
    pub(super) fn new(cache: &Cache) -> Self {
        Self { cache: cache.clone(), runtime: OnceLock::new(), loaded: Mutex::default() }
    }

    /// Loads a component for a project. `named` is the provider that it has to be, where that is known, and `variables` the environment
    /// that it is started in.
    ///
    /// # Errors
    /// Whatever keeps it from being served.
    pub(super) async fn load(
        &self,
        path: &Path,
        named: Option<&str>,
        operators: &Operators,
        variables: &Variables,
    ) -> Result<Ready, PluginError> {
        let decided = operators.read()?;
        let known = self.known(path, named, &decided).await?;
        let package = &known.description.package;
        if let Some(name) = named.filter(|name| *name != package.name) {
            let (name, found) = (name.to_owned(), package.name.clone());
            return Err(PluginError::OtherPackage { name, path: path.to_owned(), found });
        }
        let limits = decided.limits(&package.name);
        // It may have been loaded for another project, or have had to be asked for its name.
        known.loaded.fits(&limits).map_err(|error| unloadable(path, error))?;
        let largest_message = Largest { bytes: limits.message_bytes, place: limits.deciding.place("message") };
        let applicant = Applicant {
            provider: package.name.clone(),
            digest: known.loaded.digest().to_owned(),
            component: absolute(path),
            development: decided.is_for_development(),
        };
        let permissions = decided.permissions(applicant, &known.description.manifest.permissions);
        let warning = permissions.is_for_development().then(|| {
            format!(
                "`{}` ({}) has permissions that bulkhead.toml grants to digest = \"dev\": to whatever lies there",
                package.name,
                path.display()
            )
        });
        let schema = published(Arc::clone(&known.description.schema), package, &permissions);
        let loaded = known.loaded.started(limits, permissions, variables);
        let offer = Offer { schema, package: Arc::clone(package), component: Arc::new(LoadedProvider::new(loaded)) };
        let digest = known.loaded.digest().to_owned();
        let auditor = Auditor::new(decided.audit()?, telemetry::of_environment(), &package.name, &digest);
        Ok(Ready { offer: Arc::new(offer), auditor, digest, largest_message, warning })
    }

    /// Loads a component on a thread of its own: compiling one keeps nobody waiting who talks to another.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub(super) async fn load_aside(
        self: &Arc<Self>,
        path: PathBuf,
        named: Option<String>,
        operators: Operators,
        variables: Variables,
    ) -> Result<Ready, PluginError> {
        // A thread there gives way, and so would all that it starts: among them the clock, which has to come before everybody.
        self.runtime()?;
        let (loader, runtime) = (Arc::clone(self), tokio::runtime::Handle::current());
        let loading = tokio::task::spawn_blocking(move || {
            runtime.block_on(loader.load(&path, named.as_deref(), &operators, &variables))
        });
        loading.await.map_err(std::io::Error::from)?
    }

    /// The digest of a component's file.
    ///
    /// # Errors
    /// A file that can't be read, or is no component.
    pub(super) fn digest(&self, path: &Path) -> Result<String, PluginError> {
        let artefact = Artefact::open(&self.cache, path).map_err(|error| unloadable(path, error))?;
        Ok(artefact.digest().to_owned())
    }

    /// Keeps a component in the cache, to be found again without its file. False where there is no cache that takes it.
    ///
    /// # Errors
    /// A file that can't be read, or is no component.
    pub(super) fn keep(&self, path: &Path) -> Result<bool, PluginError> {
        let artefact = Artefact::open(&self.cache, path).map_err(|error| unloadable(path, error))?;
        if self.kept(artefact.digest()).is_some() {
            return Ok(true);
        }
        self.cache.keep_component(&artefact).map_err(|error| unloadable(path, error))?;
        Ok(self.kept(artefact.digest()).is_some())
    }

    /// The file of a component that was kept, if it still is that component.
    pub(super) fn kept(&self, digest: &str) -> Option<PathBuf> {
        let kept = self.cache.kept_component(digest)?;
        self.digest(&kept).is_ok_and(|found| found == digest).then_some(kept)
    }

    async fn known(&self, path: &Path, named: Option<&str>, decided: &Decided) -> Result<Arc<Known>, PluginError> {
        let unloadable = |error| unloadable(path, error);
        let artefact = Arc::new(Artefact::open(&self.cache, path).map_err(unloadable)?);
        let before = self.loaded.lock().unwrap_or_else(PoisonError::into_inner).get(path).map(Arc::clone);
        if let Some(known) = before.filter(|known| known.loaded.digest() == artefact.digest()) {
            return Ok(known);
        }
        // What is said of all providers holds for one that has to be asked which it is.
        let said = named.is_none() && decided.tells_providers_apart();
        let said = said.then(|| artefact.package_name()).flatten();
        let limits = decided.limits(named.or(said.as_deref()).unwrap_or_default());
        // The schema is parsed while the machine code is mapped and linked: each takes about as long as the other.
        let parsing = tokio::task::spawn_blocking({
            let (artefact, cache) = (Arc::clone(&artefact), self.cache.clone());
            move || artefact.description(&cache)
        });
        let loaded = Loaded::new(self.runtime()?, &self.cache, limits, artefact).map_err(unloadable)?;
        let described = match parsing.await.map_err(std::io::Error::from)? {
            Some(described) => described.and_then(|description| description.true_of(&loaded)),
            None => Description::of(&loaded).await,
        };
        let description =
            described.map_err(|error| PluginError::Description { path: path.to_owned(), error: Box::new(error) })?;
        let known = Arc::new(Known { loaded, description });
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), Arc::clone(&known));
        Ok(known)
    }

    fn runtime(&self) -> Result<&Runtime, PluginError> {
        if let Some(runtime) = self.runtime.get() {
            return Ok(runtime);
        }
        let started = Runtime::new()?;
        // Of two that are started at once, one goes unused.
        Ok(self.runtime.get_or_init(|| started))
    }
}

fn unloadable(path: &Path, error: LoadError) -> PluginError {
    PluginError::Load { path: path.to_owned(), error }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use rustix::process::{Pid, getpriority_process};

    use super::*;

    /// How the threads of this process that have a name give way.
    fn nice(name: &str) -> Vec<i32> {
        let threads = std::fs::read_dir("/proc/self/task").unwrap().map(Result::unwrap);
        let named = threads.filter(|thread| {
            std::fs::read(thread.path().join("comm")).is_ok_and(|found| found.trim_ascii() == name.as_bytes())
        });
        let numbers = named.map(|thread| thread.file_name().to_str().and_then(|number| number.parse().ok()).unwrap());
        numbers.map(|number| getpriority_process(Pid::from_raw(number)).unwrap()).collect()
    }

    #[test]
    fn what_interrupts_guests_gives_way_to_nobody_though_a_component_is_loaded_aside() {
        let directory = tempfile::tempdir().unwrap();
        let component = directory.path().join("empty.wasm");
        std::fs::write(&component, b"\0asm\x0d\0\x01\0").unwrap();
        let loader = Arc::new(Loader::new(&Cache::disabled()));
        let loading = loader.load_aside(component, None, Operators::of(directory.path()), Variables::Own);
        let runtime = crate::process::runtime().unwrap();
        assert!(runtime.block_on(loading).is_err(), "it is no provider");
        let (clocks, present) = (nice("epoch"), getpriority_process(None).unwrap());
        assert!(!clocks.is_empty() && clocks.iter().all(|clock| *clock == present), "{clocks:?}");
    }
}
