//! Packages that parameters make, under the real engine: added with arguments, deployed from what the schema recorded.

use bulkhead_tests::{Launch, Project};
use serde_json::{Value, json};

use crate::{bulkhead, guest};

const PROVIDER: &str = "../bin/pulumi-resource-greeter";

const PROGRAM: &str = "
variables:
  said:
    fn::invoke:
      function: hello:sayHowdy
      arguments: {name: Bob, times: 2}
resources:
  greeting:
    type: hello:Howdy
    properties: {name: Ada}
outputs:
  text: ${greeting.text}
  said: ${said.text}
";

fn greeter() -> Project {
    Project::new(&bulkhead(), &[&guest("greeter")], Launch::SearchPath)
}

#[test]
fn the_schema_that_arguments_make_records_them() {
    let project = greeter();
    let shown = project.pulumi(["package", "get-schema", PROVIDER, "hello", "Howdy"]).succeeded();
    let schema: Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!((&schema["name"], &schema["version"]), (&json!("hello"), &json!("2.3.4")));
    let recorded = json!({"baseProvider": {"name": "greeter", "version": "1.2.3"}, "parameter": "SG93ZHk="});
    assert_eq!(schema["parameterization"], recorded);
    assert!(schema["resources"]["hello:index:Howdy"].is_object(), "{schema}");
    let own = project.pulumi(["package", "get-schema", PROVIDER]).succeeded();
    let own: Value = serde_json::from_str(&own.stdout).unwrap();
    assert_eq!(own["name"], "greeter");

    let refused = project.pulumi(["package", "get-schema", PROVIDER, "hello"]).failed();
    assert!(refused.stderr.contains("write NAME WORD"), "{refused}");
}

#[test]
fn a_package_that_a_parameter_makes_lives_a_whole_life() {
    let project = greeter();
    project.pulumi(["package", "add", PROVIDER, "hello", "Howdy"]).succeeded();
    project.program_again(PROGRAM);
    assert_eq!(project.preview(&[]).succeeded().steps(), ["create greeting"]);
    assert_eq!(project.up(&[]).succeeded().steps(), ["create greeting"]);
    assert_eq!(project.outputs(), json!({"text": "Howdy, Ada, calmly", "said": "Howdy Howdy, Bob, calmly"}));
    let before = project.state();
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
    assert_eq!(project.state().resources(), before.resources(), "neither the greeting nor its provider was touched");

    project.pulumi(["config", "set", "hello:tone", "loudly"]).succeeded();
    project.program_again(&PROGRAM.replace("{name: Ada}", "{name: Ada, times: 3}"));
    let changed = project.up(&[]).succeeded();
    assert_eq!(changed.steps(), ["update greeting"]);
    assert_eq!(project.outputs()["text"], "Howdy Howdy Howdy, Ada, loudly");
    let imported = project.import("hello:index:Howdy", "second", "greeting-Eve").succeeded();
    assert_eq!(imported.steps(), ["import second"]);
    assert_eq!(project.state().output("second", "text"), "Howdy, Eve, loudly");
    // From the state alone: the parameter is part of it.
    let mut steps = project.destroy(&[]).succeeded().steps();
    steps.sort();
    assert_eq!(steps, ["delete greeting", "delete second"]);
    assert!(project.state().names().is_empty());
}
