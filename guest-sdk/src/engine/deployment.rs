//! The deployment as a whole.

use super::config::StackConfig;
use crate::bindings::wit::engine as wit;
use crate::error::Result;
use crate::export::read_error;
use crate::host::imports::engine as host;

/// The deployment that a component is constructed in.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Deployment {
    /// The organisation, or the empty string.
    pub organization: String,
    /// The project.
    pub project: String,
    /// The stack.
    pub stack: String,
    /// Whether this is a preview.
    pub preview: bool,
    /// How many operations run at once at most; 1 means one after the other.
    pub parallel: u32,
    entries: Vec<wit::ConfigEntry>,
}

impl Deployment {
    pub(super) fn get() -> Result<Self> {
        let wit::Deployment { organization, project, stack, preview, parallel, config } =
            host::get_deployment().map_err(read_error)?;
        Ok(Self { organization, project, stack, preview, parallel, entries: config })
    }

    /// The stack's configuration in a namespace: a package's name, or the project's for what has none. It isn't the provider's
    /// configuration, which `request.config` is.
    pub fn config<'a>(&'a self, namespace: &'a str) -> StackConfig<'a> {
        StackConfig::new(&self.entries, namespace)
    }
}
