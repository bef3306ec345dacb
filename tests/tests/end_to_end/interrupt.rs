//! What is left when somebody interrupts: nothing that runs, and a record of everything that exists.

use std::time::{Duration, Instant};

use bulkhead_tests::{Project, in_time, quiet_within, running};
use rustix::process::Signal;
use serde_json::json;

use crate::project;

/// A project with one slow resource.
fn slow(kind: &str, announced: bool) -> Project {
    let project = project("slow");
    project.program(&format!(
        "resources:\n  it: {{type: 'slow:{kind}', properties: {{seconds: 120, announced: {announced}}}}}\n"
    ));
    project
}

#[tokio::test]
async fn an_interrupted_create_is_kept_on_record() {
    let project = in_time(3, async || {
        let project = slow("Polite", true);
        let mut up = project.start_up();
        up.wait_until_it_says("waiting for readiness");
        let interrupted = Instant::now();
        up.signal(Signal::INT);
        up.finish().failed();
        let took = interrupted.elapsed();
        let state = project.state();
        assert_eq!(state.resource("it")["id"], "polite-1");
        assert_eq!(state.output("it", "ready"), false);
        assert!(state.resource("it")["initErrors"][0].as_str().unwrap().contains("cancelled"), "{state}");
        assert!(quiet_within(&project.plugins(), Duration::from_secs(5)));
        // The guest stops waiting when it is asked to. The host would end it after its grace.
        (took < Duration::from_secs(10)).then_some(project)
    })
    .await;

    // It became ready in the meantime, which is all that the next command has to find out.
    let next = project.up(&[]).succeeded();
    let state = project.state();
    assert_eq!(state.resource("it")["id"], "polite-1");
    assert_eq!(state.output("it", "ready"), true, "{next}");
    assert_eq!(state.resource("it")["initErrors"], json!(null));
}

#[test]
fn an_interrupted_create_that_announced_nothing_made_nothing() {
    let project = slow("Polite", false);
    let mut up = project.start_up();
    up.wait_until_it_says("waiting for readiness");
    up.signal(Signal::INT);
    let ended = up.finish().failed();
    assert!(ended.output().contains("the operation was cancelled"), "{ended}");
    assert!(!project.state().has("it"));
}

#[test]
fn a_guest_that_does_not_listen_is_stopped_and_kept_on_record() {
    let project = slow("Stubborn", true);
    let mut up = project.start_up();
    up.wait_until_it_says("computing");
    let interrupted = Instant::now();
    up.signal(Signal::INT);
    let ended = up.finish().failed();
    let took = interrupted.elapsed();
    assert!((Duration::from_secs(9)..Duration::from_secs(25)).contains(&took), "10 s of grace, not {took:?}: {ended}");
    assert_eq!(project.state().resource("it")["id"], "stubborn-1");
    assert!(quiet_within(&project.plugins(), Duration::from_secs(5)));
}

#[test]
fn a_killed_engine_leaves_no_plugin_behind() {
    for kind in ["Polite", "Stubborn"] {
        let project = slow(kind, true);
        let mut up = project.start_up();
        up.wait_until_it_says(if kind == "Polite" { "waiting for readiness" } else { "computing" });
        assert!(!running(&project.plugins()).is_empty(), "the plugin should run");
        up.signal(Signal::KILL);
        assert_eq!(up.finish().code, None);
        assert!(quiet_within(&project.plugins(), Duration::from_secs(10)), "{kind} outlived its engine");
    }
}
