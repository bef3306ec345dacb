//! Places that no grant gives away: where engines keep credentials and state, where this host reads who may do what and what it
//! compiled, and where the kernel shows all of it again.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use bulkhead_policy::{Access, Permissions};

use super::backend::{states, touches_a_state};
use super::mounts::Mounts;
use crate::project_files::PROJECTS;
use crate::real_path::real_path;
use crate::user_places;

/// Whose place a directory is, holds, or lies in; none if it may be granted. The directories of the project and of compiled code are
/// known to whoever asks.
pub(super) fn owner(
    mounts: &Mounts,
    real: &Path,
    access: Access,
    permissions: &Permissions,
    compiled: Option<&Path>,
) -> Option<&'static str> {
    let compiled = compiled.map(|place| (place.to_owned(), BULKHEADS));
    let records = permissions.records().iter().map(|file| (file.clone(), "the records of what components do"));
    let always =
        of_kernel().chain(of_engine(permissions.project())).chain(of_operators()).chain(compiled).chain(records);
    // Where it is to be granted, there may be no file yet.
    let grants = (permissions.project().join("bulkhead.toml"), OF_PROJECT);
    let written = deciding(real).chain(deciding(permissions.project())).chain([grants]).chain(running());
    let written = written.filter(|_| access == Access::Write);
    if mounts.show_processes(real) {
        return Some(OF_KERNEL);
    }
    let touches = |place: &PathBuf| {
        let lies = real_path(place);
        // Whoever may write beside a link to it may put another one in its place, or a file.
        let led_to = || access == Access::Write && links(place).iter().any(|link| link.starts_with(real));
        lies.starts_with(real) || real.starts_with(&lies) || mounts.join(real, &lies) || led_to()
    };
    let known = always.chain(written).find(|(place, _)| touches(place)).map(|(_, owner)| owner);
    known.or_else(|| touches_a_state(real).then_some(STATE))
}

/// Where the links lie that lead to a place: each on the way, and those that they lead to.
fn links(place: &Path) -> Vec<PathBuf> {
    let parts =
        |path: &Path| -> Vec<OsString> { path.components().rev().map(|part| part.as_os_str().to_owned()).collect() };
    let mut ahead = parts(&std::path::absolute(place).unwrap_or_else(|_| place.to_owned()));
    let (mut at, mut links) = (PathBuf::new(), Vec::new());
    while let Some(part) = ahead.pop() {
        if part == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&part);
        match fs::read_link(&next) {
            Ok(target) if links.len() < MOST_LINKS => {
                links.push(next);
                ahead.extend(parts(&target));
            }
            _ => at = next,
        }
    }
    links
}

/// The files with the engine's own secrets, and the directories in which all files are such: of a state what stacks are recorded in, now
/// and before. A home has plugins beside it, which read their own files.
pub(super) fn secrets(project: &Path) -> Vec<PathBuf> {
    let recorded = |state: PathBuf| ["stacks", "history", "backups"].map(|name| state.join(name));
    let states = states(project, &homes()).into_iter().flat_map(recorded);
    let places = credentials_files().chain(named("PULUMI_CONFIG_PASSPHRASE_FILE")).chain(states);
    places.map(|place| real_path(&place)).collect()
}

/// Where engines look for credentials.
fn credentials_files() -> impl Iterator<Item = PathBuf> {
    homes().into_iter().map(|home| home.join("credentials.json"))
}

type Place = (PathBuf, &'static str);

/// Links that lead from one to another.
const MOST_LINKS: usize = 40;

const OF_KERNEL: &str = "what the kernel shows of all processes";
const BULKHEADS: &str = "Bulkhead's own files";
const STATE: &str = "the engine's state";
const OF_PROJECT: &str = "the project's own files";

/// A path that a variable names.
fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The memory and environment of every process, and devices.
fn of_kernel() -> impl Iterator<Item = Place> {
    ["/proc", "/sys", "/dev"].into_iter().map(|place| (place.into(), OF_KERNEL))
}

/// Credentials and the state.
fn of_engine(project: &Path) -> impl Iterator<Item = Place> {
    let credentials = homes().into_iter().map(|home| (home, "the engine's credentials"));
    let states = states(project, &homes()).into_iter().map(|state| (state, STATE));
    let passphrase = named("PULUMI_CONFIG_PASSPHRASE_FILE").map(|file| (file, "the engine's passphrase"));
    // They may be links out of there.
    let files = credentials_files().map(|file| (file, "the engine's credentials"));
    credentials.chain(states).chain(passphrase).chain(files)
}

/// Where engines keep credentials.
fn homes() -> Vec<PathBuf> {
    let home = std::env::home_dir().map(|home| home.join(".pulumi"));
    [home, named("PULUMI_HOME"), named("PULUMI_CREDENTIALS_PATH")].into_iter().flatten().collect()
}

/// The files that narrow what projects grant, and what was compiled for other processes.
fn of_operators() -> impl Iterator<Item = Place> {
    let places = [user_places::settings(), user_places::compiled(), Some("/etc/bulkhead".into())];
    places.into_iter().flatten().map(|place| (place, BULKHEADS))
}

/// What in a directory decides about grants: whoever could write it could grant themselves the rest.
fn deciding(directory: &Path) -> impl Iterator<Item = Place> {
    let names = PROJECTS.into_iter().chain(["bulkhead.toml"]);
    let files = names.map(|name| directory.join(name)).filter(|file| file.exists());
    files.map(|file| (file, OF_PROJECT))
}

/// What keeps everybody in.
fn running() -> impl Iterator<Item = Place> {
    std::env::current_exe().ok().into_iter().map(|file| (file, BULKHEADS))
}
