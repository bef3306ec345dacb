//! What a release is linked with first (`first.ld`) speaks of the code that is there: a list that nobody made anew after much was moved
//! would do nothing, and nothing else would say so.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops where something is wrong")]

use std::fs;
use std::path::Path;

/// The names that a mangled path consists of, outermost first: each stands behind its length.
fn segments(mangled: &str) -> Vec<&str> {
    let mut rest = mangled;
    let mut segments = Vec::new();
    while let Some(digits) = rest.find(|c: char| !c.is_ascii_digit()).filter(|digits| *digits > 0) {
        let (length, behind) = rest.split_at(digits);
        let Some((segment, behind)) = behind.split_at_checked(length.parse().unwrap()) else { break };
        segments.push(segment);
        rest = behind;
    }
    segments
}

#[test]
fn modules_that_are_linked_first_exist() {
    let host = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = fs::read_to_string(host.join("first.ld")).unwrap();
    let paths = list.lines().filter_map(|line| line.split_once("._ZN").map(|(_, path)| segments(path)));
    let own: Vec<_> = paths.filter(|path| path.first() == Some(&"bulkhead") && path.len() > 3).collect();
    let is_there = |path: &&Vec<&str>| {
        let module = host.join("src").join(path[1]);
        module.with_extension("rs").is_file()
            || module.join(path[2]).is_dir()
            || module.join(path[2]).with_extension("rs").is_file()
    };
    let there = own.iter().filter(is_there).count();
    assert!(own.len() > 50, "of this crate it lists {} functions alone", own.len());
    let all = own.len();
    let hint = "hint: make it anew with `cargo run --release -p bulkhead-benchmarks -- order` (docs/performance.md)";
    assert!(there * 10 >= all * 9, "of {all} functions only {there} are of modules that exist; {hint}");
}
