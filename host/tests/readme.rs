//! What the README shows is what the tree holds.

#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

#[test]
fn the_provider_in_the_readme_is_the_example() {
    let source = read("examples/random-string/src/lib.rs");
    assert!(read("README.md").contains(&source), "README.md shows another provider than examples/random-string");
    let code = source.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//")).count();
    assert!(code <= 60, "a provider is short to write, and this one has {code} lines");
}

#[test]
fn every_place_that_the_readme_names_is_there() {
    let readme = read("README.md");
    let named =
        readme.split('`').skip(1).step_by(2).filter(|name| name.contains('/') && !name.contains([' ', '$', '~', '*']));
    let mut looked = 0;
    for name in named.filter(|name| !name.starts_with("./") && !name.starts_with("DIR")) {
        looked += 1;
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).exists(), "README.md names {name}");
    }
    assert!(looked > 5, "the README names places");
}
