//! What exists elsewhere, under the real engine: drift, normalisation, what is gone, and what can't be looked up.

use serde_json::json;

use crate::project;

/// A project whose provider is configured as it requires.
fn configured() -> bulkhead_tests::Project {
    let project = project("behaviours");
    project.pulumi(["config", "set", "behaviours:label", "a"]).succeeded();
    project
}

fn existing(name: &str, act: &str) -> String {
    format!("  {name}: {{type: behaviours:Existing, properties: {{act: {act}, text: quiet}}}}\n")
}

#[test]
fn drift_shows_normalisation_does_not_and_what_is_gone_goes() {
    let project = configured();
    let all = ["live", "normalise", "drift", "vanish", "notFound"];
    let resources: String = all.iter().map(|act| existing(act, act)).collect();
    // A type without `read` takes part, and never drifts.
    let program =
        format!("resources:\n{resources}  mute: {{type: behaviours:Creating, properties: {{act: succeed}}}}\n");
    project.program(&program);
    project.up(&[]).succeeded();
    assert_eq!(project.state().output("normalise", "text"), "QUIET");

    let unchanged = project.preview(&[]).succeeded();
    assert!(unchanged.steps().is_empty(), "{unchanged}");
    let refreshed = project.refresh(&[]).succeeded();
    let mut steps = refreshed.steps();
    steps.sort();
    assert_eq!(steps, ["delete notFound", "delete vanish", "update drift"]);
    assert_eq!(refreshed.differences("drift"), [("text".to_owned(), "update".to_owned())].into());
    let state = project.state();
    assert_eq!(state.resource("normalise")["inputs"]["text"], "quiet", "as the program has it");
    assert_eq!(state.resource("drift")["inputs"]["text"], "somebody else was here");
    assert!(state.has("mute") && !state.has("vanish") && !state.has("notFound"));

    let mut steps = project.preview(&[]).succeeded().steps();
    steps.sort();
    assert_eq!(steps, ["create notFound", "create vanish", "update drift"], "the program brings it back");
}

#[test]
fn a_refresh_may_run_the_program() {
    let project = configured();
    let program = |text: &str| {
        format!(
            "resources:\n  it: {{type: behaviours:Existing, properties: {{act: drift, text: {text}}}}}\n\
             outputs: {{text: '${{it.text}}'}}\n"
        )
    };
    project.program(&program("quiet"));
    project.up(&[]).succeeded();
    project.program(&program("loud"));
    let refreshed = project.refresh(&["--run-program"]).succeeded();
    assert_eq!(refreshed.steps(), ["update it"]);
    assert_eq!(project.outputs(), json!({"text": "somebody else was here"}), "the program saw what was read");
    assert_eq!(project.state().resource("it")["inputs"]["text"], "somebody else was here");
}

#[test]
fn what_others_made_is_read_in_previews_too() {
    let project = configured();
    let get = |id: &str| {
        format!(
            "resources:\n  other: {{type: behaviours:Existing, get: {{id: {id}}}}}\noutputs: {{text: '${{other.text}}'}}\n"
        )
    };
    project.program(&get("'a b/é \u{1F980}'"));
    let preview = project.preview(&["--show-reads"]).succeeded();
    assert_eq!(preview.steps(), ["read other"]);
    project.up(&[]).succeeded();
    assert_eq!(project.outputs(), json!({"text": "found"}));
    let state = project.state();
    assert_eq!(state.resource("other")["id"], "a b/é \u{1F980}", "byte for byte");
    assert_eq!(state.resource("other")["external"], true);

    project.program(&get("nowhere"));
    for failed in [project.preview(&[]).failed(), project.up(&[]).failed()] {
        assert!(failed.output().contains("resource 'nowhere' does not exist"), "{failed}");
    }
}

#[test]
fn what_cannot_be_looked_up_says_so() {
    let project = configured();
    project.program("resources:\n  other: {type: behaviours:Creating, get: {id: made-1}}\n");
    let failed = project.preview(&[]).failed();
    let expected = "read the resource: `behaviours:index:Creating` can't be read or imported\n\
                    hint: the provider has no way to look such a resource up; create it instead";
    assert!(failed.messages("error").iter().any(|message| message.contains(expected)), "{failed}");
    let failed = project.import("behaviours:index:Creating", "other", "made-1").failed();
    assert!(failed.messages("error").iter().any(|message| message.contains(expected)), "{failed}");

    let missing = project.import("behaviours:index:Existing", "other", "nowhere").failed();
    assert!(missing.output().contains("resource 'nowhere' does not exist"), "{missing}");
    let imported = project.import("behaviours:index:Existing", "other", "x y/ü").succeeded();
    assert_eq!(imported.steps(), ["import other"]);
    assert_eq!(project.state().resource("other")["id"], "x y/ü");
}

/// SCH-20.
#[test]
fn what_has_no_schema_is_not_imported() {
    let project = configured();
    let failed = project.import("behaviours:index:Exsting", "other", "existing-1").failed();
    let expected = "the package `behaviours` has no resource type `behaviours:index:Exsting`\n\
                    hint: did you mean `behaviours:index:Existing`?";
    assert!(failed.messages("error").iter().any(|message| message.contains(expected)), "{failed}");
    assert!(project.state().names().is_empty());
}
