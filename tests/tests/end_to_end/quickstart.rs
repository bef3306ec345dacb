//! What a newcomer sees first.

use std::process::Command;

use bulkhead_tests::run;

#[test]
fn the_quickstart_shows_a_whole_life() {
    let shown = run(&mut Command::new(env!("CARGO_BIN_EXE_quickstart"))).succeeded();
    let mut rest = shown.stdout.as_str();
    for next in [
        "$ bulkhead build",
        "$ bulkhead bundle",
        "$ pulumi preview",
        "4 to create",
        "$ pulumi up",
        "connection : [secret]",
        "4 created",
        "$ pulumi up",
        "4 unchanged",
        "$ pulumi stack output",
        "$ pulumi destroy",
        "4 deleted",
        "Everything succeeded",
    ] {
        rest = rest.split_once(next).unwrap_or_else(|| panic!("`{next}` should come next: {shown}")).1;
    }
}

#[test]
fn a_quickstart_that_cannot_go_on_fails_with_a_hint() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quickstart"));
    // Neither Rust nor Go is to be found.
    let failed = run(command.env("PATH", "/proc/nonexistent").env_remove("CARGO")).failed();
    assert!(failed.output().contains("hint: "), "{failed}");
    assert!(!failed.stdout.contains("succeeded"), "{failed}");
}
