//! Which provider this process is, and where its component lies.
//!
//! An executable called `pulumi-resource-NAME` runs `NAME.wasm` beside it. The directories of a Handshake aren't to be relied
//! on: some callers send the parent, or a relative path.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What executables of provider plugins are called, before the name.
const PREFIX: &str = "pulumi-resource-";

/// A provider plugin: its name and its component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// The provider's name.
    pub name: String,
    /// The component's file.
    pub component: PathBuf,
}

/// The provider's name, if this is what a plugin is called.
pub fn plugin_name(argument0: &OsStr) -> Option<String> {
    let name = Path::new(argument0).file_name()?.to_str()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    name.strip_prefix(PREFIX).filter(|name| !name.is_empty()).map(str::to_owned)
}

impl Plugin {
    /// Finds the component beside the executable, or beside the link through which it was called.
    ///
    /// # Errors
    /// The places where it isn't.
    pub fn find(name: &str, argument0: &OsStr, executable: Option<&Path>) -> Result<Self, Vec<PathBuf>> {
        let file = format!("{name}.wasm");
        let directories = [executable.and_then(Path::parent), Path::new(argument0).parent()];
        let mut looked: Vec<PathBuf> = Vec::new();
        for directory in directories.into_iter().flatten() {
            let component = directory.join(&file);
            // Whatever is there: why it can't be read is told better by reading it.
            if component.symlink_metadata().is_ok() {
                return Ok(Self { name: name.to_owned(), component });
            }
            if !looked.contains(&component) {
                looked.push(component);
            }
        }
        Err(looked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_what_the_executable_is_called() {
        assert_eq!(plugin_name(OsStr::new("/usr/bin/pulumi-resource-random")), Some("random".to_owned()));
        assert_eq!(plugin_name(OsStr::new("pulumi-resource-tls-self-signed.exe")), Some("tls-self-signed".to_owned()));
        for other in ["bulkhead", "pulumi-resource-", "pulumi-language-wasm", ""] {
            assert_eq!(plugin_name(OsStr::new(other)), None, "{other}");
        }
    }

    #[test]
    fn the_component_lies_beside_the_executable_or_the_link() {
        let directory = tempfile::tempdir().unwrap();
        let bundle = directory.path().join("bundle");
        std::fs::create_dir(&bundle).unwrap();
        std::fs::write(bundle.join("x.wasm"), b"").unwrap();
        let link = bundle.join("pulumi-resource-x");
        let found = Plugin::find("x", link.as_os_str(), Some(Path::new("/opt/bulkhead"))).unwrap();
        assert_eq!(found.component, bundle.join("x.wasm"));
        let missing = Plugin::find("y", link.as_os_str(), Some(Path::new("/opt/bulkhead"))).unwrap_err();
        assert_eq!(missing, [PathBuf::from("/opt/y.wasm"), bundle.join("y.wasm")]);
    }
}
