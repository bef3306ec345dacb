//! Stacks that the native provider made, taken over through the real CLI: nothing changes until the program does, and then
//! the same as natively.

use std::collections::BTreeMap;

use bulkhead_tests::{Launch, Project, repository};
use serde_json::Value;

use crate::{bulkhead, random};

pub(super) const STACK: &str = include_str!("stack.yaml");
const STEPS: &str = include_str!("steps.json");

/// A change of the program, and what was done because of it.
pub(super) struct Edit {
    name: String,
    replacements: Vec<(String, String)>,
    /// By the version of the native provider.
    pub(super) steps: BTreeMap<String, Vec<String>>,
}

impl Edit {
    /// All that were recorded.
    pub(super) fn all() -> Vec<Self> {
        let text = |value: &Value| value.as_str().expect("steps should be text").to_owned();
        let texts = |value: &Value| value.as_array().into_iter().flatten().map(text).collect::<Vec<_>>();
        let recorded: Value = serde_json::from_str(STEPS).expect("the steps should be JSON");
        let edit = |(name, edit): (&String, &Value)| Self {
            name: name.clone(),
            replacements: edit["edits"]
                .as_array()
                .expect("there should be edits")
                .iter()
                .map(|pair| (text(&pair[0]), text(&pair[1])))
                .collect(),
            steps: edit["steps"]
                .as_object()
                .expect("there should be steps")
                .iter()
                .map(|(version, steps)| (version.clone(), texts(steps)))
                .collect(),
        };
        recorded.as_object().expect("there should be changes").iter().map(edit).collect()
    }

    /// The program, changed.
    pub(super) fn program(&self) -> String {
        self.replacements.iter().fold(STACK.to_owned(), |program, (from, to)| {
            assert!(program.contains(from), "`{}` should change `{from}`", self.name);
            program.replace(from, to)
        })
    }
}

/// Steps in an order of their own: engines take them as they come.
pub(super) fn sorted(mut steps: Vec<String>) -> Vec<String> {
    steps.sort();
    steps
}

fn take_over(version: &str) {
    let project = Project::new(&bulkhead(), &[&random()], Launch::Plugins);
    let export = repository().join(format!("tests/tests/end_to_end/dropin/stack-{version}.json"));
    let import =
        || project.pulumi(["stack".as_ref(), "import".as_ref(), "--file".as_ref(), export.as_os_str()]).succeeded();
    import();
    let native = project.state_in_clear();
    let outputs = project.outputs();
    project.program(STACK);
    for unchanged in [project.preview(&["--expect-no-changes"]), project.up(&["--expect-no-changes"])] {
        assert!(unchanged.succeeded().steps().is_empty());
    }
    assert!(project.refresh(&["--expect-no-changes"]).succeeded().steps().is_empty());
    let ours = project.state_in_clear();
    for name in native.names() {
        let (ours, native) = (ours.resource(name), native.resource(name));
        assert_eq!((&ours["id"], &ours["inputs"]), (&native["id"], &native["inputs"]), "{name}");
        for (output, value) in native["outputs"].as_object().expect("a resource should have outputs") {
            assert_eq!(&ours["outputs"][output], value, "{name}.{output}");
        }
    }
    assert_eq!(project.outputs(), outputs, "what was drawn stays");

    for edit in Edit::all() {
        import();
        project.program(&edit.program());
        let steps = sorted(project.up(&[]).succeeded().steps());
        assert_eq!(steps, edit.steps[version], "{}, of a stack of {version}", edit.name);
        assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());
    }
}

#[test]
fn a_stack_of_version_4_16_goes_on() {
    take_over("4.16.8");
}

#[test]
fn a_stack_of_version_4_22_goes_on() {
    take_over("4.22.0");
}
