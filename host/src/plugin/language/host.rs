//! What all plugins of a language host share: the loader, and the end of the process.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bulkhead_proto::language::ProgramInfo;
use bulkhead_value::wire::decode;
use bulkhead_value::{Bounds, Object};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::directory::{self, DirectoryError};
use crate::component::Variables;
use crate::plugin::error::PluginError;
use crate::plugin::load::{Loader, Ready};
use crate::plugin::operator::Operators;

/// A language host.
#[derive(Clone)]
pub(super) struct Host {
    loader: Arc<Loader>,
    /// Set when the process leaves.
    pub(super) leaving: CancellationToken,
    /// Each provider that is served has a receiver.
    pub(super) served: watch::Sender<()>,
}

impl Host {
    pub(super) fn new(loader: Loader) -> Self {
        Self { loader: Arc::new(loader), leaving: CancellationToken::new(), served: watch::Sender::default() }
    }

    /// Loads the component of a plugin directory, for a project, in the environment that the plugin is started with.
    ///
    /// # Errors
    /// Whatever keeps it from being served.
    pub(super) async fn load(
        &self,
        info: Option<&ProgramInfo>,
        project: &Path,
        variables: Variables,
    ) -> Result<Ready, PluginError> {
        // As for a process that is started there: whatever an operator decided for a project would be looked for nowhere.
        if !project.as_os_str().is_empty() && !project.is_dir() {
            return Err(DirectoryError::NoWorkplace { directory: project.to_owned() }.into());
        }
        let info = info.cloned().unwrap_or_default();
        let directory = PathBuf::from(info.program_directory);
        let options = match info.options {
            Some(options) => decode::properties(options.as_bytes(), &Bounds::default())
                .map_err(|error| DirectoryError::Options { directory: directory.clone(), reason: error.to_string() })?,
            None => Object::new(),
        };
        let component = directory::component(&directory, &options)?;
        self.loader.load_aside(component, None, Operators::of(project).developing(), variables).await
    }
}
