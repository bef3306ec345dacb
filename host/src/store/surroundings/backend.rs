//! Where an engine keeps its state, if that is a directory of this machine.
//!
//! Only the engine knows for certain, and tells nobody. What it goes by is looked through here for addresses of directories: the variable
//! that names a backend, the project's own file, and what somebody logged in to last. Of a file in YAML nothing is parsed: there are
//! many ways to write a key, and an address that is another's costs nobody anything. And a state that is there is known by what lies
//! in it, whoever names it.

use std::collections::VecDeque;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::project_files::PROJECTS;
use crate::regular;

/// Bytes of a file that are looked at.
const MOST: u64 = 1 << 20;
/// Addresses of a file that are looked at.
const MOST_ADDRESSES: usize = 1_000;
/// Entries of directories that are looked at for a state, and how deep it may lie.
const MOST_ENTRIES: usize = 4_096;
const DEEPEST: usize = 4;
/// The directory that engines make for their state, where a backend says.
const STATE: &str = ".pulumi";
/// What addresses of directories begin with.
const SCHEME: &str = "file://";
/// What may end an address, in whatever it is written.
const ENDS: [char; 9] = ['"', '\'', '\n', '\r', '?', ',', '}', ' ', '#'];

/// The directories that may hold the state of a project.
pub(super) fn states(project: &Path, homes: &[PathBuf]) -> Vec<PathBuf> {
    let named = std::env::var("PULUMI_BACKEND_URL").ok();
    let of_project = PROJECTS.into_iter().filter_map(|name| beginning(&project.join(name)));
    let of_homes = homes.iter().filter_map(|home| current(&beginning(&home.join("credentials.json"))?));
    // Relative addresses are relative to where the engine was called, which its own plugins aren't told in so many words.
    let called = std::env::var_os("PWD").map(PathBuf::from).filter(|place| place.is_absolute());
    let from: Vec<PathBuf> =
        [Some(project.to_owned()), std::env::current_dir().ok(), called].into_iter().flatten().collect();
    let mut found = Vec::new();
    for text in named.into_iter().chain(of_project).chain(of_homes) {
        for address in addresses(&text) {
            found.extend(from.iter().filter_map(|from| directory(&address, from)));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a directory lies in a state, or has one in it.
pub(super) fn touches_a_state(real: &Path) -> bool {
    real.ancestors().any(is_a_state) || has_a_state(real)
}

/// Whether a directory is what engines make for their state.
fn is_a_state(directory: &Path) -> bool {
    directory.file_name().is_some_and(|name| name == STATE)
        && (directory.join("stacks").is_dir() || directory.join("meta.yaml").is_file())
}

/// Whether there is a state in a directory. What lies deep, or behind too much else, isn't found. No link leads a guest out of a directory,
/// so none is followed.
fn has_a_state(directory: &Path) -> bool {
    let (mut open, mut left) = (VecDeque::from([(directory.to_owned(), 0)]), MOST_ENTRIES);
    while let Some((directory, depth)) = open.pop_front() {
        if is_a_state(&directory.join(STATE)) {
            return true;
        }
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let Some(fewer) = left.checked_sub(1) else { break };
            left = fewer;
            if depth < DEEPEST && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push_back((entry.path(), depth + 1));
            }
        }
    }
    false
}

/// The directory that an address means to whoever is called in a directory.
fn directory(path: &str, from: &Path) -> Option<PathBuf> {
    let place = match path.strip_prefix('~') {
        Some(below) => std::env::home_dir()?.join(below.trim_start_matches('/')),
        None => from.join(path),
    };
    Some(place.join(STATE))
}

/// The beginning of a file, if it is there.
fn beginning(file: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    regular::open(file).ok()?.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// What somebody logged in to last. Where they did before stands beside it, and is no matter of this project.
fn current(credentials: &str) -> Option<String> {
    let credentials: serde_json::Value = serde_json::from_str(credentials).ok()?;
    credentials.get("current")?.as_str().map(str::to_owned)
}

/// The paths that addresses in a text may mean: up to whatever may end them there.
fn addresses(text: &str) -> Vec<String> {
    // JSON may escape any letter.
    let mut texts = vec![text.to_owned()];
    let mut open = Vec::from_iter(serde_json::from_str::<serde_json::Value>(text));
    while let Some(json) = open.pop() {
        match json {
            serde_json::Value::String(text) => texts.push(text),
            serde_json::Value::Array(elements) => open.extend(elements),
            serde_json::Value::Object(members) => open.extend(members.into_iter().map(|(_, member)| member)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for rest in texts.iter().flat_map(|text| text.split(SCHEME).skip(1)) {
        let line = rest.lines().next().unwrap_or_default();
        let ends = line.match_indices(ENDS).map(|(at, _)| at).chain([line.len()]);
        found.extend(ends.take(8).filter_map(|end| line.get(..end)).map(|path| path.trim_end().to_owned()));
    }
    found.truncate(MOST_ADDRESSES);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_and_a_login_name_a_directory_in_any_spelling() {
        for file in [
            "name: x\nbackend:\n  url: file:///srv/state\nruntime: yaml\n",
            "backend:\n\n  # ours\n  url: 'file:///srv/state' # shared\n",
            "backend: { url: \"file:///srv/state\" }\n",
            "config:\n  url: file:///other\nbackend:\n  url: file:///srv/state",
            "\"backend\":\n  \"url\": file:///srv/state # ours\n",
            "backend: {\n  url: file:///srv/state\n}\n",
            "backend: {url: file:///srv/state, other: x}\n",
            "backend:\n  url: >-\n    file:///srv/state\n",
            "backend:\n  url: !!str file:///srv/state\n",
            "description: &state file:///srv/state\nbackend: { url: *state }\n",
            "backend:\r\n  url: file:///srv/state\r\n",
            "? backend\n: url: file:///srv/state?prefix=x&create_dir=true\n",
            r#"{ "name": "x", "backend": { "url": "file:///srv/state" } }"#,
            r#"{ "Backend": { "URL": "fil\u0065:\/\/\/srv\/state" } }"#,
        ] {
            assert!(addresses(file).iter().any(|path| path == "/srv/state"), "{file}: {:?}", addresses(file));
        }
        assert!(addresses("backend:\n  url: file:///srv/our state\n").iter().any(|path| path == "/srv/our state"));
        for file in ["", "\0", "url: x", "backend: {}", r#"{"url":"x"}"#, "[]", "{", "backend:\n  url: s3://bucket"] {
            assert_eq!(addresses(file), [""; 0], "{file}");
        }
        assert!(addresses(&format!("{SCHEME}a\n").repeat(5_000)).len() <= MOST_ADDRESSES);
        let credentials = r#"{"current":"file://~/s","accessTokens":{"file://.":""}}"#;
        assert_eq!(current(credentials).as_deref(), Some("file://~/s"));
        assert!(current("{").is_none() && current("[]").is_none() && current(r#"{"current":1}"#).is_none());
        let means = |path: &str| directory(path, Path::new("/project"));
        assert_eq!(means("/srv/state"), Some("/srv/state/.pulumi".into()));
        assert_eq!(means("./state"), Some("/project/./state/.pulumi".into()));
        assert_eq!(means("~"), Some(std::env::home_dir().unwrap().join(".pulumi")));
        assert_eq!(means("~/s"), Some(std::env::home_dir().unwrap().join("s/.pulumi")));
    }

    #[test]
    fn what_cannot_be_read_names_none() {
        let place = tempfile::tempdir().unwrap();
        let (project, home) = (place.path().join("project"), place.path().join("home"));
        let found = || states(&project, std::slice::from_ref(&home)).contains(&place.path().join("state/.pulumi"));
        assert!(!found(), "nothing is there");
        fs::create_dir_all(project.join("Pulumi.yaml")).unwrap();
        fs::create_dir(&home).unwrap();
        fs::write(home.join("credentials.json"), [0xff]).unwrap();
        assert!(!found(), "a directory, and no text");
        let url = format!("file://{}", place.path().join("state").display());
        fs::write(home.join("credentials.json"), format!(r#"{{"current":"{url}"}}"#)).unwrap();
        assert!(found());
        fs::remove_file(home.join("credentials.json")).unwrap();
        fs::write(project.join("Pulumi.yml"), [format!("backend:\n  url: {url}\n").as_bytes(), &[0xff]].concat())
            .unwrap();
        assert!(found(), "whatever else is in it");
        fs::remove_file(project.join("Pulumi.yml")).unwrap();
        fs::write(project.join("Pulumi.json"), format!(r#"{{"backend":{{"url":"{url}"}}}}"#)).unwrap();
        assert!(found());
    }

    #[test]
    fn an_address_may_be_relative_to_where_this_runs() {
        let here = std::env::current_dir().unwrap();
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("Pulumi.yaml"), "backend:\n  url: file://./state\n").unwrap();
        let found = states(place.path(), &[]);
        assert!(found.contains(&place.path().join("./state/.pulumi")) && found.contains(&here.join("./state/.pulumi")));
    }

    #[test]
    fn a_state_is_known_by_what_lies_in_it() {
        let place = tempfile::tempdir().unwrap();
        let [state, other] = ["a/b/.pulumi/stacks/x", "c/.pulumi/plugins"].map(|path| place.path().join(path));
        fs::create_dir_all(&state).unwrap();
        fs::create_dir_all(&other).unwrap();
        for (path, touches) in [
            ("", true),
            ("a", true),
            ("a/b/.pulumi", true),
            ("a/b/.pulumi/stacks/x", true),
            ("c", false),
            ("c/.pulumi", false),
        ] {
            assert_eq!(touches_a_state(&place.path().join(path)), touches, "{path}");
        }
        fs::write(place.path().join("c/.pulumi/meta.yaml"), "version: 1\n").unwrap();
        assert!(touches_a_state(&place.path().join("c")) && touches_a_state(&other), "one without stacks");
        let many = place.path().join("many");
        (0..2 * MOST_ENTRIES).for_each(|number| fs::create_dir_all(many.join(number.to_string())).unwrap());
        assert!(!touches_a_state(&many));
    }
}
