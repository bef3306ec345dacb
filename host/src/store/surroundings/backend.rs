//! Where an engine keeps its state, if that is a directory of this machine.
//!
//! Only the engine knows for certain, and tells nobody. What it goes by is read here: the variable that names a backend, the
//! project's own file, and what somebody logged in to last. What can't be read names none.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::regular;

/// Bytes of a file that are looked at.
const MOST: u64 = 1 << 20;
/// What a project's own file is called.
pub(super) const PROJECTS: [&str; 3] = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
/// The directory that engines make for their state, where a backend says.
const STATE: &str = ".pulumi";

/// The directories that may hold the state of a project.
pub(super) fn states(project: &Path, homes: &[PathBuf]) -> Vec<PathBuf> {
    let named = std::env::var("PULUMI_BACKEND_URL").ok();
    let of_project = PROJECTS.into_iter().filter_map(|name| url(&beginning(&project.join(name))?));
    let of_homes = homes.iter().filter_map(|home| current(&beginning(&home.join("credentials.json"))?));
    named.into_iter().chain(of_project).chain(of_homes).filter_map(|url| directory(&url, project)).collect()
}

/// The directory that a backend's address means.
fn directory(url: &str, project: &Path) -> Option<PathBuf> {
    let path = url.trim().strip_prefix("file://")?;
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let place = match path.strip_prefix('~') {
        Some(below) => std::env::home_dir()?.join(below.trim_start_matches('/')),
        None => project.join(path),
    };
    Some(place.join(STATE))
}

/// The beginning of a file, if it is there and has text.
fn beginning(file: &Path) -> Option<String> {
    let mut text = String::new();
    regular::open(file).ok()?.take(MOST).read_to_string(&mut text).ok()?;
    Some(text)
}

/// What somebody logged in to last.
fn current(credentials: &str) -> Option<String> {
    let credentials: serde_json::Value = serde_json::from_str(credentials).ok()?;
    credentials.get("current")?.as_str().map(str::to_owned)
}

/// The address below `backend` in a project's file: in JSON, or in the two spellings of YAML that people use.
fn url(project: &str) -> Option<String> {
    if let Ok(project) = serde_json::from_str::<serde_json::Value>(project) {
        return project.get("backend")?.get("url")?.as_str().map(str::to_owned);
    }
    let mut within = false;
    for line in project.lines() {
        let beneath = line.starts_with([' ', '\t']);
        let line = line.split(" #").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let said = match line.strip_prefix("backend:") {
            Some(inline) if !beneath => {
                within = true;
                inline.trim().trim_start_matches('{').trim_end_matches('}').trim()
            }
            _ if beneath && within => line,
            _ => {
                within = false;
                continue;
            }
        };
        if let Some(url) = said.split(',').find_map(|member| member.trim().strip_prefix("url:")) {
            return Some(url.trim().trim_matches(['"', '\'']).to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_project_and_a_login_name_a_directory_in_any_spelling() {
        for file in [
            "name: x\nbackend:\n  url: file:///srv/state\nruntime: yaml\n",
            "backend:\n\n  # ours\n  url: 'file:///srv/state' # shared\n",
            "backend: { url: \"file:///srv/state\" }\n",
            "config:\n  url: file:///other\nbackend:\n  url: file:///srv/state",
            r#"{ "name": "x", "backend": { "url": "file:///srv/state" } }"#,
        ] {
            assert_eq!(url(file).as_deref(), Some("file:///srv/state"), "{file}");
        }
        for file in [
            "",
            "\0",
            "url: x",
            "backend:\nurl: x",
            "backend: {}",
            "config:\n  backend:\n  url: x",
            r#"{"url":"x"}"#,
            "[]",
        ] {
            assert_eq!(url(file), None, "{file}");
        }
        let project = Path::new("/project");
        let means = |url: &str| directory(url, project);
        assert_eq!(means("file:///srv/state?create_dir=true"), Some("/srv/state/.pulumi".into()));
        assert_eq!(means("file://./state"), Some("/project/./state/.pulumi".into()));
        assert_eq!(means("file://~"), Some(std::env::home_dir().unwrap().join(".pulumi")));
        assert_eq!(means("s3://bucket"), None);
        assert_eq!(current(r#"{"current":"file://~/s","accessTokens":{}}"#).as_deref(), Some("file://~/s"));
        assert!(current("{").is_none() && current("[]").is_none() && current(r#"{"current":1}"#).is_none());
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
        fs::write(project.join("Pulumi.yml"), format!("backend:\n  url: {url}\n")).unwrap();
        assert!(found());
        fs::remove_file(project.join("Pulumi.yml")).unwrap();
        fs::write(project.join("Pulumi.json"), format!(r#"{{"backend":{{"url":"{url}"}}}}"#)).unwrap();
        assert!(found());
    }
}
