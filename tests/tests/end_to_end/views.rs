//! Views that a provider publishes while it works, as the real engine shows and records them.

use serde_json::json;

use crate::project;

fn program(show: &str) -> String {
    format!(
        "
resources:
  whole:
    type: asking:Viewed
    properties: {{show: {show}, hidden: {{fn::secret: hunter2}}}}
outputs:
  known: ${{whole.known}}
"
    )
}

#[test]
fn what_a_provider_shows_is_recorded_beneath_its_resource() {
    let project = project("asking");
    project.program(&program("plain"));
    let up = project.up(&[]).succeeded();
    let mut steps = up.steps();
    steps.sort();
    assert_eq!(steps, ["create one", "create two", "create whole"], "{up}");
    let state = project.state_in_clear();
    let (whole, one, two) = (state.resource("whole"), state.resource("one"), state.resource("two"));
    assert_eq!((&one["type"], &one["viewOf"]), (&json!("asking:index:Part"), &whole["urn"]));
    assert_eq!((&two["viewOf"], &two["parent"]), (&whole["urn"], &one["urn"]), "a view beneath another");
    assert_eq!(one["outputs"]["size"], 3);
    assert_eq!(one["outputs"]["copy"]["plaintext"], "\"hunter2\"", "a secret is one in a view too: {one}");
    assert!(!project.files().contains("hunter2"), "nor is it on disk in clear");

    // What is on record reaches the provider again.
    assert!(project.refresh(&[]).succeeded().steps().iter().all(|step| !step.starts_with("delete")));
    project.program(&program("invented"));
    project.up(&[]).succeeded();
    let known = ["asking:index:Part one beneath the resource, Some(3.0)", "asking:index:Part two beneath one, None"];
    assert_eq!(project.outputs()["known"], json!(known));
    let mut steps = project.destroy(&[]).succeeded().steps();
    steps.sort();
    assert_eq!(steps, ["delete one", "delete two", "delete whole"]);
    assert!(project.state().names().is_empty());
}
