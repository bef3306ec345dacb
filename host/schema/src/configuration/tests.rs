use bulkhead_value::{Object, Value};
use serde_json::{Value as Json, json};

use super::{check, typed};
use crate::{
    diff_configuration,
    fixture::{object, parsed},
    model::Package,
};

fn package() -> Package {
    let variables = json!({
        "string": { "type": "string" },
        "boolean": { "type": "boolean" },
        "integer": { "type": "integer" },
        "number": { "type": "number" },
        "list": { "type": "array", "items": { "type": "string" } },
        "map": { "type": "object", "additionalProperties": { "type": "integer" } },
        "object": { "$ref": "#/types/c:index:Object" },
        "size": { "$ref": "#/types/c:index:Size" },
        "level": { "$ref": "#/types/c:index:Level" },
        "either": { "oneOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] },
        "loose": { "oneOf": [{ "type": "string" }, { "$ref": "#/types/c:index:Size" }] },
        "document": { "$ref": "pulumi.json#/Json" },
        "anything": { "$ref": "pulumi.json#/Any" },
        "token": { "type": "string", "secret": true, "defaultInfo": { "environment": ["C_TOKEN"] } },
    });
    parsed(&json!({
        "name": "c",
        "types": {
            "c:index:Object": { "properties": { "x": { "type": "boolean" }, "y": { "type": "string", "default": "d" } } },
            "c:index:Size": { "type": "string", "enum": [{ "value": "small" }, { "value": "2" }] },
            "c:index:Level": { "type": "integer", "enum": [{ "value": 1 }] },
        },
        "config": { "variables": variables },
        "provider": { "inputProperties": variables, "requiredInputs": ["string"] },
    }))
}

fn decoded(name: &str, given: Json) -> Value {
    let given = object(json!({ name: given }));
    typed(&package(), &given)[name].clone()
}

#[test]
fn json_is_decoded_to_the_type_that_the_schema_says() {
    let secret = |inner: Json| json!({ "<secret>": inner });
    let marked = |kind: &str, rest: &str| json!(format!("{{\"4dabf18193072939515e22adb298388d\":\"{kind}\",{rest}}}"));
    for (name, given, expected) in [
        ("string", json!("true"), json!("true")),
        ("string", json!("\"quoted\""), json!("\"quoted\"")),
        ("boolean", json!("true"), json!(true)),
        ("boolean", json!(false), json!(false)),
        ("integer", json!("42"), json!(42)),
        ("integer", json!("-1e3"), json!(-1000)),
        ("integer", json!(" 5.0 "), json!(5)),
        ("integer", json!("9007199254740991"), json!(9007199254740991_i64)),
        // What no number here is would be another one.
        ("integer", json!("9007199254740993"), json!("9007199254740993")),
        ("integer", json!("0.99999999999999999999"), json!("0.99999999999999999999")),
        ("number", json!("42.42"), json!(42.42)),
        // To the last digit, as the program that wrote it has it.
        ("number", json!("127.05348967650315"), json!(127.05348967650315)),
        ("list", json!("[\"a\",\"b\"]"), json!(["a", "b"])),
        ("list", json!(["a"]), json!(["a"])),
        ("map", json!("{\"a\":1}"), json!({ "a": 1 })),
        ("object", json!("{\"x\":true}"), json!({ "x": true })),
        ("size", json!("small"), json!("small")),
        ("size", json!("2"), json!("2")),
        ("size", json!("\"small\""), json!("small")),
        ("level", json!("1"), json!(1)),
        ("either", json!("[\"a\"]"), json!(["a"])),
        ("either", json!("text"), json!("text")),
        ("either", json!("\"text\""), json!("text")),
        ("loose", json!("small"), json!("small")),
        ("loose", json!("\"small\""), json!("small")),
        ("loose", json!("\"other\""), json!("other")),
        ("loose", secret(json!("\"other\"")), secret(json!("other"))),
        ("loose", json!("\"open"), json!("\"open")),
        ("document", json!("{}"), json!("{}")),
        ("document", json!("\"{\\\"a\\\":1}\""), json!("{\"a\":1}")),
        ("document", json!("\"[1]\""), json!("[1]")),
        ("document", json!("\"text\""), json!("\"text\"")),
        ("document", json!("\"1\""), json!("\"1\"")),
        ("anything", json!("1"), json!(1)),
        ("anything", json!("{\"a\":[true,null]}"), json!({ "a": [true, null] })),
        ("anything", json!("plain text"), json!("plain text")),
        ("anything", json!("\"quoted\""), json!("quoted")),
        ("undeclared", json!("1"), json!("1")),
        // Secrets stay around what they hold, and inside the JSON they come as SDKs write them.
        ("integer", secret(json!("42")), secret(json!(42))),
        ("list", secret(json!("[\"a\"]")), secret(json!(["a"]))),
        (
            "list",
            json!(
                "[\"a\",{\"4dabf18193072939515e22adb298388d\":\"1b47061264138c4ac30d75fd1eb44270\",\"value\":\"b\"}]"
            ),
            json!(["a", secret(json!("b"))]),
        ),
        // As they come back from a check, which has a text secret as a whole.
        (
            "list",
            secret(json!(
                "[\"a\",{\"4dabf18193072939515e22adb298388d\":\"1b47061264138c4ac30d75fd1eb44270\",\"value\":\"b\"}]"
            )),
            json!(["a", secret(json!("b"))]),
        ),
        ("list", secret(marked("d0e6a833031e9bbcd3f4e8bde6ca49a4", "\"value\":[\"a\"]")), secret(json!(["a"]))),
        (
            "document",
            secret(json!(
                "{\"a\":{\"4dabf18193072939515e22adb298388d\":\"1b47061264138c4ac30d75fd1eb44270\",\"value\":1}}"
            )),
            secret(json!(
                "{\"a\":{\"4dabf18193072939515e22adb298388d\":\"1b47061264138c4ac30d75fd1eb44270\",\"value\":1}}"
            )),
        ),
        ("list", json!("[\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\"]"), json!(["<unknown>"])),
        ("integer", json!("<unknown>"), json!("<unknown>")),
        ("string", marked("1b47061264138c4ac30d75fd1eb44270", "\"value\":\"s\""), secret(json!("s"))),
        ("document", marked("1b47061264138c4ac30d75fd1eb44270", "\"value\":{\"a\":1}"), secret(json!({ "a": 1 }))),
        ("string", marked("1b47061264138c4ac30d75fd1eb44270", "\"value\":1"), {
            marked("1b47061264138c4ac30d75fd1eb44270", "\"value\":1")
        }),
        ("string", marked("d0e6a833031e9bbcd3f4e8bde6ca49a4", "\"value\":\"s\",\"secret\":true"), secret(json!("s"))),
        ("integer", marked("d0e6a833031e9bbcd3f4e8bde6ca49a4", "\"value\":1,\"dependencies\":[\"u\"]"), json!(1)),
        ("integer", marked("d0e6a833031e9bbcd3f4e8bde6ca49a4", "\"secret\":true"), secret(json!("<unknown>"))),
        ("list", json!("[\"1c4a061d-8072-4f0a-a4cb-0ff528b18fe7\"]"), json!(["<unknown>"])),
        ("map", json!("{\"a\":\"3eeb2bf0-c639-47a8-9e75-3b44932eb421\"}"), json!({ "a": "<unknown>" })),
        ("list", json!("\"6a19a0b0-7e62-4c92-b797-7f8e31da9cc2\""), json!("<unknown>")),
        // As bridged providers write what isn't there.
        ("boolean", json!(""), json!(null)),
        ("integer", json!(""), json!(null)),
        ("list", json!(""), json!(null)),
        ("object", json!(""), json!(null)),
        ("level", secret(json!("")), secret(json!(null))),
        // Text, or what may be any.
        ("string", json!(""), json!("")),
        ("size", json!(""), json!("")),
        ("either", json!(""), json!("")),
        ("anything", json!(""), json!("")),
        // What can't be decoded is left for the check to complain about.
        ("integer", json!("many"), json!("many")),
        ("list", json!("[1"), json!("[1")),
    ] {
        assert_eq!(decoded(name, given.clone()), object(json!({ "v": expected }))["v"], "{name} {given}");
    }
}

#[test]
fn what_is_checked_is_the_meaning_and_what_is_returned_is_what_was_given() {
    let package = package();
    let given = object(json!({
        "version": "1.0.0", "__internal": {}, "string": "s", "integer": "42", "list": { "<secret>": "[\"a\"]" },
        "object": "{\"x\":true}", "map": { "a": 1 },
    }));
    let checked = check(&package, &given, &|name| (name == "C_TOKEN").then(|| "t".to_owned()));
    let mut expected = given.clone();
    expected.insert("token".to_owned(), Value::from("t").secret());
    assert_eq!((checked.failures, checked.inputs), (vec![], expected));
}

/// There is nowhere to put what is filled into a text.
#[test]
fn objects_that_are_given_as_such_are_completed() {
    let given = object(json!({ "string": "s", "object": { "x": true } }));
    let checked = check(&package(), &given, &|_| None);
    let expected = object(json!({ "string": "s", "object": { "x": true, "y": "d" } }));
    assert_eq!((checked.failures, checked.inputs), (vec![], expected));
}

#[test]
fn mistakes_in_configuration_are_failures() {
    let wrong = |given: Json| {
        let checked = check(&package(), &object(given), &|_| None);
        checked
            .failures
            .iter()
            .map(|failure| format!("{}: {}", failure.path, failure.reason))
            .collect::<Vec<_>>()
            .join("|")
    };
    for (given, expected) in [
        (json!({}), "string: missing required property 'string'"),
        (json!({ "string": "<unknown>" }), ""),
        (json!({ "string": "s", "integer": "many" }), "integer: expected an integer, got a string"),
        (json!({ "string": "s", "map": "{\"a\":\"x\"}" }), "map.a: expected an integer, got a string"),
        (json!({ "string": "s", "lsit": "[]" }), "lsit: unknown property 'lsit'; did you mean 'list'?"),
        (json!({ "string": 1 }), "string: expected a string, got a number; hint: put it in quotes"),
    ] {
        assert_eq!(wrong(given.clone()), expected, "{given}");
    }
}

/// A stack that comes from a bridged provider has such text on record.
#[test]
fn an_empty_text_where_none_is_wanted_is_nothing() {
    let package = package();
    let given = object(json!({ "string": "s", "boolean": "", "integer": "", "number": "", "list": "", "map": "" }));
    let checked = check(&package, &given, &|_| None);
    assert_eq!((checked.failures, checked.inputs), (vec![], given.clone()));
    let without = object(json!({ "string": "s" }));
    for (old, new) in [(&given, &without), (&without, &given)] {
        assert_eq!(diff_configuration(&package, old, new, &[]).changes, []);
    }
}

#[test]
fn json_that_is_too_deep_is_left_alone() {
    let deep = Value::from("[".repeat(100_000));
    let given: Object = [("list", deep.clone())].into();
    assert_eq!(typed(&package(), &given)["list"], deep);
}

#[test]
fn what_should_be_json_and_is_none_is_told_by_its_place() {
    let package = package();
    let reason = |name: &str, text: &str| {
        let given = object(json!({ "string": "s", name: text }));
        let failures = check(&package, &given, &|_| None).failures;
        let [failure] = failures.as_slice() else { panic!("{failures:?}") };
        assert_eq!(failure.path.to_string(), name);
        failure.reason.clone()
    };
    let broken = |kind, line, column| {
        format!("expected {kind} as JSON, and the text isn't valid JSON: it breaks at line {line}, column {column}")
    };
    assert_eq!(reason("object", "{\"x\": true,}"), broken("an object", 1, 12));
    assert_eq!(
        reason("map", "{\"hunter2\": 1\n"),
        broken("an object", 2, 0),
        "a text that ends too soon, shown nowhere"
    );
    assert_eq!(reason("list", "a, b"), broken("a list", 1, 1));
    assert!(!reason("object", "[1]").contains("valid JSON"), "which it is");
    assert!(!reason("integer", "many").contains("JSON"), "nobody writes an integer as JSON");
}
