//! Methods that programs call of a component, through the real engine: what they return goes on to outputs of the stack.

use bulkhead_tests::{Launch, Project, Sdk, sdk_generators};
use serde_json::{Value, json};

use crate::generated_sdks::{node_sdk, python_sdk};
use crate::{bulkhead, guest};

const SOURCE: &str = "../bin/pulumi-resource-composer";
const WHOLE: &str = "urn:pulumi:dev::methods::composer:index:Composer::whole";

fn project() -> Project {
    let project = Project::new(&bulkhead(), &[&guest("composer")], Launch::SearchPath);
    sdk_generators(&project.plugins());
    project
}

fn step<'a>(said: &'a [Value], name: &str) -> &'a Value {
    let found = said.iter().find(|line| line["step"] == name);
    found.unwrap_or_else(|| panic!("the program should have come to `{name}`: {said:?}"))
}

/// What both programs come to: a component with three children, and what its methods return.
fn holds(said: &[Value], size: Value) {
    // The component, its children and the stack.
    assert_eq!(step(said, "preview")["changes"], json!({ "create": 5 }));
    assert_eq!(step(said, "up")["changes"], json!({ "create": 5 }));
    let outputs = &step(said, "up")["outputs"];
    let plain = |value: Value| json!({ "value": value, "secret": false });
    assert_eq!(outputs["made"], plain(json!(["made of whole-1", "made of whole-2", "made of whole-3"])));
    assert_eq!((&outputs["size"], &outputs["urn"]), (&plain(size), &plain(json!(WHOLE))));
    assert_eq!(outputs["key"], json!({ "value": "hunter2 hunter2", "secret": true }), "its schema says so");
    assert_eq!(step(said, "again")["changes"], json!({ "same": 5 }));
    let error = step(said, "failed")["error"].as_str().unwrap();
    assert!(error.contains("it doesn't budge"), "{error}");
    assert_eq!(step(said, "destroy")["changes"], json!({ "delete": 5 }));
}

#[test]
fn a_python_program_calls_methods_with_an_sdk_that_was_generated() {
    let mut project = project();
    let sdk = python_sdk(&project, "composer", "1.2.3", &[SOURCE]);
    project.set("PYTHONPATH", sdk.to_str().unwrap());
    // A generated SDK takes a value of any type for an object.
    holds(&Sdk::Python.run_program(&project, "methods"), json!({ "width": 3 }));
}

#[test]
fn a_node_program_calls_methods_with_an_sdk_that_was_generated() {
    let mut project = project();
    let modules = node_sdk(&project, "composer", "1.2.3", &[SOURCE]);
    project.set("NODE_PATH", modules.to_str().unwrap());
    let said = Sdk::Node.run_program(&project, "methods");
    holds(&said, json!(3));
    let label = format!("label of {WHOLE}").to_uppercase();
    assert_eq!(step(&said, "up")["outputs"]["label"], json!({ "value": label, "secret": false }));
}
