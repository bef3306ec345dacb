//! The licences of everything that is linked in, against the list in `deny.toml`. cargo-deny does more where it can be had; this
//! works with nothing but Cargo.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where something is wrong"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn allowed() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let list = text.split("allow = [").nth(1).unwrap().split(']').next().unwrap();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether one alternative of an SPDX expression is allowed as a whole. Old crates write `/` for OR.
fn acceptable(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let flat = expression.replace('/', " OR ").replace(['(', ')'], "");
    flat.split(" OR ").any(|alternative| alternative.split(" AND ").all(|licence| allowed.contains(licence.trim())))
}

fn unacceptable(manifest: &Path) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(manifest)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 5, "the metadata has packages");
    let allowed = allowed();
    let licence = |package: &Value| package["license"].as_str().unwrap_or("none").to_owned();
    let bad = packages.iter().filter(|package| !acceptable(&licence(package), &allowed));
    bad.map(|package| format!("{} {}: {}", package["name"], package["version"], licence(package))).collect()
}

#[test]
fn everything_linked_in_is_permissively_licensed() {
    for workspace in [
        "Cargo.toml",
        "benchmarks/guest/Cargo.toml",
        "providers/Cargo.toml",
        "examples/random-string/Cargo.toml",
        "tests/guests/Cargo.toml",
    ] {
        let bad = unacceptable(&root().join(workspace));
        assert!(bad.is_empty(), "{workspace}: {}", bad.join("\n"));
    }
}

#[test]
fn an_alternative_counts_only_as_a_whole() {
    let allowed = BTreeSet::from(["MIT".to_owned(), "Unicode-3.0".to_owned()]);
    assert!(acceptable("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
    assert!(acceptable("GPL-3.0/MIT", &allowed));
    assert!(!acceptable("GPL-3.0", &allowed));
    assert!(!acceptable("none", &allowed));
}
