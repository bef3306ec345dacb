//! Views that a provider publishes while it works, as the real engine shows and records them.

use bulkhead_tests::{State, Update};
use serde_json::{Value, json};

use crate::project;

const TYPE: &str = "asking:index:Part";

fn program(show: &str) -> String {
    format!(
        "
resources:
  whole:
    type: asking:Viewed
    properties: {{show: {show}, hidden: {{fn::secret: hunter2-hunter2}}}}
outputs:
  known: ${{whole.known}}
"
    )
}

fn sorted(update: &Update) -> Vec<String> {
    let mut steps = update.steps();
    steps.sort();
    steps
}

/// The sizes that are on record of parts, by their names.
fn sizes<'a>(state: &'a State, names: &[&str]) -> Vec<&'a Value> {
    let whole = &state.resource("whole")["urn"];
    let size = |name: &&str| {
        let view = state.resource(name);
        assert_eq!((&view["viewOf"], &view["parent"], &view["type"]), (whole, whole, &json!(TYPE)), "{name}");
        &view["outputs"]["size"]
    };
    names.iter().map(size).collect()
}

#[test]
fn what_a_provider_shows_is_recorded_beneath_its_resource() {
    let project = project("asking");
    project.program(&program("plain"));
    let preview = project.preview(&[]).succeeded();
    assert_eq!(preview.steps(), ["create whole"], "nothing runs in a preview that could show any");
    // Shown in whole: what changed in a view that is new would be the end of the engine then.
    let up = project.up(&["--diff"]).succeeded();
    assert_eq!(sorted(&up), ["create one", "create two", "create whole"], "{up}");
    let state = project.state_in_clear();
    assert_eq!(sizes(&state, &["one", "two"]), [&json!(3), &Value::Null]);
    assert_eq!(state.output("one", "copy")["plaintext"], "\"hunter2-hunter2\"", "a secret is one in a view too");
    assert!(
        !project.files().replace("{fn::secret: hunter2-hunter2}", "").contains("hunter2-hunter2"),
        "nor is it on disk in clear"
    );
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());

    // What is on record reaches the provider again.
    let refresh = project.refresh(&[]).succeeded();
    assert!(refresh.steps().iter().all(|step| step.starts_with("refresh")), "{refresh}");
    let known = |size| {
        json!([format!("{TYPE} one beneath the resource, {size}"), format!("{TYPE} two beneath the resource, None")])
    };
    assert_eq!(project.state().output("whole", "known"), &known("Some(3.0)"));
    assert_eq!(sizes(&project.state(), &["one", "two"]), [&json!(3), &Value::Null]);

    project.program(&program("nameless"));
    assert_eq!(project.preview(&[]).succeeded().steps(), ["update whole"]);
    assert_eq!(sorted(&project.up(&[]).succeeded()), ["update one", "update two", "update whole"]);
    assert_eq!(project.outputs()["known"], known("Some(3.0)"));
    assert_eq!(sizes(&project.state(), &["one", "two"]), [&json!(4), &json!(4)]);

    project.program(&program("other"));
    let steps = sorted(&project.up(&[]).succeeded());
    assert_eq!(steps, ["create three", "create two", "delete two", "update whole"]);
    assert_eq!(sizes(&project.state(), &["one", "two", "three"]), [&json!(4), &json!(7), &Value::Null]);

    project.program(&program("replaced"));
    let up = project.up(&[]).succeeded();
    let steps = sorted(&up);
    for name in ["one", "two", "three"] {
        for step in ["create-replacement", "replace", "delete-replaced"] {
            assert!(steps.contains(&format!("{step} {name}")), "{steps:?}");
        }
    }
    assert_eq!(sizes(&project.state(), &["one", "two", "three"]), [&json!(9), &json!(9), &json!(9)]);
    assert_eq!(project.state().names().len(), 4, "the old ones are gone: {}", project.state());

    let destroyed = sorted(&project.destroy(&[]).succeeded());
    assert_eq!(destroyed, ["delete one", "delete three", "delete two", "delete whole"]);
    assert!(project.state().names().is_empty());
}

