//! A process of their own for the programs: what is left behind there, and what is said on its standard error, is theirs and no other test's.

use std::process::Command;

/// Set in that process.
const ALONE: &str = "RESTLESS_ALONE";

/// Whether this is that process.
pub(super) fn is_here() -> bool {
    std::env::var_os(ALONE).is_some()
}

/// Runs a test there, which has to pass. What it said on its standard output and its standard error.
pub(super) fn passed(test: &str) -> [String; 2] {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(ALONE, "");
    let ended = command.output().unwrap();
    let said = [ended.stdout, ended.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    assert!(ended.status.success(), "{}\n{}", ended.status, said.join("\n"));
    said
}
