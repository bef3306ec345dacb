//! Which component a plugin directory is about.
//!
//! `runtime: {name: wasm, options: {component: FILE}}` names it, relative to the directory. Without a name there has to be exactly one.
//! What runs is what lies in the directory: it may be anybody's, and must not have a file run, or looked for, that lies elsewhere.

use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};

use bulkhead_value::{Object, Value};

/// The one option there is.
const COMPONENT: &str = "component";

/// Why a directory has no component.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// Nobody says which directory it is about.
    #[error("find the plugin directory: the engine names none")]
    Unnamed,
    /// What is to be worked in isn't there.
    #[error("run the plugin in {}: there is no such directory", directory.display())]
    NoWorkplace {
        /// The directory.
        directory: PathBuf,
    },
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
    /// The component lies elsewhere.
    #[error(
        "find the component of the plugin directory {}: {} isn't in it",
        directory.display(), component.display()
    )]
    Elsewhere {
        /// The directory.
        directory: PathBuf,
        /// What is named, or what a link is called that leads out.
        component: PathBuf,
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
            Self::Unnamed => {
                "name it with `path` under `plugins` in Pulumi.yaml, or add it with `pulumi package add DIR`"
            }
            Self::NoWorkplace { .. } => "start the engine in a directory that is there",
            Self::Unreadable { .. } => "name a directory that you may read",
            Self::None { .. } => {
                "write it there with `bulkhead build -o DIR/NAME.wasm`, or say in PulumiPlugin.yaml where it is: \
                 `runtime: {name: wasm, options: {component: FILE}}`"
            }
            Self::Several { .. } => {
                "say in PulumiPlugin.yaml which one: `runtime: {name: wasm, options: {component: FILE}}`"
            }
            Self::Elsewhere { .. } => {
                "write the component into the plugin directory with `bulkhead build -o DIR/NAME.wasm`, or copy it there, \
                 and name it by a path below the directory"
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
/// A directory without one, or with several and none named, one that lies elsewhere, or options that say something else.
pub(super) fn component(directory: &Path, options: &Object) -> Result<PathBuf, DirectoryError> {
    if directory.as_os_str().is_empty() {
        return Err(DirectoryError::Unnamed);
    }
    let misunderstood = |reason: String| DirectoryError::Options { directory: directory.to_owned(), reason };
    if let Some(unknown) = options.keys().find(|option| *option != COMPONENT) {
        return Err(misunderstood(format!("`{unknown}` isn't known; only `{COMPONENT}` is")));
    }
    match options.get(COMPONENT) {
        None | Some(Value::Null) => only(directory).and_then(|component| lying_in(directory, &component)),
        Some(Value::String(file)) if !file.is_empty() => lying_in(directory, Path::new(file)),
        Some(_) => Err(misunderstood(format!("`{COMPONENT}` isn't the name of a file"))),
    }
}

/// The path of a component, if no part of it and no link on the way leads out of the directory. Whether it is there is for loading to
/// say.
fn lying_in(directory: &Path, component: &Path) -> Result<PathBuf, DirectoryError> {
    let below = component.strip_prefix(directory).unwrap_or(component);
    let path = directory.join(below);
    let named_in = below.components().all(|part| matches!(part, path::Component::Normal(_) | path::Component::CurDir));
    let leads_out = match (path.canonicalize(), directory.canonicalize()) {
        (Ok(real), Ok(directory)) => !real.starts_with(directory),
        _ => false,
    };
    match named_in && !leads_out {
        true => Ok(path),
        false => Err(DirectoryError::Elsewhere { directory: directory.to_owned(), component: component.to_owned() }),
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

    #[cfg(unix)]
    #[test]
    fn a_component_that_lies_elsewhere_is_not_taken() {
        use std::os::unix::fs::symlink;

        let parent = tempfile::tempdir().unwrap();
        let root = parent.path().join("plugin");
        fs::create_dir_all(root.join("build")).unwrap();
        let elsewhere = parent.path().join("elsewhere.wasm");
        for file in [&elsewhere, &root.join("build/own.wasm")] {
            fs::write(file, "").unwrap();
        }
        symlink(&elsewhere, root.join("out.wasm")).unwrap();
        symlink("..", root.join("up")).unwrap();
        symlink("build/own.wasm", root.join("in.wasm")).unwrap();
        let found = |file: &str| component(&root, &options(&[(COMPONENT, file.into())]));
        let absolute = elsewhere.to_str().unwrap();
        for file in ["../elsewhere.wasm", "build/../../elsewhere.wasm", "..", absolute, "out.wasm", "up/elsewhere.wasm"]
        {
            let error = found(file).unwrap_err();
            let said = format!("find the component of the plugin directory {}: {file} isn't in it", root.display());
            assert_eq!(error.to_string(), said);
            assert!(error.hint().starts_with("write the component into the plugin directory"), "{}", error.hint());
        }
        // Neither is one told from another by whether it is there.
        assert!(matches!(found("../gone.wasm").unwrap_err(), DirectoryError::Elsewhere { .. }));
        assert_eq!(found("./in.wasm").unwrap(), root.join("./in.wasm"), "a link within leads to what lies there");
        fs::remove_file(root.join("in.wasm")).unwrap();
        let error = component(&root, &Object::new()).unwrap_err().to_string();
        assert!(error.ends_with("out.wasm isn't in it"), "the only one too: {error}");
        // The directory itself may be reached by a link.
        symlink(&root, parent.path().join("link")).unwrap();
        let named = options(&[(COMPONENT, "build/own.wasm".into())]);
        component(&parent.path().join("link"), &named).unwrap();
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
