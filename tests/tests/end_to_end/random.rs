//! The `random` provider under the real engine.

use bulkhead_tests::{Launch, Project};

use crate::{bulkhead, random};

const ALL: &str = "
resources:
  pet: {type: random:RandomPet, properties: {length: 3, prefix: my, keepers: {version: '1'}}}
  string: {type: random:RandomString, properties: {length: 12, special: false, keepers: {version: '1'}}}
  password: {type: random:RandomPassword, properties: {length: 16, keepers: {version: '1'}}}
  integer: {type: random:RandomInteger, properties: {min: 1, max: 6, keepers: {version: '1'}}}
  order: {type: random:RandomShuffle, properties: {inputs: [a, b, c], keepers: {version: '1'}}}
  id: {type: random:RandomId, properties: {byteLength: 8, keepers: {version: '1'}}}
  uuid: {type: random:RandomUuid, properties: {keepers: {version: '1'}}}
  bytes: {type: random:RandomBytes, properties: {length: 8, keepers: {version: '1'}}}
outputs:
  greeting: 'hello ${pet.id}, throw ${integer.result}, then ${order.results[0]}'
  hex: ${id.hex}
";

#[test]
fn what_is_drawn_stays_until_a_keeper_changes() {
    let project = Project::new(&bulkhead(), &[&random()], Launch::Plugins);
    project.program(ALL);
    let names = ["bytes", "id", "integer", "order", "password", "pet", "string", "uuid"];
    let sorted = |mut steps: Vec<String>| {
        steps.sort();
        steps
    };
    let creates = names.map(|name| format!("create {name}"));
    assert_eq!(sorted(project.preview(&[]).succeeded().steps()), creates);
    assert_eq!(sorted(project.up(&[]).succeeded().steps()), creates);

    let first = project.state();
    let pet = first.resource("pet")["id"].as_str().unwrap();
    assert_eq!(pet.split('-').count(), 4, "{pet}");
    assert!(pet.starts_with("my-"), "{pet}");
    let string = first.output("string", "result").as_str().unwrap();
    assert!(string.len() == 12 && string.chars().all(|character| character.is_ascii_alphanumeric()), "{string}");
    let integer = first.output("integer", "result").as_i64().unwrap();
    assert!((1..=6).contains(&integer), "{integer}");
    let order = first.output("order", "results").as_array().unwrap();
    let greeting = format!("hello {pet}, throw {integer}, then {}", order[0].as_str().unwrap());
    let hex = first.output("id", "hex").clone();
    assert_eq!(project.outputs(), serde_json::json!({"greeting": greeting, "hex": hex}));

    for unchanged in [project.refresh(&["--expect-no-changes"]), project.up(&["--expect-no-changes"])] {
        assert!(unchanged.succeeded().steps().is_empty());
    }

    project.program(&ALL.replace("version: '1'", "version: '2'"));
    let replaced = project.up(&[]).succeeded();
    assert_eq!(replaced.differences("pet"), [("keepers.version".to_owned(), "update-replace".to_owned())].into());
    let steps = replaced.steps();
    for name in names {
        assert!(steps.contains(&format!("replace {name}")), "{name} should be replaced: {replaced}");
    }
    let second = project.state();
    for (name, property) in [("string", "result"), ("id", "hex"), ("bytes", "base64"), ("uuid", "result")] {
        assert_ne!(first.output(name, property), second.output(name, property), "{name} should be drawn anew");
    }

    project.destroy(&[]).succeeded();
    assert!(project.state().names().is_empty());
}

#[test]
fn a_string_that_exists_is_imported_and_kept() {
    let project = Project::new(&bulkhead(), &[&random()], Launch::Plugins);
    project.import("random:index/randomString:RandomString", "string", "abc123XYZ").succeeded();
    let state = project.state();
    assert_eq!(state.resource("string")["id"], "abc123XYZ");
    assert_eq!(state.output("string", "result"), "abc123XYZ");
    assert_eq!(state.output("string", "length"), 9);

    project.program("resources:\n  string: {type: random:RandomString, properties: {length: 9}}\n");
    let unchanged = project.preview(&[]).succeeded();
    assert!(unchanged.steps().is_empty(), "{unchanged}");

    let refused = project.import("random:index/randomPet:RandomPet", "pet", "calm-otter").failed();
    insta::assert_snapshot!(
        refused.messages("error")[0],
        @"pet: read the resource: it can't be imported, as its id doesn't say what it is; create it instead"
    );
}

#[test]
fn impossible_wishes_are_refused_before_anything_is_drawn() {
    let project = Project::new(&bulkhead(), &[&random()], Launch::Plugins);
    project
        .program("resources: {string: {type: random:RandomString, properties: {length: 4, minLower: 3, minUpper: 3}}}");
    let refused = project.preview(&[]).failed();
    insta::assert_snapshot!(
        refused.messages("error").join("\n"),
        @"string: random:index/randomString:RandomString resource 'string': property length value {4} has a problem: must be at least the sum of `minUpper`, `minLower`, `minNumeric` and `minSpecial`"
    );
}
