//! A process of their own for the programs: what is left behind there, and what is said on its standard error, is theirs and no other test's.

use std::process::Command;

/// There the allocator gives back what is free: else nobody could tell memory that it keeps for later from memory that somebody keeps.
const GIVES_BACK: [(&str, &str); 3] =
    [("MALLOC_ARENA_MAX", "1"), ("MALLOC_MMAP_THRESHOLD_", "65536"), ("MALLOC_TRIM_THRESHOLD_", "65536")];
/// Set in that process.
const ALONE: &str = "RESTLESS_ALONE";

/// Whether this is that process.
pub(super) fn is_here() -> bool {
    std::env::var_os(ALONE).is_some()
}

/// Runs a test there, which has to pass. What it said on its standard output and its standard error.
pub(super) fn passed(test: &str) -> [String; 2] {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(ALONE, "").envs(GIVES_BACK);
    let ended = command.output().unwrap();
    let said = [ended.stdout, ended.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    assert!(ended.status.success(), "{}\n{}", ended.status, said.join("\n"));
    said
}
