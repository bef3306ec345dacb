//! The tests that providers have of their own: they are of other workspaces, whose targets `cargo test` doesn't know.

use std::process::Stdio;

use bulkhead_tests::{cargo, repository};

#[test]
fn tests_of_the_providers_and_of_the_example_pass() {
    for (workspace, crates) in [("providers", 2), ("examples/random-string", 1)] {
        let mut command = cargo();
        command.current_dir(repository().join(workspace)).args(["test", "--workspace", "--lib", "--locked"]);
        // They may have to be compiled, so nobody says how long it may take.
        let tested = command.stderr(Stdio::inherit()).output().expect("cargo should start");
        let stdout = String::from_utf8_lossy(&tested.stdout);
        assert!(tested.status.success(), "{workspace}: {stdout}");
        let passed =
            stdout.lines().filter(|line| line.starts_with("test result: ok. ") && !line.contains(" 0 passed;"));
        assert_eq!(passed.count(), crates, "each crate of {workspace} has tests: {stdout}");
    }
}
