use bulkhead_value::{Object, Reference, ReferenceId, Value};
use serde_json::{Value as Json, json};

use super::{conform, conform_checked, conform_predicted, conform_preview, conform_return};
use crate::{
    Failure,
    fixture::{cloud, nested, object, on_a_small_stack, one, parsed, password, random, resource, server, value},
    walk::Steps,
};

fn told(failures: &[Failure]) -> Vec<String> {
    failures.iter().map(|failure| format!("{}: {}", failure.path, failure.reason)).collect()
}

fn wrong(state: Json) -> Vec<String> {
    let package = cloud();
    told(&conform(&package, &server(&package).outputs, &object(state)))
}

#[test]
fn required_outputs_are_there() {
    let package = random();
    let ty = &password(&package).outputs;
    let full = json!({ "length": 8, "minLower": 0, "special": true, "result": { "<secret>": "x" }, "bcryptHash": "y" });
    assert_eq!(conform(&package, ty, &object(full)), []);
    let partial = object(json!({ "length": 8, "special": true, "result": null, "bcryptHash": "y" }));
    assert_eq!(
        told(&conform(&package, ty, &partial)),
        ["minLower: missing required property 'minLower'", "result: missing required property 'result'"]
    );
}

#[test]
fn a_null_that_is_secret_is_missing_and_a_constant_is_what_it_is() {
    let package = random();
    let state =
        json!({ "length": 8, "minLower": 0, "special": true, "result": { "<secret>": null }, "bcryptHash": "y" });
    let failures = conform(&package, &password(&package).outputs, &object(state));
    assert_eq!(told(&failures), ["result: missing required property 'result'"]);

    let package = one(json!({}), json!({ "kind": { "type": "string", "const": "k" } }), json!({}));
    let wrong = |kind: Json| told(&conform(&package, &resource(&package).outputs, &object(json!({ "kind": kind }))));
    for (kind, expected) in [
        (json!("k"), ""),
        (json!({ "<secret>": "k" }), ""),
        (json!(null), ""),
        (json!("other"), "kind: expected 'k', got another value"),
        (json!(1), "kind: expected 'k', got another value"),
    ] {
        assert_eq!(wrong(kind.clone()).join("|"), expected, "{kind}");
    }
}

#[test]
fn outputs_are_of_their_types() {
    for (state, expected) in [
        (json!({ "ratio": 1.5, "tags": {}, "spec": { "serial": "1" }, "rules": null }), ""),
        (json!({ "ratio": "1" }), "ratio: expected a number, got a string"),
        (json!({ "replicas": 1.5 }), "replicas: expected an integer, got a number that isn't one"),
        (json!({ "size": "huge" }), "size: expected one of 'small' or 'large', got another value"),
        (
            json!({ "spec": { "zone": 1 } }),
            "spec.serial: missing required property 'serial'|spec.zone: expected a string, got a number",
        ),
        (json!({ "rules": [{ "port": 1 }, { "port": "x" }] }), "rules[1].port: expected an integer, got a string"),
        (json!({ "shape": { "kind": "oval" } }), "shape.kind: expected one of 'circle' or 'square', got another value"),
        (json!({ "tags": { "<secret>": { "canary": 1 } } }), "tags: expected a string, got a number"),
    ] {
        assert_eq!(wrong(state.clone()).join("|"), expected, "{state}");
    }
}

#[test]
fn nothing_real_is_unknown() {
    let reason = "the value isn't known although the operation is over";
    assert_eq!(wrong(json!({ "ratio": "<unknown>" })), [format!("ratio: {reason}")]);
    assert_eq!(wrong(json!({ "spec": { "<secret>": { "serial": "<unknown>" } } })), [format!("spec.serial: {reason}")]);
    let inside = "something in the value isn't known although the operation is over";
    assert_eq!(wrong(json!({ "anything": [{ "a": "<unknown>" }] })), [format!("anything: {inside}")]);
    assert_eq!(wrong(json!({ "undeclared": { "a": "<unknown>" } })), [format!("undeclared: {inside}")]);
    let package = cloud();
    let reference = Reference { urn: "urn:n".into(), id: Some(ReferenceId::Unknown), package_version: String::new() };
    let state: Object = [("network", Value::from(reference))].into();
    assert_eq!(told(&conform(&package, &server(&package).outputs, &state)), [format!("network: {reason}")]);
}

