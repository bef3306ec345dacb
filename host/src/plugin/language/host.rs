//! What all plugins of a language host share: the loader, and the end of the process.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bulkhead_proto::language::ProgramInfo;
use bulkhead_value::wire::decode;
use bulkhead_value::{Bounds, Object};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::directory::{self, DirectoryError};
use crate::component::{Cache, Variables};
use crate::plugin::error::PluginError;
use crate::plugin::load::{Loader, Ready};
use crate::plugin::operator::Operators;
use crate::plugin::refusal::Refusal;

/// A language host.
#[derive(Clone)]
pub(super) struct Host {
    cache: Cache,
    loader: Arc<Loader>,
    /// Set when the process leaves.
    pub(super) leaving: CancellationToken,
    /// Each provider that is served has a receiver.
    pub(super) served: watch::Sender<()>,
}

impl Host {
    pub(super) fn new(cache: &Cache) -> Self {
        let (cache, loader) = (cache.clone(), Arc::new(Loader::new(cache)));
        Self { cache, loader, leaving: CancellationToken::new(), served: watch::Sender::default() }
    }

    /// What there is to serve of a plugin directory, for a project, in the environment that the plugin is started with.
    ///
    /// # Errors
    /// What says instead why it can't be served.
    pub(super) async fn offer(
        &self,
        info: Option<&ProgramInfo>,
        project: &Path,
        variables: Variables,
    ) -> Result<Ready, Refusal> {
        // As for a process that is started there: whatever an operator decided for a project would be looked for nowhere.
        let is_missing = !project.as_os_str().is_empty() && !project.is_dir();
        let nowhere = || DirectoryError::NoWorkplace { directory: project.to_owned() };
        let component = if is_missing { Err(nowhere()) } else { component(info) };
        let component = component.map_err(|error| Refusal::of(&error.into(), None, &self.cache))?;
        let loaded = self.load(component.clone(), project, variables).await;
        loaded.map_err(|error| Refusal::of(&error, Some(&component), &self.cache))
    }

    /// Compiles the component of a plugin directory, to be found in the cache.
    ///
    /// # Errors
    /// Whatever keeps it from being served anywhere.
    pub(super) async fn prepare(&self, info: Option<&ProgramInfo>) -> Result<(), PluginError> {
        self.load(component(info)?, Path::new(""), Variables::Own).await.map(drop)
    }

    async fn load(&self, component: PathBuf, project: &Path, variables: Variables) -> Result<Ready, PluginError> {
        self.loader.load_aside(component, None, Operators::of(project).developing(), variables).await
    }
}

/// The component of a plugin directory, as the engine describes it.
fn component(info: Option<&ProgramInfo>) -> Result<PathBuf, DirectoryError> {
    let info = info.cloned().unwrap_or_default();
    let directory = PathBuf::from(info.program_directory);
    let options = match info.options {
        Some(options) => decode::properties(options.as_bytes(), &Bounds::default())
            .map_err(|error| DirectoryError::Options { directory: directory.clone(), reason: error.to_string() })?,
        None => Object::new(),
    };
    directory::component(&directory, &options)
}
