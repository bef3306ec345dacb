//! Component resources under the real engine: their children, what they return, and what is said when they can't be constructed.

use std::fs;

use bulkhead_tests::{Guest, Launch, Project, hostile, temporary_directory};
use serde_json::json;

use crate::{bulkhead, guest, project};

fn whole(act: &str) -> String {
    format!(
        "
resources:
  whole:
    type: composer:Composer
    properties: {{act: {act}, size: 3, key: correct-horse}}
"
    )
}

#[test]
fn a_component_lives_with_its_children_from_preview_to_destroy() {
    let project = project("composer");
    // Its own package needs no mention.
    fs::write(project.directory().join("bulkhead.toml"), "[allow]\npackages = []\n").unwrap();
    let sorted = |mut steps: Vec<String>| {
        steps.sort_unstable();
        // A component is told of when it is registered, and again with its outputs.
        steps.dedup();
        steps
    };
    let outputs = "
  after:
    type: composer:Part
    properties: {number: 4, size: '${whole.made[1]}'}
outputs:
  made: ${whole.made}
  size: ${whole.size}
  key: ${whole.key}
";
    project.program(&(whole("children") + outputs));

    let created = ["create after", "create whole", "create whole-1", "create whole-2", "create whole-3"];
    assert_eq!(sorted(project.preview(&[]).succeeded().steps()), created);
    assert!(project.state().names().is_empty(), "a preview makes nothing");

    assert_eq!(sorted(project.up(&[]).succeeded().steps()), created);
    let made = json!(["made of whole-1", "made of whole-2", "made of whole-3"]);
    assert_eq!(project.outputs(), json!({"made": made, "size": 3, "key": "[secret]"}));
    let state = project.state_in_clear();
    let (component, child) = (state.resource("whole"), state.resource("whole-2"));
    assert_eq!(component["urn"], "urn:pulumi:dev::test::composer:index:Composer::whole");
    assert_eq!((&component["custom"], &component["id"]), (&json!(false), &json!(null)));
    assert_eq!(component["outputs"]["made"], made);
    assert_eq!(child["urn"], "urn:pulumi:dev::test::composer:index:Composer$composer:index:Part::whole-2");
    assert_eq!(child["parent"], component["urn"]);
    assert_eq!(state.resource("after")["dependencies"], json!([component["urn"]]));
    let key = project.state().resource("whole")["outputs"]["key"].clone();
    assert!(key["ciphertext"].is_string(), "the component returned it in clear: {key}");

    let unchanged = project.up(&["--expect-no-changes"]).succeeded();
    assert!(unchanged.steps().is_empty(), "{unchanged}");

    project.program(&(whole("children").replace("size: 3", "size: 4") + outputs));
    let updated = project.up(&[]).succeeded().steps();
    assert_eq!(sorted(updated), ["update whole-1", "update whole-2", "update whole-3"]);
    project.destroy(&[]).succeeded();
    assert!(project.state().names().is_empty());
}

/// A YAML program sends an id with a component that is never known.
#[test]
fn a_component_may_be_given_to_a_resource() {
    let project = project("composer");
    let given = |number: u32| {
        let after =
            format!("  after:\n    type: composer:Part\n    properties: {{number: {number}, size: '${{whole}}'}}\n");
        whole("") + &after
    };
    project.program(&given(1));
    project.preview(&[]).succeeded();
    project.up(&[]).succeeded();
    let urn = "urn:pulumi:dev::test::composer:index:Composer::whole";
    assert_eq!(project.state().output("after", "size")["urn"], urn);
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty(), "it is the component that it was");
    project.refresh(&[]).succeeded();
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
    project.program(&given(2));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update after"]);
    project.destroy(&[]).succeeded();
    assert!(project.state().names().is_empty());
}

#[test]
fn a_component_asks_the_real_engine() {
    let project = project("composer");
    project.program(&(whole("call") + "outputs: {any: '${whole.any}'}\n"));
    project.up(&[]).succeeded();
    let part = "urn:pulumi:dev::test::composer:index:Composer$composer:index:Part::whole-1";
    assert_eq!(project.outputs(), json!({"any": {"said": format!("a part, {part}")}}), "a method of its child");

    project.program(&(whole("describe") + "outputs: {said: '${whole.said}'}\n"));
    project.pulumi(["config", "set", "region", "west"]).succeeded();
    project.pulumi(["config", "set", "token", "hunter2", "--secret"]).succeeded();
    project.up(&["--parallel", "3"]).succeeded();
    let said = "organization/test/dev, preview false, parallel 3, test:region=west test:token=hunter2 (secret)";
    assert_eq!(project.outputs(), json!({"said": said}));
}

#[test]
fn a_child_of_another_package_is_made_once_that_is_granted() {
    let project = Project::new(&bulkhead(), &[&guest("composer"), &guest("notes")], Launch::Plugins);
    project.program(&whole("noted"));
    let denied = project.preview(&[]).failed().output();
    let (_, command) = denied.split_once("packages notes is denied: nothing grants it; run `bulkhead ").unwrap();
    let (command, _) = command.split_once('`').unwrap();
    bulkhead().run(command.split(' ').chain(["--yes"])).succeeded();
    project.up(&[]).succeeded();
    let page = project.state().resource("whole-1").clone();
    assert_eq!(page["type"], "notes:index:Page");
    project.destroy(&[]).succeeded();
}