#[test]
fn what_nobody_reads_is_tolerated() {
    assert_eq!(wrong(json!({ "undeclared": [1], "id": 1, "__meta": [], "tags": { "__defaults": [1] } })), [""; 0]);
}

#[test]
fn a_preview_may_leave_things_open_but_not_wrong() {
    let package = random();
    let ty = &password(&package).outputs;
    assert_eq!(conform_preview(&package, ty, &object(json!({ "result": "<unknown>", "length": 8 }))), []);
    let failures = conform_preview(&package, ty, &object(json!({ "length": "<unknown>", "special": 1 })));
    assert_eq!(told(&failures), ["special: expected a boolean, got a number"]);
}

/// What a check was given is for it to accept, whatever it fills in beside it.
#[test]
fn a_check_has_no_part_in_what_it_was_given() {
    let package = cloud();
    let ty = &server(&package).inputs;
    let missing = "rules[0].port: missing required property 'port'";
    for (given, checked, expected) in [
        (json!({ "rules": [{ "port": "1" }] }), json!({ "rules": [{ "port": "1", "protocol": "tcp" }] }), ""),
        (
            json!({ "rules": [{ "port": "1" }] }),
            json!({ "rules": [{ "port": "2" }, { "port": 1 }] }),
            "rules[0].port: expected an integer, got a string",
        ),
        (json!({ "rules": [{ "note": "a" }] }), json!({ "rules": [{ "note": "b" }] }), ""),
        (json!({ "rules": [{ "port": 1 }] }), json!({ "rules": [{ "note": "b" }] }), missing),
        (json!({ "rules": "all" }), json!({ "rules": [{}] }), missing),
        (json!({}), json!({ "rules": [{ "port": null }] }), missing),
        (json!({ "shape": { "kind": "oval" } }), json!({ "shape": { "kind": "oval", "radius": 1 } }), ""),
        (
            json!({ "shape": { "kind": "circle" } }),
            json!({ "shape": { "kind": "oval" } }),
            "shape.kind: expected one of 'circle' or 'square', got another value",
        ),
        // Nor is what would be filled in missing.
        (json!({}), json!({ "shape": { "radius": 1 } }), ""),
        (json!({ "tags": { "a": 1 } }), json!({ "tags": { "<secret>": { "a": 1, "b": "x" } } }), ""),
        (
            json!({ "tags": { "<secret>": { "a": 1 } } }),
            json!({ "tags": { "a": 1, "b": 2 } }),
            "tags.b: expected a string, got a number",
        ),
        (json!({ "label": [1, "<unknown>"] }), json!({ "label": [1, "<unknown>"] }), ""),
    ] {
        let failures = conform_checked(&package, ty, &object(checked.clone()), &object(given.clone()));
        assert_eq!(told(&failures).join("|"), expected, "{given} {checked}");
    }
}

#[test]
fn a_prediction_has_no_part_in_what_is_known() {
    let package = cloud();
    let ty = &server(&package).outputs;
    let recorded = object(json!({ "spec": { "weight": "x", "serial": null } }));
    let echoed = object(json!({ "spec": { "zone": 1, "serial": "s" } }));
    for (predicted, expected) in [
        (json!({ "spec": { "weight": "x", "zone": "b" } }), ""),
        (json!({ "spec": { "weight": 2, "zone": 1 } }), ""),
        (json!({ "spec": { "weight": "y", "zone": 1 } }), "spec.weight: expected a number, got a string"),
        (json!({ "spec": { "child": {} } }), "spec.child.serial: missing required property 'serial'"),
    ] {
        let failures = conform_predicted(&package, ty, &object(predicted.clone()), [&recorded, &echoed]);
        assert_eq!(told(&failures).join("|"), expected, "{predicted}");
    }
}

