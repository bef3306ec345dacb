//! Which component a plugin directory is about.
//!
//! `runtime: {name: wasm, options: {component: FILE}}` names it, relative to the directory. Without a name there has to be exactly one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bulkhead_value::{Object, Value};

/// The one option there is.
const COMPONENT: &str = "component";

/// Why a directory has no component.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// The directory can't be read.
    #[error("read the plugin directory {}: {error}", directory.display())]
    Unreadable {
        /// The directory.
        directory: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is no component.
    #[error("find the component of the plugin directory {}: there is no .wasm file in it", directory.display())]
    None {
        /// The directory.
        directory: PathBuf,
    },
    /// There are several.
    #[error("find the component of the plugin directory {}: there are {}", directory.display(), names.join(" and "))]
    Several {
        /// The directory.
        directory: PathBuf,
        /// Their names.
        names: Vec<String>,
    },
    /// `PulumiPlugin.yaml` says what nobody understands.
    #[error("follow `runtime.options` of {}: {reason}", directory.join("PulumiPlugin.yaml").display())]
    Options {
        /// The directory.
        directory: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl DirectoryError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "name a directory that you may read",
            Self::None { .. } => {
                "write it there with `bulkhead build -o DIR/NAME.wasm`, or say in PulumiPlugin.yaml where it is: \
                 `runtime: {name: wasm, options: {component: FILE}}`"
            }
            Self::Several { .. } => {
                "say in PulumiPlugin.yaml which one: `runtime: {name: wasm, options: {component: FILE}}`"
            }
            Self::Options { .. } => {
                "write `runtime: {name: wasm, options: {component: FILE}}`, or just `runtime: wasm`"
            }
        }
    }
}

/// The component of a plugin directory with these options.
///
/// # Errors
/// A directory without one, or with several and none named, or options that say something else.
pub(super) fn component(directory: &Path, options: &Object) -> Result<PathBuf, DirectoryError> {
    let misunderstood = |reason: String| DirectoryError::Options { directory: directory.to_owned(), reason };
    if let Some(unknown) = options.keys().find(|option| *option != COMPONENT) {
        return Err(misunderstood(format!("`{unknown}` isn't known; only `{COMPONENT}` is")));
    }
    match options.get(COMPONENT) {
        None | Some(Value::Null) => only(directory),
        Some(Value::String(file)) if !file.is_empty() => Ok(directory.join(file)),
        Some(_) => Err(misunderstood(format!("`{COMPONENT}` isn't the name of a file"))),
    }
}

/// The only component in a directory.
fn only(directory: &Path) -> Result<PathBuf, DirectoryError> {
    let unreadable = |error| DirectoryError::Unreadable { directory: directory.to_owned(), error };
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "wasm") && path.is_file() {
            found.push(path);
        }
    }
    found.sort_unstable();
    match <[PathBuf; 1]>::try_from(found) {
        Ok([component]) => Ok(component),
        Err(none) if none.is_empty() => Err(DirectoryError::None { directory: directory.to_owned() }),
        Err(several) => {
            let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let names = several.iter().map(name).collect();
            Err(DirectoryError::Several { directory: directory.to_owned(), names })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(options: &[(&str, Value)]) -> Object {
        let mut object = Object::new();
        for (name, value) in options {
            object.insert((*name).to_owned(), value.clone());
        }
        object
    }

    #[test]
    fn the_only_component_is_it_unless_one_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        let found = |named: &Object| component(root, named).map_err(|error| error.to_string());
        let none = Object::new();
        let error = found(&none).unwrap_err();
        assert!(error.ends_with("there is no .wasm file in it"), "{error}");

        fs::create_dir(root.join("d.wasm")).unwrap();
        for name in ["README.md", "b.wasm"] {
            fs::write(root.join(name), "").unwrap();
        }
        assert_eq!(found(&none).unwrap(), root.join("b.wasm"));
        fs::write(root.join("a.wasm"), "").unwrap();
        let error = found(&none).unwrap_err();
        assert!(error.ends_with(": there are a.wasm and b.wasm"), "{error}");
        let named = options(&[(COMPONENT, "out/c.wasm".into())]);
        assert_eq!(found(&named).unwrap(), root.join("out/c.wasm"), "whether it is there is for loading to say");
        assert_eq!(component(&root.join("missing"), &none).unwrap_err().hint(), "name a directory that you may read");
    }

    #[test]
    fn other_options_are_refused() {
        for (wrong, reason) in [
            (options(&[("componnet", "x.wasm".into())]), "`componnet` isn't known; only `component` is"),
            (options(&[(COMPONENT, true.into())]), "`component` isn't the name of a file"),
            (options(&[(COMPONENT, "".into())]), "`component` isn't the name of a file"),
        ] {
            let error = component(Path::new("/p"), &wrong).unwrap_err().to_string();
            assert_eq!(error, format!("follow `runtime.options` of /p/PulumiPlugin.yaml: {reason}"));
        }
    }
}
