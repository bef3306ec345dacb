//! Places that no grant gives away: where engines keep credentials and state, where this host reads who may do what, and where
//! the kernel shows all of it again.

use std::path::{Path, PathBuf};

use bulkhead_policy::Access;

/// Whose place a directory is, holds, or lies in; none if it may be granted.
pub(super) fn owner(real: &Path, access: Access) -> Option<&'static str> {
    let always = of_kernel().chain(of_engine()).chain(of_operators());
    let written = of_project(real).filter(|_| access == Access::Write);
    let touches = |place: &PathBuf| {
        let place = place.canonicalize().unwrap_or_else(|_| place.clone());
        place.starts_with(real) || real.starts_with(&place)
    };
    always.chain(written).find(|(place, _)| touches(place)).map(|(_, owner)| owner)
}

type Place = (PathBuf, &'static str);

/// The memory and environment of every process, and devices.
fn of_kernel() -> impl Iterator<Item = Place> {
    ["/proc", "/sys", "/dev"].into_iter().map(|place| (place.into(), "what the kernel shows of all processes"))
}

/// Credentials and the state.
fn of_engine() -> impl Iterator<Item = Place> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = std::env::home_dir().map(|home| home.join(".pulumi"));
    let backend = std::env::var("PULUMI_BACKEND_URL").ok();
    let state =
        backend.as_deref().and_then(|url| url.strip_prefix("file://")).map(|path| match path.strip_prefix("~") {
            Some(below) => std::env::home_dir().unwrap_or_default().join(below.trim_start_matches('/')),
            None => PathBuf::from(path),
        });
    let places = [
        (home, "the engine's credentials"),
        (set("PULUMI_HOME"), "the engine's credentials"),
        (set("PULUMI_CREDENTIALS_PATH"), "the engine's credentials"),
        (state, "the engine's state"),
        (set("PULUMI_CONFIG_PASSPHRASE_FILE"), "the engine's passphrase"),
    ];
    places.into_iter().filter_map(|(place, owner)| Some((place?, owner)))
}

/// The files that narrow what projects grant, and what was compiled.
fn of_operators() -> impl Iterator<Item = Place> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = std::env::home_dir();
    let below = |name: &str, otherwise: &str| {
        variable(name).or_else(|| home.as_ref().map(|home| home.join(otherwise))).map(|place| place.join("bulkhead"))
    };
    let places = [below("XDG_CONFIG_HOME", ".config"), below("XDG_CACHE_HOME", ".cache"), Some("/etc/bulkhead".into())];
    places.into_iter().flatten().map(|place| (place, "Bulkhead's own files"))
}

/// What decides about this very grant: whoever could write it could grant themselves the rest.
fn of_project(real: &Path) -> impl Iterator<Item = Place> {
    let names = ["bulkhead.toml", "Pulumi.yaml", "Pulumi.yml"];
    names
        .into_iter()
        .map(|name| real.join(name))
        .filter(|file| file.exists())
        .map(|file| (file, "the project's own files"))
}
