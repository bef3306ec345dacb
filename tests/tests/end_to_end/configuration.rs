//! Configuration: of the default provider, of explicit ones, and what functions see of it.

use serde_json::json;

use crate::project;

const PAGE: &str = "
resources:
  page:
    type: notes:Page
    properties: {notebook: plans, heading: {text: first, level: 1}}
";

#[test]
fn the_stacks_configuration_reaches_the_default_provider() {
    let project = project("notes");
    project.program(PAGE);
    project.pulumi(["config", "set", "notes:author", "Ada"]).succeeded();
    project.up(&[]).succeeded();
    assert_eq!(project.state().output("page", "author"), "Ada");

    project.pulumi(["config", "set", "notes:author", "Grace"]).succeeded();
    let changed = project.up(&[]).succeeded();
    assert!(changed.steps().is_empty(), "the provider changes in place, and so no page: {changed}");
    assert_eq!(project.state().providers()[0]["inputs"]["author"], "Grace");

    project.pulumi(["config", "set", "notes:autor", "Ada"]).succeeded();
    let refused = project.up(&[]).failed();
    insta::assert_snapshot!(
        refused.messages("error").join("\n"),
        @"default: pulumi:providers:notes resource 'default' has a problem: autor: unknown property 'autor'; did you mean 'author'? hint: remove it with `pulumi config rm notes:autor`"
    );
    project.pulumi(["config", "rm", "notes:autor"]).succeeded();
    project.up(&[]).succeeded();
}

#[test]
fn explicit_providers_have_configurations_of_their_own() {
    let project = project("notes");
    project.program(
        "
resources:
  ada: {type: 'pulumi:providers:notes', properties: {author: Ada}}
  grace: {type: 'pulumi:providers:notes', properties: {author: Grace}}
  first:
    type: notes:Page
    properties: {notebook: plans, heading: {text: first, level: 1}}
    options: {provider: '${ada}'}
  second:
    type: notes:Page
    properties: {notebook: plans, heading: {text: second, level: 1}}
    options: {provider: '${grace}'}
",
    );
    project.up(&[]).succeeded();
    let state = project.state();
    assert_eq!((state.output("first", "author"), state.output("second", "author")), (&"Ada".into(), &"Grace".into()));
    let unchanged = project.up(&["--expect-no-changes"]).succeeded();
    assert!(unchanged.steps().is_empty(), "{unchanged}");
}

#[test]
fn functions_are_called_with_what_is_known() {
    let project = project("notes");
    project.program(&format!(
        "{PAGE}
variables:
  counted: {{'fn::invoke': {{function: 'notes:count', arguments: {{text: 'page ${{page.id}} of many'}}}}}}
outputs:
  words: ${{counted.words}}
"
    ));
    project.preview(&[]).succeeded();
    project.up(&[]).succeeded();
    assert_eq!(project.outputs(), json!({"words": 4}));
}

/// Everything that can be configured: a string, a number, an object, a map and a secret.
const SEEN: &str = "
variables:
  seen: {'fn::invoke': {function: 'behaviours:configuration', arguments: {}}}
  password: {'fn::invoke': {function: 'behaviours:password', arguments: {}}}
outputs:
  seen: ${seen}
  length: ${password.length}
";

fn seen(label: &str) -> serde_json::Value {
    json!({
        "length": 7,
        "seen": {"label": label, "retries": 3, "place": {"host": "h", "port": 8080}, "tags": {"a": "1"}},
    })
}

#[test]
fn configuration_of_every_type_arrives_typed() {
    let project = project("behaviours");
    let set = |arguments: &[&str]| {
        project.pulumi([&["config", "set"], arguments].concat()).succeeded();
    };
    set(&["behaviours:label", "a"]);
    set(&["behaviours:retries", "3"]);
    set(&["--path", "behaviours:place.host", "h"]);
    set(&["--path", "behaviours:place.port", "8080"]);
    set(&["--path", "behaviours:tags", r#"{"a": "1"}"#, "--type", "string"]);
    set(&["--secret", "behaviours:password", "hunter2"]);
    project.program(SEEN);
    project.preview(&[]).succeeded();
    let up = project.up(&[]).succeeded();
    assert_eq!(project.outputs(), seen("a"));
    assert!(!up.output().contains("hunter2") && !project.files().contains("hunter2"));

    let unchanged = project.up(&["--expect-no-changes"]).succeeded();
    assert!(unchanged.steps().is_empty(), "{unchanged}");

    set(&["behaviours:retries", "many"]);
    let refused = project.up(&[]).failed();
    let told = refused.messages("error").join("\n");
    assert!(told.contains("retries: expected an integer, got a string"), "{told}");
}

#[test]
fn an_explicit_provider_takes_the_same_from_its_program() {
    let project = project("behaviours");
    let program = |label: &str| {
        format!(
            "
resources:
  own:
    type: pulumi:providers:behaviours
    properties:
      label: {label}
      retries: 3
      place: {{host: h, port: 8080}}
      tags: {{a: '1'}}
      password: {{'fn::secret': hunter2}}
{}",
            SEEN.replace("arguments: {}", "arguments: {}, options: {provider: '${own}'}")
        )
    };
    project.program(&program("b"));
    project.up(&[]).succeeded();
    assert_eq!(project.outputs(), seen("b"));
    let state = project.state();
    let own = state.resource("own");
    assert_eq!(own["inputs"]["label"], "b");
    assert!(!state.to_string().contains("hunter2"), "{state}");
    let unchanged = project.up(&["--expect-no-changes"]).succeeded();
    assert!(unchanged.steps().is_empty(), "{unchanged}");
}

/// LIFE-11.
#[test]
fn only_a_configuration_that_leads_elsewhere_replaces_what_was_made() {
    let project = project("behaviours");
    project.program("resources:\n  it: {type: behaviours:Existing, properties: {act: live, text: a}}\n");
    let set = |arguments: &[&str]| {
        project.pulumi([&["config", "set"], arguments].concat()).succeeded();
    };
    set(&["behaviours:label", "a"]);
    set(&["behaviours:region", "eu"]);
    project.up(&[]).succeeded();

    set(&["--secret", "behaviours:password", "hunter2"]);
    let changed = project.up(&[]).succeeded();
    assert!(changed.steps().is_empty(), "{changed}");

    set(&["behaviours:region", "us"]);
    let moved = project.up(&[]).succeeded();
    assert_eq!(moved.steps(), ["create-replacement it", "replace it", "delete-replaced it"]);
    let state = project.state();
    assert_eq!((state.providers().len(), &state.providers()[0]["inputs"]["region"]), (1, &json!("us")));
}

/// LIFE-14.
#[test]
fn a_configuration_that_does_not_work_fails_before_any_resource() {
    let project = project("behaviours");
    project.program("resources:\n  it: {type: behaviours:Echo, properties: {kept: k}}\n");
    project.pulumi(["config", "set", "behaviours:label", "unreachable"]).succeeded();
    for failed in [project.preview(&[]).failed(), project.up(&[]).failed()] {
        assert!(failed.output().contains("nobody answers at `unreachable`"), "{failed}");
    }
    assert!(project.state().names().is_empty());
    project.pulumi(["config", "set", "behaviours:label", "well"]).succeeded();
    assert_eq!(project.up(&[]).succeeded().steps(), ["create it"]);
    project.destroy(&[]).succeeded();
}
