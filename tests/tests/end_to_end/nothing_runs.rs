//! A preview by the real engine, of a provider whose exports all trap and which can't even be instantiated.

use std::fs;

use bulkhead_tests::{Guest, Launch, Project, without_room};
use serde_json::{Value, json};

use crate::{bulkhead, guest};

const PROGRAM: &str = "
resources:
  wire:
    type: tripwire:Wire
    properties: {text: a, kept: k}
outputs:
  level: ${wire.level}
";

/// A project with the provider, and a stack that has the resource `wire` on record.
fn project() -> Project {
    let tripwire = guest("tripwire");
    let component = bulkhead_tests::temporary_directory();
    let file = component.path().join("tripwire.wasm");
    fs::write(&file, without_room(&tripwire)).unwrap();
    Project::new(&bulkhead(), &[&Guest { component: file, ..tripwire }], Launch::Plugins)
}

#[test]
fn a_preview_of_something_new_calls_nothing() {
    let project = project();
    project.pulumi(["config", "set", "tripwire:label", "a"]).succeeded();
    project.program(PROGRAM);
    assert_eq!(project.preview(&[]).succeeded().steps(), ["create wire"]);
    // The counterpart: what is real can't do without.
    let failed = project.up(&[]).failed();
    assert!(failed.output().contains("the provider needs more memory than its limit allows"), "{failed}");
    assert!(!project.state().has("wire"));
}

#[test]
fn a_preview_of_changes_calls_nothing() {
    let project = project();
    // The provider is on record after the first attempt, and the resource is added to it.
    project.program(PROGRAM);
    project.up(&[]).failed();
    let mut exported: Value = serde_json::from_str(&project.pulumi(["stack", "export"]).succeeded().stdout).unwrap();
    let resources = exported["deployment"]["resources"].as_array_mut().unwrap();
    let provider = resources.iter().find(|resource| resource["type"] == "pulumi:providers:tripwire").unwrap();
    let provider = format!("{}::{}", provider["urn"].as_str().unwrap(), provider["id"].as_str().unwrap());
    let parent = resources.iter().find(|resource| resource["type"] == "pulumi:pulumi:Stack").unwrap()["urn"].clone();
    resources.push(json!({
        "urn": "urn:pulumi:dev::test::tripwire:index:Wire::wire", "custom": true, "id": "wire-1",
        "type": "tripwire:index:Wire", "inputs": {"text": "a", "kept": "k", "level": 3},
        "outputs": {"text": "a", "kept": "k", "level": 3, "serial": "s-1"}, "parent": parent, "provider": provider,
    }));
    let file = project.temporary().join("state.json");
    fs::write(&file, exported.to_string()).unwrap();
    project.pulumi(["stack", "import", "--file", file.to_str().unwrap()]).succeeded();

    let preview = |program: &str, options: &[&str]| {
        project.program(program);
        project.preview(options).succeeded()
    };
    assert!(preview(PROGRAM, &[]).steps().is_empty(), "nothing changed");
    let updated = preview(&PROGRAM.replace("text: a", "text: b"), &["--diff"]);
    assert_eq!(updated.steps(), ["update wire"]);
    assert_eq!(updated.differences("wire"), [("text".to_owned(), "update".to_owned())].into());
    let replaced = preview(&PROGRAM.replace("kept: k", "kept: l"), &[]);
    assert_eq!(replaced.differences("wire"), [("kept".to_owned(), "update-replace".to_owned())].into());
    assert_eq!(preview("", &[]).steps(), ["delete wire"]);
    // A type that says that it can't be read isn't.
    assert!(project.refresh(&[]).succeeded().steps().is_empty());
}
