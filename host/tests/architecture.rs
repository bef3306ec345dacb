//! The picture in `ARCHITECTURE.md`, held against the `use` lines: arrows go one way.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where something is wrong"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A module, what it may import from the crate, and what of the outside it may not mention.
const RULES: &[(&str, &[&str], &[&str])] = &[
    ("audit", &["legible", "regular"], &["bulkhead_proto", "tonic", "prost", "wasmtime", "wasmtime_wasi"]),
    (
        "cli",
        &["component", "conformance", "legible", "plugin", "process", "regular", "scarcity"],
        &["bulkhead_proto", "tonic", "prost"],
    ),
    ("conformance", &["audit", "rpc", "component", "provider", "scarcity"], &["wasmtime", "wasmtime_wasi"]),
    (
        "plugin",
        &[
            "audit",
            "rpc",
            "component",
            "legible",
            "process",
            "project_files",
            "provider",
            "real_path",
            "regular",
            "scarcity",
            "telemetry",
            "user_places",
        ],
        &["wasmtime"],
    ),
    ("rpc", &["audit", "legible", "provider", "threads"], &["wasmtime", "wasmtime_wasi"]),
    ("provider", &["audit", "legible"], &["bulkhead_proto", "tonic", "prost", "wasmtime", "wasmtime_wasi"]),
    (
        "component",
        &[
            "audit", "provider", "wit", "imports", "store", "assets", "outgoing", "regular", "scarcity", "threads",
            "told",
        ],
        &["bulkhead_proto", "tonic", "prost"],
    ),
    ("wit", &["assets", "provider"], &["bulkhead_proto", "tonic", "prost", "wasmtime_wasi"]),
    (
        "store",
        &[
            "audit",
            "legible",
            "provider",
            "wit",
            "assets",
            "outgoing",
            "project_files",
            "real_path",
            "regular",
            "user_places",
        ],
        &["bulkhead_proto", "tonic", "prost"],
    ),
    (
        "imports",
        &["audit", "store", "wit", "provider", "assets", "outgoing", "scarcity", "threads"],
        &["bulkhead_proto", "tonic", "prost"],
    ),
    ("telemetry", &["audit", "legible"], &["wasmtime", "wasmtime_wasi"]),
    (
        "outgoing",
        &["legible", "regular", "told"],
        &["bulkhead_proto", "tonic", "prost", "wasmtime", "wasmtime_wasi", "wasmtime_wasi_http"],
    ),
    ("assets", &[], &["bulkhead_proto", "tonic", "prost", "wasmtime", "wasmtime_wasi"]),
];

fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

fn host() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Modules of the crate named after `crate::`, also within braces.
fn crate_imports(source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rest in source.split("crate::").skip(1) {
        let name: String =
            rest.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect();
        assert!(
            !name.is_empty(),
            "braces right after `crate::` hide what is imported: {}",
            rest.lines().next().unwrap()
        );
        found.insert(name);
    }
    found
}

#[test]
fn every_module_keeps_to_its_arrows() {
    let mut broken = Vec::new();
    for (module, allowed, banned) in RULES {
        for path in sources(&host().join("src").join(module)) {
            let source = fs::read_to_string(&path).unwrap();
            for import in crate_imports(&source) {
                if import != *module && !allowed.contains(&import.as_str()) {
                    broken.push(format!("{}: `{module}` may not import `{import}`", path.display()));
                }
            }
            for name in *banned {
                let mentions = |line: &str| {
                    let line = line.trim_start();
                    !line.starts_with("//")
                        && (line.contains(&format!("{name}::")) || line.starts_with(&format!("use {name}")))
                };
                if source.lines().any(mentions) {
                    broken.push(format!("{}: `{module}` may not mention `{name}`", path.display()));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_module_has_a_rule_and_a_row() {
    let picture = fs::read_to_string(host().join("ARCHITECTURE.md")).unwrap();
    for entry in fs::read_dir(host().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            assert!(RULES.iter().any(|(module, _, _)| *module == name), "`{name}` has no rule");
        }
        if name != "lib" {
            assert!(picture.contains(&format!("`{name}`")), "`{name}` has no row in ARCHITECTURE.md");
        }
    }
}

#[test]
fn module_roots_hold_no_logic() {
    for path in sources(&host().join("src")) {
        let name = path.file_name().unwrap();
        if name == "mod.rs" || name == "lib.rs" {
            let source = fs::read_to_string(&path).unwrap();
            assert!(!source.contains("fn "), "{} holds logic", path.display());
            assert!(source.starts_with("//!"), "{} has no docs", path.display());
        }
    }
}

#[test]
fn files_stay_small_enough_to_read() {
    for path in sources(&host().join("src")) {
        let source = fs::read_to_string(&path).unwrap();
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count();
        assert!(lines <= 500, "{} has {lines} lines of code", path.display());
    }
}
