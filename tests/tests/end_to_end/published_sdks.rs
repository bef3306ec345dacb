//! Programs that were written for the native provider, with the SDKs that are published for it.

use std::collections::BTreeSet;

use bulkhead_tests::{Launch, Project, Sdk};
use serde_json::{Value, json};

use crate::{bulkhead, random};

/// The programs in `tests/sdk` have eight resources each, and a stack is one as well.
const ALL: u64 = 9;

fn lives(sdk: Sdk) {
    let project = Project::new(&bulkhead(), &[&random()], Launch::SearchPath);
    let said = sdk.run(&project);
    let step = |name: &str| -> &Value {
        let found = said.iter().find(|line| line["step"] == name);
        found.unwrap_or_else(|| panic!("the program should have come to `{name}`: {said:?}"))
    };
    assert_eq!(step("preview")["changes"], json!({ "create": ALL }));
    assert_eq!(step("up")["changes"], json!({ "create": ALL }));

    let outputs = step("up")["outputs"].as_object().unwrap();
    let secret = outputs.iter().filter(|(_, output)| output["secret"] == true).map(|(name, _)| name.as_str());
    assert_eq!(secret.collect::<BTreeSet<_>>(), BTreeSet::from(["base64", "hash", "password"]));
    let text = |name: &str| outputs[name]["value"].as_str().unwrap();
    assert_eq!(text("string").len(), 12);
    assert!(text("string").chars().all(|character| character.is_ascii_alphanumeric()), "{}", text("string"));
    assert_eq!(text("password").len(), 16);
    assert!(text("hash").starts_with("$2a$10$"));
    assert_eq!((text("base64").len(), text("hex").len(), text("uuid").len()), (12, 2 + 16, 36));
    assert!(text("pet").starts_with("hello ") && text("pet").contains('-'), "{}", text("pet"));
    assert_eq!(outputs["numeric"]["value"], true);
    // As the native provider draws them from these seeds.
    assert_eq!(outputs["integer"]["value"], 4644);
    assert_eq!(outputs["order"]["value"], json!(["b", "c", "a", "c", "b", "a", "b", "c"]));

    assert_eq!(step("again")["changes"], json!({ "same": ALL }));
    assert_eq!(step("again")["outputs"], step("up")["outputs"]);

    assert_eq!(step("changed")["changes"], json!({ "replace": 3, "same": ALL - 3 }));
    for (name, output) in step("changed")["outputs"].as_object().unwrap() {
        let drawn_anew = ["string", "hex", "pet"].contains(&name.as_str());
        assert_eq!(output != &outputs[name], drawn_anew, "{name}");
    }
    assert_eq!(step("refresh")["changes"], json!({ "same": ALL }));
    assert_eq!(step("destroy")["changes"], json!({ "delete": ALL }));
}

#[test]
fn a_node_program_lives_from_preview_to_destroy() {
    lives(Sdk::Node);
}

#[test]
fn a_python_program_lives_from_preview_to_destroy() {
    lives(Sdk::Python);
}
