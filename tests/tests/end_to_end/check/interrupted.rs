//! What `bulkhead check --lifecycle` leaves behind when somebody interrupts it: nothing, unless that is asked for twice.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use bulkhead_tests::{Process, temporary_directory};
use rustix::process::Signal;
use serde_json::json;

use crate::{bulkhead, guest};

/// A check that is in the middle of the slow creation of a type, and the directory in which its records lie.
fn creating(kind: &str) -> (Process, tempfile::TempDir) {
    let directory = temporary_directory();
    let (inputs, audit) = (directory.path().join("inputs.json"), directory.path().join("audit.jsonl"));
    let (slow, token) = (guest("slow"), format!("slow:index:{kind}"));
    let mut seconds = json!({ "slow:index:Polite": { "seconds": 0 }, "slow:index:Stubborn": { "seconds": 0 } });
    seconds[&token]["seconds"] = json!(120);
    fs::write(&inputs, seconds.to_string()).unwrap();
    let arguments = ["check".as_ref(), slow.component.as_os_str(), "--lifecycle".as_ref(), "--inputs".as_ref()];
    let mut command = bulkhead().command(arguments.into_iter().chain([inputs.as_os_str()]));
    let mut process = Process::start(command.env("BULKHEAD_AUDIT", audit));
    let is_created = |line: &str| line.contains(&token) && line.contains("\"function\":\"checkpoint\"");
    while !recorded(directory.path()).lines().any(is_created) {
        assert!(!process.has_ended(), "nothing was created: {}", process.said());
        sleep(Duration::from_millis(20));
    }
    (process, directory)
}

fn recorded(directory: &Path) -> String {
    fs::read_to_string(directory.join("audit.jsonl")).unwrap_or_default()
}

#[test]
fn an_interrupted_check_deletes_what_it_has_created() {
    let (process, directory) = creating("Polite");
    process.signal(Signal::INT);
    let ended = process.finish();
    assert_eq!(ended.code, Some(1), "{ended}");
    assert!(ended.stderr.starts_with("warning: interrupted: what was created is deleted first"), "{ended}");
    assert!(ended.stdout.contains("the check was interrupted: what would have come next wasn't tried"), "{ended}");
    assert!(!ended.stdout.contains("error "), "it is no mistake of the provider's, and nothing is left: {ended}");
    let recorded = recorded(directory.path());
    let is_deleted = |line: &str| line.contains("\"rpc\":\"Delete\"") && line.contains("\"outcome\":\"ok\"");
    assert!(recorded.lines().any(is_deleted), "{recorded}");
    assert!(!recorded.contains("slow:index:Stubborn"), "nothing else is begun: {recorded}");
}

#[test]
fn a_check_that_is_interrupted_twice_ends_at_once() {
    let (mut process, directory) = creating("Stubborn");
    process.signal(Signal::INT);
    process.wait_until_it_says("once more ends at once");
    process.signal(Signal::INT);
    let ended = process.finish();
    assert_eq!(ended.code, Some(1), "{ended}");
    assert!(ended.stderr.contains("interrupted twice; what it has created may still be there"), "{ended}");
    let is_deleted = |line: &str| line.contains("\"rpc\":\"Delete\"") && line.contains("slow:index:Stubborn");
    assert!(!recorded(directory.path()).lines().any(is_deleted));
}
