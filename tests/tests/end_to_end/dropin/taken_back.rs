//! Stacks that this provider made, taken over by the native one.
//!
//! That one is on few machines. So what it said to states made here is recorded, and states must stay as they were then;
//! and where [`NATIVE`] says where it is, the whole way is gone with the real CLI, there and back.

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::{env, fs};

use bulkhead::component::Limits;
use bulkhead_tests::serving::Serving;
use bulkhead_tests::{Launch, Project};
use serde_json::{Value, json};

use super::conversation::{Exchange, call};
use super::shape::shape;
use super::stacks::{Edit, STACK, sorted};
use crate::{bulkhead, random};

/// The environment variable with the path of the native provider's executable, version 4.22.0.
const NATIVE: &str = "BULKHEAD_TEST_NATIVE_RANDOM";
const TAKEN_BACK: &str = include_str!("taken-back.jsonl");

#[tokio::test(flavor = "multi_thread")]
async fn states_are_such_as_the_native_provider_went_on_with() {
    let provider = Serving::start(&random(), Limits::default()).await.ready(<_>::default()).await;
    let mut count = 0;
    for line in TAKEN_BACK.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let (resource, inputs) = (line["resource"].as_str().unwrap(), &line["inputs"]);
        assert_eq!(line["diff"], json!({ "changes": "DIFF_NONE" }), "what it said of {resource} {inputs}");
        assert_eq!(line["read"]["properties"], "unchanged", "what it read of {resource} {inputs}");
        assert_eq!(line["read"]["id"], line["id"], "what it read of {resource} {inputs}");

        let create = Exchange {
            conversation: String::new(),
            method: "Create".to_owned(),
            resource: resource.to_owned(),
            request: json!({ "properties": inputs }),
            reply: None,
        };
        let created = call(&provider, &create, &create.request).await.unwrap();
        let recorded = json!({ "id": line["id"], "properties": line["state"] });
        assert_eq!(shape("Create", &created, false), shape("Create", &recorded, false), "{resource} {inputs}");
        count += 1;
    }
    assert!(count > 50, "there should be some of each resource");
}

#[test]
#[allow(clippy::print_stderr, reason = "says what was not tried")]
fn a_stack_goes_to_the_native_provider_and_back() {
    let Some(native) = env::var_os(NATIVE).map(PathBuf::from) else {
        eprintln!("not tried: {NATIVE} doesn't say where the native provider is");
        return;
    };
    for edit in Edit::all() {
        let project = Project::new(&bulkhead(), &[&random()], Launch::Plugins);
        let plugin = project.plugins().join("pulumi-resource-random");
        let ours = project.temporary().join("ours");
        project.program(STACK);
        project.up(&[]).succeeded();
        let (made, outputs) = (project.state(), project.outputs());

        fs::rename(&plugin, &ours).unwrap();
        symlink(&native, &plugin).unwrap();
        for unchanged in [project.refresh(&["--expect-no-changes"]), project.up(&["--expect-no-changes"])] {
            assert!(unchanged.succeeded().steps().is_empty());
        }
        for name in made.names() {
            assert_eq!(project.state().resource(name)["id"], made.resource(name)["id"], "{name}");
        }
        assert_eq!(project.outputs(), outputs);
        project.program(&edit.program());
        assert_eq!(sorted(project.up(&[]).succeeded().steps()), edit.steps["4.22.0"]);

        fs::remove_file(&plugin).unwrap();
        fs::rename(&ours, &plugin).unwrap();
        for unchanged in [project.refresh(&["--expect-no-changes"]), project.up(&["--expect-no-changes"])] {
            assert!(unchanged.succeeded().steps().is_empty());
        }
    }
}
