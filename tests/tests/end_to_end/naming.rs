//! Names that are made for resources, under the real engine: it draws the seeds, knows what its user wishes, and checks anew for a
//! replacement.

use std::fs;

use bulkhead_tests::Project;
use serde_json::{Value, json};

use crate::project;

const CREATED_FIRST: [&str; 3] = ["create-replacement it", "replace it", "delete-replaced it"];
const DELETED_FIRST: [&str; 3] = ["delete-replaced it", "replace it", "create-replacement it"];

fn configured() -> Project {
    let project = project("behaviours");
    project.pulumi(["config", "set", "behaviours:label", "a"]).succeeded();
    project
}

/// A resource that is replaced where its kind changes.
fn program(name: Option<&str>, kind: &str) -> String {
    let name = name.map(|name| format!("name: {name}, ")).unwrap_or_default();
    format!("resources:\n  it: {{type: behaviours:Named, properties: {{{name}kind: {kind}}}}}\n")
}

fn name(project: &Project) -> String {
    project.state().output("it", "name").as_str().unwrap().to_owned()
}

#[test]
fn a_generated_name_stays_and_a_replacement_has_another() {
    let project = configured();
    let up = |name, kind| {
        project.program(&program(name, kind));
        project.up(&[]).succeeded().steps()
    };
    assert_eq!(up(None, "a"), ["create it"]);
    let first = name(&project);
    assert!(first.starts_with("it-") && first.len() > 3, "{first}");
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
    assert!(project.refresh(&["--expect-no-changes"]).succeeded().steps().is_empty());

    assert_eq!(up(None, "b"), CREATED_FIRST);
    let second = name(&project);
    assert!(second.starts_with("it-") && second != first, "{first}, {second}");

    assert_eq!(up(Some("mine"), "b"), CREATED_FIRST);
    assert_eq!(up(Some("mine"), "c"), DELETED_FIRST, "two can't have the name at once");
    assert_eq!(name(&project), "mine");

    assert_eq!(up(None, "c"), CREATED_FIRST);
    let third = name(&project);
    assert!(third.starts_with("it-") && third != second, "a name that was given isn't kept: {third}");
}

#[test]
fn a_name_is_made_as_the_user_wishes() {
    let project = configured();
    project.program(&program(None, "a"));
    let set = |key: &str, value: &str| {
        project.pulumi(["config", "set", "--path", &format!("pulumi:autonaming.{key}"), value]).succeeded();
    };
    set("mode", "disabled");
    let refused = project.preview(&[]).failed();
    assert!(refused.output().contains("automatic names are disabled"), "{refused}");

    project.pulumi(["config", "rm", "pulumi:autonaming"]).succeeded();
    set("pattern", "longer-than-a-name-may-be");
    set("enforce", "true");
    let refused = project.preview(&[]).failed();
    assert!(refused.output().contains("it has more than 16 characters"), "{refused}");

    set("pattern", "wish-of-${name}");
    project.up(&[]).succeeded();
    assert_eq!(name(&project), "wish-of-it");
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
}

/// Of a stack that an older version of the provider made, in whose schema the name was a title.
#[test]
fn a_generated_name_stays_when_a_newer_provider_calls_it_otherwise() {
    let project = project("overriding");
    let program =
        |text: &str| format!("resources:\n  it: {{type: overriding:Renamed, properties: {{text: {text}}}}}\n");
    let became_old = || {
        let mut exported: Value =
            serde_json::from_str(&project.pulumi(["stack", "export"]).succeeded().stdout).unwrap();
        let resources = exported["deployment"]["resources"].as_array_mut().unwrap();
        let it = resources.iter_mut().find(|resource| resource["type"] == "overriding:index:Renamed").unwrap();
        for part in ["inputs", "outputs"] {
            let fields = it[part].as_object_mut().unwrap();
            fields.remove("__meta");
            // Where nothing has changed, an engine leaves outputs as they were.
            if let Some(name) = fields.remove("name") {
                fields.insert("title".to_owned(), name);
            }
        }
        it["inputs"]["__defaults"] = json!(["title"]);
        it["outputs"]["__meta"] = json!(json!({"schema_version": "1"}).to_string());
        let file = project.temporary().join("state.json");
        fs::write(&file, exported.to_string()).unwrap();
        project.pulumi(["stack", "import", "--file", file.to_str().unwrap()]).succeeded();
    };
    project.program(&program("a"));
    project.up(&[]).succeeded();
    let first = name(&project);

    became_old();
    for _ in 0..3 {
        assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
    }
    project.refresh(&[]).succeeded();
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
    assert_eq!(name(&project), first);

    became_old();
    for _ in 0..2 {
        assert!(project.refresh(&["--expect-no-changes"]).succeeded().steps().is_empty());
    }
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
    assert_eq!(name(&project), first);

    became_old();
    project.program(&program("b"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update it"]);
    assert_eq!((name(&project), project.state().output("it", "revision")), (first, &json!(2)));
    became_old();
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete it"]);
}