#[test]
fn a_function_returns_what_its_schema_says() {
    let package = parsed(&json!({
        "name": "f",
        "functions": {
            "f:index:object": { "outputs": { "properties": { "a": { "type": "string" } }, "required": ["a"] } },
            "f:index:scalar": { "outputs": { "type": "integer" } },
            "f:index:nothing": {},
        },
    }));
    let wrong = |token: &str, returned: Json| {
        told(&conform_return(&package, package.function(token).unwrap(), &value(returned))).join("|")
    };
    for (token, returned, expected) in [
        ("f:index:object", json!({ "a": "x" }), ""),
        ("f:index:object", json!({}), "a: missing required property 'a'"),
        ("f:index:object", json!(1), ": expected an object, got a number"),
        ("f:index:scalar", json!(1), ""),
        ("f:index:scalar", json!("1"), ": expected an integer, got a string"),
        ("f:index:scalar", json!("<unknown>"), ": the value isn't known although the operation is over"),
        ("f:index:nothing", json!({ "a": 1 }), ""),
    ] {
        assert_eq!(wrong(token, returned.clone()), expected, "{token} {returned}");
    }
}

#[test]
fn deep_values_are_examined_on_any_stack() {
    on_a_small_stack(|| {
        let package = cloud();
        let deep = nested(1000, "child", value(json!({ "serial": "1" })));
        let state: Object = [("anything", deep.clone()), ("spec", deep)].into();
        // The innermost alone has what is required.
        assert_eq!(conform(&package, &server(&package).outputs, &state).len(), 1000);
    });
}

#[test]
fn a_state_that_is_wrong_everywhere_ends_after_a_thousand_failures() {
    let properties: serde_json::Map<String, Json> =
        (0..5_000).map(|number| (format!("p{number}"), json!({ "type": "string" }))).collect();
    let required: Vec<&String> = properties.keys().collect();
    let package = parsed(&json!({
        "name": "t",
        "types": { "t:index:Wide": { "type": "object", "properties": properties, "required": required } },
        "resources": { "t:index:R": {
            "properties": { "wide": { "type": "array", "items": { "$ref": "#/types/t:index:Wide" } } },
        } },
    }));
    let outputs = &package.resource("t:index:R").unwrap().outputs;
    let empty: Object = [("wide", Value::from(vec![Value::from(Object::new()); 5_000]))].into();
    assert_eq!(conform(&package, outputs, &empty).len(), 1_000);
}

#[test]
fn a_state_that_takes_too_long_to_compare_is_refused_once() {
    let package = cloud();
    let state = object(json!({ "replicas": 1, "ratio": 1, "tags": { "a": "b" }, "rules": [{ "port": 1 }] }));
    let told = told(&super::conform_within(&package, &server(&package).outputs, &state, &mut Steps::exactly(2)));
    assert_eq!(told, ["rules: there is too much in it to be compared with the types that the schema allows"]);
}

#[test]
fn a_failure_below_a_name_without_end_is_told_above_it() {
    let package = parsed(&json!({
        "name": "t",
        "resources": { "t:index:R": { "properties": {
            "p": { "type": "object", "additionalProperties": { "type": "array", "items": { "type": "integer" } } },
        } } },
    }));
    let outputs = &package.resource("t:index:R").unwrap().outputs;
    let (name, wrong) = ("n".repeat(1 << 20), vec![Value::from("x"); 1_000]);
    let state: Object = [("p", Value::from(Object::from([(name, Value::from(wrong))])))].into();
    let failures = conform(&package, outputs, &state);
    assert_eq!((failures.len(), failures[0].path.to_string()), (1_000, "p".to_owned()));
}
