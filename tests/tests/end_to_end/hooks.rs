//! Hooks of a program: they are the engine's, and stand around what a provider does.

use bulkhead_tests::{Launch, Project, Sdk};
use serde_json::json;

use crate::{bulkhead, guest};

#[test]
fn hooks_run_around_operations_and_repeat_what_failed() {
    let project = Project::new(&bulkhead(), &[&guest("errors")], Launch::SearchPath);
    let said = Sdk::Node.run_program(&project, "hooks");
    let [refused, up, destroyed] = &said[..] else { panic!("the program should come to three steps: {said:?}") };

    assert_eq!(
        refused["changes"],
        json!(["pulumi:pulumi:Stack", "pulumi:providers:errors"]),
        "nothing was created: {refused}"
    );
    assert_eq!(refused["heard"][0], json!({"hook": "before create", "id": null}));

    assert_eq!(up["changes"]["create"], 1, "{up}");
    let heard = up["heard"].as_array().unwrap();
    let names: Vec<&str> = heard.iter().filter_map(|one| one["hook"].as_str()).collect();
    assert_eq!(names, ["before create", "failed", "after create"]);
    assert!(heard[1]["errors"][0].as_str().unwrap().contains("not yet"), "{up}");
    assert_eq!(heard[2]["id"], "ended-1");

    let heard = destroyed["heard"].as_array().unwrap();
    let names: Vec<&str> = heard.iter().filter_map(|one| one["hook"].as_str()).collect();
    assert_eq!(names, ["before delete", "after delete"]);
}
