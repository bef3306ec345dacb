//! Why a provider can't be served, whichever way it was launched, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use bulkhead_policy::word;
use tonic::Status;

use super::language::DirectoryError;
use super::operator::OperatorError;
use crate::component::{DescriptionError, LoadError, RuntimeError};
use crate::provider::shortened;
use crate::scarcity;

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
    /// A plugin directory has no component.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
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
        /// The provider that is wanted.
        name: String,
        /// The component.
        path: PathBuf,
        /// Its package.
        found: String,
    },
    /// Nobody can be served at the wanted port.
    #[error("listen on port {port} of 127.0.0.1: {error}")]
    Port {
        /// The port.
        port: u16,
        /// Why.
        error: io::Error,
    },
    /// This machine can't run compiled code, or has nothing left to do it with.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The server broke.
    #[error("serve the provider: {0}")]
    Serve(#[from] io::Error),
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
            Self::Operator(error) => Some(error.hint().to_owned()),
            Self::Directory(error) => Some(error.hint().to_owned()),
            Self::Load { error, .. } => Some(error.hint().into_owned()),
            Self::Description { error, .. } => {
                let again = "rebuild the provider with `bulkhead build`, or ask its author";
                Some(error.hint().unwrap_or(again).to_owned())
            }
            Self::OtherPackage { name, path, found } => {
                let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
                let directory = word(&directory.unwrap_or(Path::new(".")).display().to_string());
                let component = word(&path.display().to_string());
                let bundle = format!("run `bulkhead bundle {component} -o {directory}`");
                Some(format!("{bundle}, and name `{found}` where the program names `{name}`"))
            }
            Self::Port { error, .. } => {
                let other = "choose another with `--port`, or a free one without";
                Some(scarcity::remedy(error).unwrap_or(other).to_owned())
            }
            Self::Serve(error) => scarcity::remedy(error).map(str::to_owned),
            Self::Runtime(error) => error.hint().map(str::to_owned),
        }
    }
}

/// Characters of a failure that are shown: what it quotes of a component is as long as that made it.
pub(super) const LONGEST: usize = 16_384;

/// A failure as engines show it: with what to do about it.
impl From<&PluginError> for Status {
    fn from(error: &PluginError) -> Self {
        let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        Self::failed_precondition(shortened(format!("failed to {error}"), LONGEST) + &hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_shortage_of_the_systems_is_no_fault_of_what_was_in_hand() {
        use rustix::io::Errno;

        let (full, path) = (|| io::Error::from(Errno::MFILE), PathBuf::from("a"));
        let unreadable = LoadError::Unreadable { path: path.clone(), error: full() };
        for error in [
            PluginError::Serve(full()),
            PluginError::Runtime(full().into()),
            PluginError::Port { port: 1, error: full() },
            PluginError::Load { path: path.clone(), error: unreadable },
            PluginError::Load { path: path.clone(), error: LoadError::NoCompiler(full()) },
            PluginError::Operator(OperatorError::Unreadable { path: path.clone(), error: full() }),
        ] {
            assert_eq!(error.hint().as_deref(), Some("let processes have more files open (`ulimit -n`)"), "{error}");
        }
        let gone = LoadError::Unreadable { path: path.clone(), error: io::ErrorKind::NotFound.into() };
        assert_eq!(
            PluginError::Load { path, error: gone }.hint().as_deref(),
            Some("name an existing .wasm file that you may read")
        );
    }

    /// To rename the executable alone would have it look for another file.
    #[test]
    fn another_package_is_made_a_bundle_of_its_own() {
        let (name, path, found) = ("p".to_owned(), "/b/p.wasm".into(), "q".to_owned());
        let hint = PluginError::OtherPackage { name, path, found }.hint().unwrap();
        assert_eq!(hint, "run `bulkhead bundle /b/p.wasm -o /b`, and name `q` where the program names `p`");
    }

    #[test]
    fn what_a_component_calls_its_exports_is_told_in_part_and_steers_no_terminal() {
        let exports = (0..5_000).map(|number| format!("\u{1b}[31m{number}{}", "x".repeat(1_000))).collect();
        let load = LoadError::NotAProvider { exports };
        let status = Status::from(&PluginError::Load { path: "a.wasm".into(), error: load });
        let message = status.message();
        assert!(message.len() < 2_048, "{} bytes", message.len());
        assert!(message.contains(" and 4992 more") && !message.contains('\u{1b}'), "{message}");
        assert!(message.contains("\nhint: a provider exports "), "{message}");
    }
}
