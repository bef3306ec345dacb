//! From a process called `pulumi-resource-NAME` to a served provider.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::engine_log::EngineLog;
use super::locate::Plugin;
use super::operator::{OperatorError, Operators};
use super::serve::serve;
use super::shutdown::Starter;
use crate::component::{
    Artefact, Cache, Description, DescriptionError, Limits, LoadError, Loaded, LoadedProvider, Runtime,
};
use crate::rpc::{EngineLink, Offer, Service};

/// Why a provider can't be served.
#[derive(Debug, thiserror::Error)]
pub enum PluginError {
    /// There is no component.
    #[error("find the component of the provider `{name}`: there is no {}", listed(looked))]
    NoComponent {
        /// The provider.
        name: String,
        /// Where it would be.
        looked: Vec<PathBuf>,
    },
    /// An operator's file can't be followed.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// The component can't be loaded.
    #[error("load {}: {error}", path.display())]
    Load {
        /// The component.
        path: PathBuf,
        /// Why.
        error: LoadError,
    },
    /// The component's description is unusable.
    #[error("load {}: {error}", path.display())]
    Description {
        /// The component.
        path: PathBuf,
        /// Why.
        error: Box<DescriptionError>,
    },
    /// The component is another provider.
    #[error("serve the provider `{name}`: {} describes the package `{found}`", path.display())]
    OtherPackage {
        /// What the executable is called.
        name: String,
        /// The component.
        path: PathBuf,
        /// Its package.
        found: String,
    },
    /// This machine can't run compiled code.
    #[error("start the WebAssembly engine: {0}")]
    Runtime(String),
    /// The server broke.
    #[error("serve the provider: {0}")]
    Serve(#[from] std::io::Error),
}

fn listed(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    paths.join(" and no ")
}

impl PluginError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoComponent { name, .. } => Some(format!(
                "`bulkhead bundle {name}.wasm -o DIR` puts the component where its executable looks for it"
            )),
            Self::Operator(_) => Some("docs/operator.md has the form of the file".to_owned()),
            Self::Load { error, .. } => Some(error.hint().to_owned()),
            Self::Description { .. } => {
                Some("rebuild the provider with `bulkhead build`, or ask its author".to_owned())
            }
            Self::OtherPackage { found, .. } => Some(format!("call the executable pulumi-resource-{found}")),
            Self::Runtime(_) | Self::Serve(_) => None,
        }
    }
}

/// Serves a plugin until its engine is done with it.
///
/// # Errors
/// Whatever keeps the provider from being served.
pub async fn run(plugin: &Plugin, arguments: &[String], cache: &Cache) -> Result<(), PluginError> {
    let starter = Starter::now(engine_address(arguments));
    let limits = Operators::of_this_process().limits(&plugin.name)?;
    let largest_message = limits.message_bytes;
    let offer = load(plugin, cache, limits).await?;
    let link: Arc<dyn EngineLink> = Arc::new(EngineLog::start(starter.engine()));
    let service = Arc::new(Service::new(Arc::new(offer), link));
    Ok(serve(&service, largest_message, starter).await?)
}

async fn load(plugin: &Plugin, cache: &Cache, limits: Limits) -> Result<Offer, PluginError> {
    let path: &Path = &plugin.component;
    let unloadable = |error| PluginError::Load { path: path.to_owned(), error };
    let artefact = Arc::new(Artefact::open(cache, path).map_err(unloadable)?);
    // The schema is parsed while the machine code is mapped and linked: each takes about as long as the other.
    let parsing = tokio::task::spawn_blocking({
        let artefact = Arc::clone(&artefact);
        move || artefact.description()
    });
    let runtime = Runtime::new().map_err(|error| PluginError::Runtime(error.to_string()))?;
    let loaded = Loaded::new(&runtime, cache, limits, artefact).map_err(unloadable)?;
    let described = match parsing.await.map_err(std::io::Error::from)? {
        Some(described) => described.and_then(|description| description.true_of(&loaded)),
        None => Description::of(&loaded).await,
    };
    let description =
        described.map_err(|error| PluginError::Description { path: path.to_owned(), error: Box::new(error) })?;
    if description.package.name != plugin.name {
        let found = description.package.name.clone();
        return Err(PluginError::OtherPackage { name: plugin.name.clone(), path: path.to_owned(), found });
    }
    Ok(Offer {
        schema: description.schema,
        package: Arc::clone(&description.package),
        component: Arc::new(LoadedProvider::new(loaded, description.package)),
    })
}

/// The engine's address: the last argument, since engines put flags (and their values) before it.
fn engine_address(arguments: &[String]) -> Option<String> {
    arguments.last().filter(|last| !last.starts_with('-') && last.contains(':')).cloned()
}

#[cfg(test)]
mod tests {
    use super::engine_address;

    #[test]
    fn flags_may_stand_before_the_engines_address() {
        let address = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            engine_address(&arguments)
        };
        assert_eq!(address(&["127.0.0.1:4000"]).as_deref(), Some("127.0.0.1:4000"));
        let all = ["--logtostderr", "-v=9", "--tracing", "http://t:1", "127.0.0.1:4000"];
        assert_eq!(address(&all).as_deref(), Some("127.0.0.1:4000"));
        assert_eq!(address(&[]), None);
        assert_eq!(address(&["--logtostderr"]), None);
    }
}
