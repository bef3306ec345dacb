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
    /// Finds the component beside the executable, or beside the link through which it was called. A shell says no more of that
    /// than its name, having looked for it in `search`, the directories of `PATH`.
    ///
    /// # Errors
    /// The places where it isn't.
    pub fn find(
        name: &str,
        argument0: &OsStr,
        executable: Option<&Path>,
        search: Option<&OsStr>,
    ) -> Result<Self, Vec<PathBuf>> {
        let file = format!("{name}.wasm");
        let called = Path::new(argument0);
        let link = match called.parent().filter(|directory| !directory.as_os_str().is_empty()) {
            Some(directory) => Some(directory.to_owned()),
            None => search.and_then(|search| std::env::split_paths(search).find(|path| path.join(called).is_file())),
        };
        let directories = [executable.and_then(Path::parent), link.as_deref()];
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
        let host = Some(Path::new("/opt/bulkhead"));
        let found = Plugin::find("x", link.as_os_str(), host, None).unwrap();
        assert_eq!(found.component, bundle.join("x.wasm"));
        let missing = Plugin::find("y", link.as_os_str(), host, None).unwrap_err();
        assert_eq!(missing, [PathBuf::from("/opt/y.wasm"), bundle.join("y.wasm")]);
    }

    #[test]
    fn a_bundle_called_by_its_name_alone_lies_where_the_shell_found_it() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("x.wasm"), b"").unwrap();
        let bare = OsStr::new("pulumi-resource-x");
        let search = std::env::join_paths([Path::new("/opt"), directory.path()]).unwrap();
        let find = || Plugin::find("x", bare, Some(Path::new("/opt/bulkhead")), Some(&search));
        assert_eq!(
            find(),
            Err(vec![PathBuf::from("/opt/x.wasm")]),
            "never the present directory, which may be anybody's"
        );
        std::fs::write(directory.path().join(bare), b"").unwrap();
        assert_eq!(find().unwrap().component, directory.path().join("x.wasm"));
    }
}
