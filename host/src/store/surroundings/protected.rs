//! Places that no grant gives away: where engines keep credentials and state, where this host reads who may do what and what it
//! compiled, and where the kernel shows all of it again.

use std::path::{Path, PathBuf};

use bulkhead_policy::Access;

/// Whose place a directory is, holds, or lies in; none if it may be granted. The directories of the project and of compiled code are
/// known to whoever asks.
pub(super) fn owner(real: &Path, access: Access, project: &Path, compiled: Option<&Path>) -> Option<&'static str> {
    let compiled = compiled.map(|place| (place.to_owned(), BULKHEADS));
    let always = of_kernel().chain(of_engine()).chain(of_operators()).chain(compiled);
    let written = deciding(real).chain(deciding(project)).chain(running()).filter(|_| access == Access::Write);
    let touches = |place: &PathBuf| {
        let place = place.canonicalize().unwrap_or_else(|_| place.clone());
        place.starts_with(real) || real.starts_with(&place)
    };
    always.chain(written).find(|(place, _)| touches(place)).map(|(_, owner)| owner)
}

type Place = (PathBuf, &'static str);

const BULKHEADS: &str = "Bulkhead's own files";

/// A path that a variable names.
fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The memory and environment of every process, and devices.
fn of_kernel() -> impl Iterator<Item = Place> {
    ["/proc", "/sys", "/dev"].into_iter().map(|place| (place.into(), "what the kernel shows of all processes"))
}

/// Credentials and the state.
fn of_engine() -> impl Iterator<Item = Place> {
    let home = std::env::home_dir().map(|home| home.join(".pulumi"));
    let backend = std::env::var("PULUMI_BACKEND_URL").ok();
    let state =
        backend.as_deref().and_then(|url| url.strip_prefix("file://")).map(|path| match path.strip_prefix("~") {
            Some(below) => std::env::home_dir().unwrap_or_default().join(below.trim_start_matches('/')),
            None => PathBuf::from(path),
        });
    let places = [
        (home, "the engine's credentials"),
        (named("PULUMI_HOME"), "the engine's credentials"),
        (named("PULUMI_CREDENTIALS_PATH"), "the engine's credentials"),
        (state, "the engine's state"),
        (named("PULUMI_CONFIG_PASSPHRASE_FILE"), "the engine's passphrase"),
    ];
    places.into_iter().filter_map(|(place, owner)| Some((place?, owner)))
}

/// The files that narrow what projects grant, and what was compiled for other processes.
fn of_operators() -> impl Iterator<Item = Place> {
    let home = std::env::home_dir();
    let below = |name: &str, otherwise: &str| {
        named(name).or_else(|| home.as_ref().map(|home| home.join(otherwise))).map(|place| place.join("bulkhead"))
    };
    let places = [below("XDG_CONFIG_HOME", ".config"), below("XDG_CACHE_HOME", ".cache"), Some("/etc/bulkhead".into())];
    places.into_iter().flatten().map(|place| (place, BULKHEADS))
}

/// What in a directory decides about grants: whoever could write it could grant themselves the rest.
fn deciding(directory: &Path) -> impl Iterator<Item = Place> {
    let names = ["bulkhead.toml", "Pulumi.yaml", "Pulumi.yml"];
    let files = names.map(|name| directory.join(name)).into_iter().filter(|file| file.exists());
    files.map(|file| (file, "the project's own files"))
}

/// What keeps everybody in.
fn running() -> impl Iterator<Item = Place> {
    std::env::current_exe().ok().into_iter().map(|file| (file, BULKHEADS))
}
