use bulkhead_value::{Object, Output, PropertyPath, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{Autonaming, AutonamingMode, CheckRequest, Checked, check};
use crate::{
    Failure, conform_preview,
    fixture::{
        cloud, like_inputs, nested, object, on_a_small_stack, one, password, paths, random, resource, server, value,
    },
    model::Package,
};

fn told(failures: &[Failure]) -> Vec<String> {
    failures.iter().map(|failure| format!("{}: {}", failure.path, failure.reason)).collect()
}

fn checked(package: &Package, inputs: Json) -> Checked {
    let inputs = object(inputs);
    check(package, CheckRequest::of(&server(package).inputs, &inputs))
}

/// What is wrong with one input of a type.
fn wrong(property: Json, given: Json) -> Vec<String> {
    let package = one(json!({ "p": property }), json!({}), cloud_types());
    let inputs = object(json!({ "p": given }));
    let checked = check(&package, CheckRequest::of(&resource(&package).inputs, &inputs));
    assert_eq!(checked.inputs.get("p").is_some(), inputs.contains_key("p"));
    told(&checked.failures)
}

fn cloud_types() -> Json {
    json!({
        "t:index:Size": { "type": "string", "enum": [{ "value": "small" }, { "value": "large" }] },
        "t:index:Level": { "type": "integer", "enum": [{ "value": 1 }, { "value": 2 }] },
        "t:index:Rule": {
            "properties": { "port": { "type": "integer" }, "note": { "type": "string" } }, "required": ["port"]
        },
        "t:index:OnlyA": { "properties": { "a": { "type": "string" } } },
        "t:index:OnlyB": { "properties": { "b": { "type": "string" } } },
        "t:index:KindA": { "properties": { "kind": { "type": "string", "const": "a" }, "x": { "type": "string" } } },
        "t:index:KindB": { "properties": { "kind": { "type": "string", "const": "b" }, "x": { "type": "string" } } },
        "t:index:Circle": {
            "properties": { "kind": { "type": "string", "const": "circle" }, "radius": { "type": "number" } },
            "required": ["kind", "radius"],
        },
        "t:index:Square": {
            "properties": { "kind": { "type": "string", "const": "square" }, "side": { "type": "number" } },
            "required": ["kind", "side"],
        },
    })
}

mod completion;
mod invariants;
mod limits;
mod properties;
mod types;