/// A view's URN says nothing of the resource that it is beneath: engines don't read a state again that has one of them twice.
#[test]
fn resources_of_a_type_may_call_their_parts_alike() {
    let project = project("asking");
    let resource =
        |name: &str, show: &str| format!("  {name}: {{type: asking:Viewed, properties: {{show: {show}}}}}\n");
    let both = |first: &str, second: &str| format!("\nresources:\n{}{}", resource("a", first), resource("b", second));
    project.program(&format!("\nresources:\n{}", resource("a", "plain")));
    project.up(&[]).succeeded();
    project.program(&both("plain", "plain"));
    assert_eq!(sorted(&project.up(&[]).succeeded()), ["create b", "create one", "create two"]);
    project.refresh(&[]).succeeded();
    project.program(&both("other", "replaced"));
    project.up(&[]).succeeded();
    let state = project.state();
    let mut names = state.names();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "one", "one", "three", "two", "two"]);
    project.program(&format!("\nresources:\n{}", resource("b", "plain")));
    project.up(&[]).succeeded();
    assert_eq!(project.state().names().len(), 3, "{}", project.state());
    project.destroy(&[]).succeeded();
    assert!(project.state().names().is_empty());
}

#[test]
fn a_view_that_failed_ends_the_update_and_leaves_what_was_done() {
    let project = project("asking");
    project.program(&program("well"));
    // The engine takes the error of a view for one of its resource, whose creation it has recorded.
    let up = project.up(&[]).failed();
    assert_eq!(sorted(&up), ["create one", "create whole", "failed two"], "{up}");
    assert!(up.output().contains("half of it"), "{up}");
    let state = project.state();
    assert_eq!(sizes(&state, &["one", "two"]), [&json!(3), &Value::Null], "in part is recorded");
    assert_eq!(state.resource("whole")["id"], "viewed-1");

    project.program(&program("plain"));
    assert_eq!(sorted(&project.up(&[]).succeeded()), ["update one", "update two", "update whole"]);
    project.program(&program("well"));
    assert!(project.up(&[]).failed().output().contains("half of it"));
    assert_eq!(project.state().output("whole", "show"), "well");
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty(), "nothing is left to do");
    project.destroy(&[]).succeeded();
    assert!(project.state().names().is_empty());
}

#[test]
fn what_fails_leaves_a_state_to_go_on_from() {
    let project = project("asking");
    project.program(&program("failing"));
    let up = project.up(&[]).failed();
    assert_eq!(up.steps(), ["failed whole"], "{up}");
    assert!(project.state().names().is_empty(), "a view of nothing is none: {}", project.state());

    project.program(&program("plain"));
    project.up(&[]).succeeded();
    project.program(&program("failing"));
    let up = project.up(&[]).failed();
    assert_eq!(sorted(&up), ["failed whole"], "{up}");
    assert_eq!(sizes(&project.state(), &["one", "two"]), [&json!(3), &Value::Null], "as they were");
    assert_eq!(project.state().output("whole", "show"), "plain");
    project.program(&program("plain"));
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
    project.destroy(&[]).succeeded();
}

#[test]
fn views_go_with_their_resource_though_its_provider_forgets_them() {
    let project = project("asking");
    for (show, destroyed) in [("forgotten", true), ("gone", false)] {
        project.program(&program(show));
        project.up(&[]).succeeded();
        assert_eq!(project.state().names().len(), 3);
        if destroyed {
            assert_eq!(sorted(&project.destroy(&[]).succeeded()), ["delete one", "delete two", "delete whole"]);
        } else {
            project.refresh(&[]).succeeded();
        }
        assert!(project.state().names().is_empty(), "{show}: {}", project.state());
    }
    assert!(project.up(&[]).succeeded().steps().contains(&"create whole".to_owned()));
    project.destroy(&[]).succeeded();
}

#[test]
fn views_are_replaced_with_their_resource() {
    let project = project("asking");
    let at = |place: &str, first: bool| {
        let options = format!("type: asking:Viewed\n    options: {{deleteBeforeReplace: {first}}}");
        let program = program("plain").replace("type: asking:Viewed", &options);
        program.replace("show: plain", &format!("show: plain, place: {place}"))
    };
    project.program(&at("north", true));
    project.up(&[]).succeeded();
    // Between creation and deletion both are on record, with the views of either.
    for (place, first) in [("south", true), ("west", false)] {
        project.program(&at(place, first));
        let steps = sorted(&project.up(&[]).succeeded());
        assert!(steps.contains(&"delete one".to_owned()) && steps.contains(&"create one".to_owned()), "{steps:?}");
        let state = project.state();
        assert_eq!((state.names().len(), state.output("whole", "place")), (3, &json!(place)));
        assert_eq!(sizes(&state, &["one", "two"]), [&json!(3), &Value::Null]);
    }
    project.refresh(&[]).succeeded();
    project.destroy(&[]).succeeded();
}
