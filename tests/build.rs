//! A fixture that no test names doesn't compile: what nobody looks at shows nothing.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    for directory in ["guests", "tests"] {
        println!("cargo::rerun-if-changed={directory}");
    }
    let mut tests = String::new();
    read(Path::new("tests"), &mut tests);
    for fixture in entries(Path::new("guests")) {
        let name = fixture.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if fixture.join("Cargo.toml").exists() && !tests.contains(&format!("\"{name}\"")) {
            println!("cargo::error=no test names the guest `{name}` of tests/guests; write one, or remove the guest");
        }
    }
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// The sources below a directory.
fn read(directory: &Path, sources: &mut String) {
    for path in entries(directory) {
        if path.is_dir() {
            read(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push_str(&fs::read_to_string(&path).unwrap_or_default());
        }
    }
}