/// The guest is hostile: `tests/tests/hostile/packages.rs` tries all that it does, without an engine.
#[test]
fn what_a_component_would_tell_the_engine_of_plugins_is_told_to_its_user() {
    let directory = temporary_directory();
    let component = directory.path().join("hostile.wasm");
    fs::write(&component, hostile("plugin-forged")).unwrap();
    let hostile = Guest { name: "hostile".to_owned(), version: "1.2.3".to_owned(), component };
    let project = Project::new(&bulkhead(), &[&hostile], Launch::Plugins);
    project.pulumi(["config", "set", "hostile:key", "well", "--secret"]).succeeded();
    let place = "https://plugins.example.com";
    let unasked = "is denied: the component's manifest doesn't ask for it";
    for (attempt, told) in [
        (2, "registered a provider with `__internal`, which engines alone write".to_owned()),
        (3, "registered a provider with `parameterization`, which engines alone write".to_owned()),
        (4, "registered a provider with `pluginChecksums`, which engines alone write".to_owned()),
        (5, format!("packages hostile from {place} {unasked}")),
        (6, format!("packages hostile {unasked}")),
        (7, format!("packages command {unasked}")),
        (8, "registered a provider with a `name` that isn't plain text".to_owned()),
        (10, "registered a provider with `envVarMappings`, which engines alone write".to_owned()),
    ] {
        project.program(&format!("resources: {{group: {{type: hostile:Group, properties: {{what: '{attempt}'}}}}}}\n"));
        for update in [project.preview(&[]).failed(), project.up(&[]).failed()] {
            let errors = update.messages("error").join("\n");
            assert!(errors.contains(&told), "{attempt}: {update}");
            assert!(
                errors.contains(unasked) <= errors.contains("no grant is wider than what the manifest asks for"),
                "{update}"
            );
            let output = update.output();
            assert!(!output.contains("Downloading") && !output.contains("panic"), "{output}");
        }
        assert!(!project.state().names().contains(&"own"), "{attempt}: the engine heard of none");
    }
}

#[test]
fn what_is_wrong_with_inputs_is_shown_beside_them() {
    let project = project("composer");
    project.program(&whole("reject"));
    let output = project.up(&[]).failed().output();
    assert!(output.contains("construct the component: 2 inputs are wrong"), "{output}");
    assert!(output.contains("property size with value '{3}' has a problem: must be even"), "{output}");
    assert!(project.state().names().is_empty());
    project.program(&whole("reject").replace("size: 3", "size: {fn::secret: hunter2}"));
    let output = project.up(&[]).failed().output();
    assert!(output.contains("size: must be even") && !output.contains("hunter2"), "{output}");
}

#[test]
fn a_child_that_cant_be_made_ends_the_update() {
    let project = project("composer");
    project.program(&whole("broken"));
    let update = project.up(&[]).failed();
    assert!(update.steps().contains(&"failed whole-broken".to_owned()), "{update}");
    assert!(update.output().contains("the part is broken"), "{update}");
    project.destroy(&[]).succeeded();
}

/// What isn't known in an update is left out of what an engine is sent, so that others would be made without it.
#[test]
fn an_update_that_goes_on_makes_nothing_of_what_failed() {
    let project = Project::new(&bulkhead(), &[&guest("site"), &guest("composer")], Launch::Plugins);
    let blog = |text: &str| {
        format!(
            "
resources:
  blog: {{type: site:Site, properties: {{text: {text}, pages: 0}}}}
  part: {{type: composer:Part, properties: {{number: 1, size: '${{blog.url}}'}}}}
"
        )
    };
    project.program(&blog("unprintable"));
    let failed = project.up(&["--continue-on-error"]).failed();
    assert!(failed.output().contains("the page can't be printed"), "{failed}");
    let state = project.state();
    assert!(!state.has("part"), "it was made without its size: {state}");
    // An engine's mark of what isn't known.
    assert!(!project.state_files().contains("04da6b54-80e4-46f7-96ec-b56ff0331ba9"), "{state}");

    project.program(&blog("hello"));
    project.up(&[]).succeeded();
    assert_eq!(project.state().output("part", "size"), "https://web.example/");
}

#[test]
fn a_component_of_the_sdk_lives_and_changes() {
    let project = project("site");
    let blog = |text: &str, pages: u32| {
        format!(
            "
resources:
  blog:
    type: site:Site
    properties: {{text: {text}, pages: {pages}}}
outputs:
  url: ${{blog.url}}
  pages: ${{blog.pages}}
  length: ${{blog.length}}
"
        )
    };
    project.program(&blog("hello", 2));
    project.preview(&[]).succeeded();
    project.up(&[]).succeeded();
    let address = |path: &str| format!("https://web.example/{path}");
    let outputs = json!({"url": address(""), "pages": [address("0"), address("1")], "length": 5});
    assert_eq!(project.outputs(), outputs);
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());

    project.program(&blog("hello world", 1));
    let mut steps = project.up(&[]).succeeded().steps();
    steps.sort_unstable();
    assert_eq!(steps, ["delete blog-page1", "update blog", "update blog-front"]);
    project.destroy(&[]).succeeded();
    project.program(&blog("unprintable", 1));
    let failed = project.up(&[]).failed();
    assert!(failed.output().contains("the page can't be printed"), "{failed}");
}
