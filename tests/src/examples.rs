//! Guests of which there are very many: each is an example of one crate, so that what they have in common is compiled once.
//!
//! They are built by cargo alone, without `bulkhead build`: their schemas are behind an export, and a host asks for them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::OnceLock;

use crate::guest::repository;
use crate::process::cargo;
use crate::target;

/// The component of an example of `tests/guests/hostile`.
#[track_caller]
pub fn hostile(name: &str) -> Vec<u8> {
    static BUILT: OnceLock<BTreeMap<String, PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| target::exclusively("guests.lock", || build("tests/guests/hostile")));
    let path = built.get(name).unwrap_or_else(|| panic!("`{name}` should be among the examples: {:?}", built.keys()));
    std::fs::read(path).expect("an example should be readable once it is built")
}

/// Builds all examples of a crate: their files, by name.
#[track_caller]
fn build(directory: &str) -> BTreeMap<String, PathBuf> {
    let directory = repository().join(directory);
    let mut command = cargo();
    command.current_dir(&directory).args(["build", "--examples", "--locked", "--target", "wasm32-wasip2"]);
    command.args(["--message-format", "json-render-diagnostics"]);
    // There are very many, so nobody says how long it may take.
    let built = command.stderr(Stdio::inherit()).output().expect("cargo should start");
    assert!(built.status.success(), "cargo should build the examples of {}", directory.display());
    let stdout = String::from_utf8_lossy(&built.stdout).into_owned();
    let messages = stdout.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let example = |message: serde_json::Value| {
        let target = message.get("target").filter(|target| target["kind"][0] == "example")?;
        let name = target["name"].as_str()?.to_owned();
        let files = message["filenames"].as_array()?.iter().filter_map(|file| file.as_str());
        Some((name, files.map(PathBuf::from).find(|file| file.extension().is_some_and(|kind| kind == "wasm"))?))
    };
    messages.filter_map(example).collect()
}
