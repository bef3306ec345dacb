//! Why a parameter doesn't lead to a component.

use std::path::PathBuf;

use tonic::{Code, Status};

use crate::component::LoadError;
use crate::plugin::error::{LONGEST, PluginError};
use crate::provider::shortened;

/// How a component is added, for hints.
const ADD: &str = "pulumi package add wasm ./NAME.wasm";

/// Why a parameter doesn't lead to a component.
#[derive(Debug, thiserror::Error)]
pub(super) enum ParameterError {
    #[error("take a parameter: expected one argument, the path of a component, and got {0}")]
    Arguments(usize),
    #[error("take the parameter `{source_text}`: only files can be read")]
    Remote { source_text: String },
    #[error("read the recorded parameter of the package `{name}`: {reason}")]
    Malformed { name: String, reason: String },
    #[error("add the package `{name}`: {} names no version, and packages need one", path.display())]
    NoVersion { name: String, path: PathBuf },
    #[error(
        "find the component of the package `{name}`: there is no {}, and the cache doesn't have sha256:{digest} either",
        listed(looked)
    )]
    Missing { name: String, digest: String, looked: Vec<PathBuf> },
    #[error(
        "use the component of the package `{name}`: {} has changed since it was added, and the cache doesn't have the \
         one that was: sha256:{digest} was recorded, and sha256:{found} is there",
        path.display()
    )]
    Changed { name: String, path: PathBuf, digest: String, found: String },
    #[error("use the component of the package `{name}` {version}: sha256:{digest} is the package {found}")]
    OtherPackage { name: String, version: String, digest: String, found: String },
    #[error("take the parameter: the operation was cancelled")]
    Cancelled,
    #[error(transparent)]
    Plugin(#[from] PluginError),
}

fn listed(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    paths.join(" and no ")
}

impl ParameterError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Arguments(_) => Some(format!("`{ADD}`")),
            Self::Remote { .. } => Some(format!("download it, then `{ADD}`")),
            Self::Malformed { .. } | Self::OtherPackage { .. } => Some(format!("add the package again: `{ADD}`")),
            Self::NoVersion { .. } => Some("give the provider a version and build it again".to_owned()),
            Self::Missing { .. } => {
                Some(format!("put the file back, or add the package again from where it is: `{ADD}`"))
            }
            Self::Changed { .. } => Some(format!("to use what is there now, add the package again: `{ADD}`")),
            Self::Plugin(PluginError::Load { error: LoadError::Unreadable { .. }, .. }) => {
                Some("name a component; a relative path starts at the project's directory".to_owned())
            }
            Self::Cancelled => None,
            Self::Plugin(error) => error.hint(),
        }
    }

    fn code(&self) -> Code {
        match self {
            Self::Arguments(_) | Self::Remote { .. } | Self::Malformed { .. } => Code::InvalidArgument,
            Self::Cancelled => Code::Cancelled,
            _ => Code::FailedPrecondition,
        }
    }
}

impl From<ParameterError> for Status {
    fn from(error: ParameterError) -> Self {
        let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        Self::new(error.code(), shortened(format!("failed to {error}"), LONGEST) + &hint)
    }
}

#[cfg(test)]
mod tests {
    use bulkhead_policy::OperatorFile;

    use super::*;
    use crate::plugin::OperatorError;

    #[test]
    fn what_to_do_about_a_component_is_told_by_what_is_wrong_with_it() {
        let hint = |error| ParameterError::from(PluginError::Load { path: "./a.wasm".into(), error }).hint().unwrap();
        let unreadable = LoadError::Unreadable { path: "./a.wasm".into(), error: std::io::ErrorKind::NotFound.into() };
        assert_eq!(hint(unreadable), "name a component; a relative path starts at the project's directory");
        let large =
            LoadError::Large { found: 2, limit: 1, place: Some("[limits] of /etc/bulkhead/bulkhead.toml".to_owned()) };
        assert!(hint(large).ends_with("set the limit `component` in [limits] of /etc/bulkhead/bulkhead.toml"));
        let interface = "resources".to_owned();
        let later = LoadError::Contract { interface, found: "0.2.0".to_owned(), supported: "0.1.0" };
        assert!(hint(later).starts_with("use a Bulkhead of the version"));
    }

    #[test]
    fn what_a_project_says_of_itself_steers_no_terminal() {
        let error = OperatorFile::parse("\u{1b}[2J\u{202e} = 1").unwrap_err();
        let error = OperatorError::Malformed { path: "bulkhead.toml".into(), error };
        let status = Status::from(ParameterError::from(PluginError::from(error)));
        assert!(status.message().starts_with("failed to follow bulkhead.toml: TOML parse error"), "{status:?}");
        assert!(status.message().ends_with("\nhint: docs/operator.md has the form of the file"), "{status:?}");
        assert!(!status.message().contains(['\u{1b}', '\u{202e}']), "{status:?}");
    }
}
