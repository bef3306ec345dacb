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
        @"default: pulumi:providers:notes resource 'default': property autor value {Ada} has a problem: unknown property 'autor'; did you mean 'author'?"
    );
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
