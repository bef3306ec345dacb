use bulkhead_value::{Object, Output, PropertyPath, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{Autonaming, AutonamingMode, CheckRequest, Checked, check};
use crate::{
    Failure,
    fixture::{cloud, nested, object, on_a_small_stack, one, password, paths, random, resource, server, value},
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

#[test]
fn values_are_of_the_type_that_the_schema_says() {
    let list = |items: Json| json!({ "type": "array", "items": items });
    let map = |items: Json| json!({ "type": "object", "additionalProperties": items });
    let named = |name: &str| json!({ "$ref": format!("#/types/t:index:{name}") });
    let built_in = |name: &str| json!({ "$ref": format!("pulumi.json#/{name}") });
    let primitive = |name: &str| json!({ "type": name });
    for (ty, given, expected) in [
        (primitive("boolean"), json!(true), ""),
        (primitive("boolean"), json!("true"), "p: expected a boolean, got a string"),
        (primitive("integer"), json!(-3), ""),
        (primitive("integer"), json!(9007199254740992_i64), ""),
        (primitive("integer"), json!("3"), "p: expected an integer, got a string"),
        (primitive("integer"), json!(1.5), "p: expected an integer, got a number that isn't one"),
        (
            primitive("integer"),
            json!(1e300),
            "p: expected an integer of at most 2^53 in magnitude; larger ones can't be passed on exactly",
        ),
        (primitive("number"), json!(1.5), ""),
        (primitive("number"), json!(false), "p: expected a number, got a boolean"),
        (primitive("string"), json!(""), ""),
        (primitive("string"), json!(1), "p: expected a string, got a number"),
        (primitive("string"), json!({}), "p: expected a string, got an object"),
        (list(primitive("string")), json!(["a"]), ""),
        (list(primitive("string")), json!(["a", 1]), "p[1]: expected a string, got a number"),
        (list(primitive("string")), json!([null]), "p[0]: expected a string, got null"),
        (list(primitive("string")), json!("a"), "p: expected a list, got a string"),
        (map(primitive("string")), json!({ "a.b": "x" }), ""),
        (map(primitive("string")), json!({ "a.b": 1 }), "p[\"a.b\"]: expected a string, got a number"),
        (map(primitive("string")), json!({ "a": null, "__defaults": [] }), ""),
        (map(primitive("string")), json!([]), "p: expected an object, got a list"),
        (
            map(list(primitive("integer"))),
            json!({ "a": [1, 2.5] }),
            "p.a[1]: expected an integer, got a number that isn't one",
        ),
        (named("Size"), json!("large"), ""),
        (named("Size"), json!("huge"), "p: expected one of 'small' or 'large', got another value"),
        (named("Size"), json!(1), "p: expected one of 'small' or 'large', got a number"),
        (named("Level"), json!(2), ""),
        (named("Level"), json!(3), "p: expected one of 1 or 2, got another value"),
        (named("Rule"), json!({ "port": 1 }), ""),
        (named("Rule"), json!({ "port": "1" }), "p.port: expected an integer, got a string"),
        (named("Rule"), json!({}), "p.port: missing required property 'port'"),
        (named("Rule"), json!({ "port": null }), "p.port: missing required property 'port'"),
        (named("Rule"), json!([]), "p: expected an object, got a list"),
        (built_in("Any"), json!([1, null, { "a": {} }]), ""),
        (built_in("Json"), json!("{\"a\": [1]}"), ""),
        (built_in("Json"), json!("{"), "p: expected JSON, got a string that isn't"),
        (built_in("Json"), json!({}), "p: expected a string of JSON, got an object"),
        (built_in("Asset"), json!({ "<asset>": "text" }), ""),
        (built_in("Asset"), json!("text"), "p: expected an asset or an archive, got a string"),
        (built_in("Archive"), json!({ "<asset>": "text" }), "p: expected an archive, got an asset"),
        (json!({ "$ref": "#/resources/t:index:R" }), json!("an-id"), ""),
        (json!({ "$ref": "#/resources/t:index:R" }), json!(1), "p: expected a resource, an id or a URN, got a number"),
        (json!({ "$ref": "/aws/v1.0.0/schema.json#/types/a:b:C" }), json!({ "x": 1 }), ""),
    ] {
        let expected: Vec<&str> = Some(expected).filter(|text| !text.is_empty()).into_iter().collect();
        assert_eq!(wrong(ty.clone(), given.clone()), expected, "{ty} {given}");
    }
}

#[test]
fn assets_archives_and_references_are_told_apart() {
    let package = one(
        json!({
            "asset": { "$ref": "pulumi.json#/Asset" }, "archive": { "$ref": "pulumi.json#/Archive" },
            "resource": { "$ref": "#/resources/t:index:R" }, "text": { "type": "string" },
        }),
        json!({}),
        json!({}),
    );
    let ty = &resource(&package).inputs;
    let archive = || Value::from(bulkhead_value::Archive::members(object(json!({ "a": { "<asset>": "x" } }))));
    let stray = Value::from(bulkhead_value::Archive::members(object(json!({ "a": 1 }))));
    let reference = || {
        let urn = "urn:pulumi:s::p::t:index:R::n".to_owned();
        Value::from(bulkhead_value::Reference { urn, id: None, package_version: String::new() })
    };
    let right: Object =
        [("asset", archive()), ("archive", archive()), ("resource", reference()), ("text", Value::Bytes(vec![0xff]))]
            .into();
    assert_eq!(check(&package, CheckRequest::of(ty, &right)).failures, []);
    let wrong: Object = [("archive", stray), ("text", reference())].into();
    assert_eq!(
        told(&check(&package, CheckRequest::of(ty, &wrong)).failures),
        [
            "archive: expected assets and archives as members of the archive, got another value",
            "text: expected a string, got a resource reference",
        ]
    );
}

#[test]
fn a_union_accepts_what_any_of_its_variants_does() {
    let scalar = json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }] });
    let lists = json!({ "oneOf": [
        { "type": "array", "items": { "type": "string" } }, { "type": "array", "items": { "type": "integer" } }] });
    let mixed = json!({ "oneOf": [{ "type": "string" }, { "$ref": "#/types/t:index:Rule" }] });
    let nested = json!({ "oneOf": [{ "type": "boolean" }, scalar] });
    let open_enum = json!({ "oneOf": [{ "type": "string" }, { "$ref": "#/types/t:index:Size" }] });
    let objects = json!({ "oneOf": [{ "$ref": "#/types/t:index:Circle" }, { "$ref": "#/types/t:index:Rule" }] });
    for (ty, given, expected) in [
        (&scalar, json!("a"), ""),
        (&scalar, json!(1), ""),
        (&scalar, json!(1.5), "p: expected an integer, got a number that isn't one"),
        (&scalar, json!([]), "p: expected a string or an integer, got a list"),
        (&lists, json!([1, 2]), ""),
        (&lists, json!(["a"]), ""),
        (&lists, json!([1, "a"]), "p[0]: expected a string, got a number"),
        (&mixed, json!({ "port": 1 }), ""),
        (&mixed, json!({ "port": 1, "nope": 2 }), "p.nope: unknown property 'nope'; did you mean 'note'?"),
        (&nested, json!(7), ""),
        (&nested, json!({}), "p: expected a boolean, a string or an integer, got an object"),
        (&open_enum, json!("anything"), ""),
        (&objects, json!({ "port": 1 }), ""),
        (&objects, json!({ "radius": 1 }), ""),
        (&objects, json!({ "port": "x" }), "p.port: expected an integer, got a string"),
    ] {
        let expected: Vec<&str> = Some(expected).filter(|text| !text.is_empty()).into_iter().collect();
        assert_eq!(wrong(ty.clone(), given.clone()), expected, "{ty} {given}");
    }
}

#[test]
fn a_discriminator_decides_the_variant() {
    let variants = json!([{ "$ref": "#/types/t:index:Circle" }, { "$ref": "#/types/t:index:Square" }]);
    let mapped = json!({ "oneOf": variants, "discriminator": { "propertyName": "kind", "mapping": {
        "circle": "#/types/t:index:Circle", "square": "#/types/t:index:Square" } } });
    let bare = json!({ "oneOf": variants, "discriminator": { "propertyName": "kind" } });
    for ty in [&mapped, &bare] {
        for (given, expected) in [
            (json!({ "kind": "circle", "radius": 1 }), ""),
            (
                json!({ "kind": "circle", "side": 1 }),
                "p.side: unknown property 'side'|p.radius: missing required property 'radius'",
            ),
            (json!({ "kind": "oval", "side": 1 }), "p.kind: expected one of 'circle' or 'square', got another value"),
            (json!({ "kind": { "<secret>": "square" }, "side": 1 }), ""),
            (json!({ "kind": "<unknown>", "whatever": 1 }), ""),
            (json!({ "side": 2 }), ""),
            (json!("circle"), "p: expected an object, got a string"),
        ] {
            assert_eq!(wrong(ty.clone(), given.clone()).join("|"), expected, "{ty} {given}");
        }
    }
}

#[test]
fn unknown_values_pass_everywhere() {
    let package = cloud();
    let inputs = json!({
        "name": "<unknown>", "size": "<unknown>", "replicas": "<unknown>", "tags": { "a": "<unknown>" },
        "rules": ["<unknown>", { "port": "<unknown>" }], "spec": { "<secret>": "<unknown>" }, "shape": "<unknown>",
        "source": "<unknown>", "network": "<unknown>",
    });
    let checked = checked(&package, inputs.clone());
    assert_eq!(told(&checked.failures), [""; 0]);
    for (name, given) in &object(inputs) {
        let expected = match name.as_str() {
            "rules" => value(json!(["<unknown>", { "port": "<unknown>", "protocol": "tcp" }])),
            _ => given.clone(),
        };
        assert_eq!(checked.inputs[name], expected, "{name}");
    }
}

#[test]
fn secrets_and_outputs_are_checked_as_what_they_hold() {
    assert_eq!(wrong(json!({ "type": "integer" }), json!({ "<secret>": 1 })), [""; 0]);
    let canary = wrong(json!({ "type": "integer" }), json!({ "<secret>": "canary" }));
    assert_eq!(canary, ["p: expected an integer, got a string"]);

    let package = cloud();
    let inputs: Object = [
        ("replicas", Value::from(Output::known("x"))),
        ("ratio", Value::from(Output::default())),
        ("public", Value::from(Output::known(Value::from(true).secret()))),
    ]
    .into();
    let checked = check(&package, CheckRequest::of(&server(&package).inputs, &inputs));
    assert_eq!(told(&checked.failures), ["replicas: expected an integer, got a string"]);
}

#[test]
fn no_failure_shows_a_value_or_a_name_inside_a_secret() {
    let package = cloud();
    let checked = checked(
        &package,
        json!({
            "replicas": "canary", "size": "canary", "document": "canary", "label": ["canary"],
            "tags": { "<secret>": { "canary": 1, "canary-two": [] } },
            "spec": { "<secret>": { "canary": 1, "weight": "canary" } },
        }),
    );
    assert_eq!(
        told(&checked.failures),
        [
            "document: expected JSON, got a string that isn't",
            "label: expected a string or an integer, got a list",
            "replicas: expected an integer, got a string",
            "size: expected one of 'small' or 'large', got another value",
            "spec: a property of this secret isn't known",
            "spec.weight: expected a number, got a string",
            "tags: expected a string, got a number",
            "tags: expected a string, got a list",
        ]
    );
}

#[test]
fn an_unknown_property_names_the_nearest() {
    let package = random();
    let ty = &password(&package).inputs;
    let inputs = object(json!({ "lenght": 8, "utterly": 1, "nothing": null, "id": "x", "__defaults": [] }));
    assert_eq!(
        told(&check(&package, CheckRequest::of(ty, &inputs)).failures),
        [
            "lenght: unknown property 'lenght'; did you mean 'length'?",
            "utterly: unknown property 'utterly'",
            "length: missing required property 'length'",
        ]
    );
    let exempt = object(json!({ "length": 8, "version": "1.0.0" }));
    let request = CheckRequest { exempt: &["version"], ..CheckRequest::of(ty, &exempt) };
    let checked = check(&package, request);
    assert_eq!((checked.failures, checked.inputs), (vec![], exempt));
}

#[test]
fn null_is_as_good_as_absent_and_is_kept() {
    let package = random();
    let ty = &password(&package).inputs;
    let inputs = object(json!({ "length": 1, "special": null, "keepers": { "<secret>": null } }));
    let checked = check(&package, CheckRequest::of(ty, &inputs));
    assert_eq!((checked.failures, checked.inputs), (vec![], inputs));
    let missing = object(json!({ "length": null }));
    let failures = check(&package, CheckRequest::of(ty, &missing)).failures;
    assert_eq!(told(&failures), ["length: missing required property 'length'"]);
}

#[test]
fn keys_that_belong_to_others_are_kept_and_not_looked_at() {
    let package = cloud();
    let given = json!({
        "id": 1, "__meta": {}, "rules": [{ "port": 1, "protocol": "udp", "id": [], "__defaults": ["x"] }],
        "name": "n", "size": "large", "replicas": 2, "token": "t",
    });
    let checked = checked(&package, given.clone());
    assert_eq!((told(&checked.failures), checked.inputs), (vec![], object(given)));

    // What a schema declares is its own, whatever the name.
    let types = json!({ "t:index:Link": { "properties": { "id": { "type": "string" } }, "required": ["id"] } });
    let package = one(json!({ "link": { "$ref": "#/types/t:index:Link" } }), json!({}), types);
    let inputs = object(json!({ "link": { "id": 1 } }));
    let failures = check(&package, CheckRequest::of(&resource(&package).inputs, &inputs)).failures;
    assert_eq!(told(&failures), ["link.id: expected a string, got a number"]);
}

#[test]
fn defaults_are_filled_in_at_every_depth() {
    let package = cloud();
    let checked = checked(
        &package,
        json!({ "name": "n", "rules": { "<secret>": [{ "port": 1 }, { "port": 2, "protocol": "udp" }] } }),
    );
    assert_eq!(told(&checked.failures), [""; 0]);
    assert_eq!(
        checked.inputs,
        object(json!({
            "name": "n", "size": "small", "replicas": 1, "token": { "<secret>": "default-token" },
            "rules": { "<secret>": [{ "port": 1, "protocol": "tcp" }, { "port": 2, "protocol": "udp" }] },
        }))
    );
    assert_eq!(checked.filled, paths(&["replicas", "size", "token", "rules[0].protocol"]));
    assert_eq!(checked.generated, []);
}

#[test]
fn a_promise_of_the_provider_is_never_filled_in() {
    let package = random();
    let inputs = object(json!({ "length": 8 }));
    let checked = check(&package, CheckRequest::of(&password(&package).inputs, &inputs));
    assert_eq!(checked, Checked { inputs, ..Checked::default() });
}

#[test]
fn constants_are_filled_in_and_required() {
    let package = cloud();
    let filled = checked(&package, json!({ "name": "n", "shape": { "side": 1 } }));
    assert_eq!(filled.inputs["shape"], value(json!({ "kind": "square", "side": 1 })));
    assert!(filled.filled.contains(&PropertyPath::parse("shape.kind").unwrap()));
    let constant = json!({ "type": "string", "const": "only" });
    assert_eq!(wrong(constant.clone(), json!("only")), [""; 0]);
    assert_eq!(wrong(constant.clone(), json!({ "<secret>": "only" })), [""; 0]);
    assert_eq!(wrong(constant.clone(), json!("other")), ["p: expected 'only', got another value"]);
    assert_eq!(wrong(constant, json!(1)), ["p: expected 'only', got another value"]);
}

#[test]
fn the_environment_comes_before_the_default() {
    let package = cloud();
    let inputs = object(json!({ "name": "n" }));
    let token = |variables: &[(&str, &str)]| {
        let environment =
            |name: &str| variables.iter().find(|(variable, _)| *variable == name).map(|(_, text)| (*text).to_owned());
        let request = CheckRequest { environment: &environment, ..CheckRequest::of(&server(&package).inputs, &inputs) };
        let checked = check(&package, request);
        assert!(checked.filled.contains(&PropertyPath::field("token")));
        checked.inputs["token"].clone()
    };
    assert_eq!(token(&[]), Value::from("default-token").secret());
    assert_eq!(token(&[("CLOUD_TOKEN", "")]), Value::from("default-token").secret());
    assert_eq!(token(&[("CLOUD_TOKEN_OLD", "old")]), Value::from("old").secret());
    assert_eq!(token(&[("CLOUD_TOKEN_OLD", "old"), ("CLOUD_TOKEN", "new")]), Value::from("new").secret());
}

#[test]
fn the_environment_is_read_as_the_property_s_type() {
    let from = |ty: Json, text: &str| {
        let mut property = ty;
        property["defaultInfo"] = json!({ "environment": ["VARIABLE"] });
        let package = one(json!({ "p": property }), json!({}), cloud_types());
        let (inputs, text) = (Object::new(), text.to_owned());
        let environment = move |_: &str| Some(text.clone());
        let request =
            CheckRequest { environment: &environment, ..CheckRequest::of(&resource(&package).inputs, &inputs) };
        let checked = check(&package, request);
        (checked.inputs.get("p").cloned(), told(&checked.failures))
    };
    for (ty, text, expected) in [
        (json!({ "type": "string" }), "1", json!("1")),
        (json!({ "type": "integer" }), "12", json!(12)),
        (json!({ "type": "number" }), "1.5", json!(1.5)),
        (json!({ "type": "boolean" }), "T", json!(true)),
        (json!({ "type": "boolean" }), "0", json!(false)),
        (json!({ "$ref": "#/types/t:index:Size" }), "large", json!("large")),
        (json!({ "$ref": "#/types/t:index:Level" }), "2", json!(2)),
        (json!({ "type": "array", "items": { "type": "integer" } }), "[1, 2]", json!([1, 2])),
        (json!({ "oneOf": [{ "type": "integer" }, { "type": "string" }] }), "7", json!("7")),
    ] {
        assert_eq!(from(ty.clone(), text), (Some(value(expected)), vec![]), "{ty} {text}");
    }
    for (ty, text) in [
        (json!({ "type": "integer" }), "canary"),
        (json!({ "type": "boolean" }), "yes"),
        (json!({ "$ref": "#/types/t:index:Size" }), "huge"),
        (json!({ "type": "array", "items": { "type": "integer" } }), "1"),
    ] {
        let expected = "p: environment variable 'VARIABLE', its default, isn't of the property's type";
        assert_eq!(from(ty.clone(), text), (None, vec![expected.to_owned()]), "{ty} {text}");
    }
    let ruled = json!({ "type": "integer", "language": { "bulkhead": { "validate": { "minimum": 10 } } } });
    let expected = "p: environment variable 'VARIABLE', its default, is unusable: expected at least 10";
    assert_eq!(from(ruled, "1").1, [expected]);
}

#[test]
fn rules_beyond_the_type_are_kept() {
    let ruled = |ty: Json, rules: Json| {
        let mut property = ty;
        property["language"] = json!({ "bulkhead": { "validate": rules } });
        property
    };
    let (string, number) = (json!({ "type": "string" }), json!({ "type": "number" }));
    let list = json!({ "type": "array", "items": { "type": "integer" } });
    let map = json!({ "type": "object" });
    for (property, given, expected) in [
        (ruled(number.clone(), json!({ "minimum": 1, "maximum": 2 })), json!(1), ""),
        (ruled(number.clone(), json!({ "minimum": 1, "maximum": 2 })), json!(0.5), "p: expected at least 1"),
        (ruled(number, json!({ "minimum": 1, "maximum": 2 })), json!(2.5), "p: expected at most 2"),
        (ruled(string.clone(), json!({ "minLength": 2, "maxLength": 3 })), json!("äöü"), ""),
        (ruled(string.clone(), json!({ "minLength": 2 })), json!("a"), "p: expected at least 2 characters"),
        (ruled(string.clone(), json!({ "maxLength": 1 })), json!("ab"), "p: expected at most 1 character"),
        (ruled(string.clone(), json!({ "pattern": "^[a-z]+$" })), json!("abc"), ""),
        (
            ruled(string.clone(), json!({ "pattern": "^[a-z]+$" })),
            json!("A"),
            "p: expected a string that matches ^[a-z]+$",
        ),
        (
            ruled(string.clone(), json!({ "minLength": 2, "pattern": "b" })),
            json!("a"),
            "p: expected at least 2 characters|p: expected a string that matches b",
        ),
        (ruled(string, json!({ "minLength": 2 })), json!("<unknown>"), ""),
        (ruled(list.clone(), json!({ "minItems": 1, "maxItems": 2 })), json!([]), "p: expected at least 1 element"),
        (ruled(list, json!({ "minItems": 1, "maxItems": 2 })), json!([1, 2, 3]), "p: expected at most 2 elements"),
        (ruled(map, json!({ "maxItems": 1 })), json!({ "a": "1", "b": "2" }), "p: expected at most 1 member"),
    ] {
        assert_eq!(wrong(property.clone(), given.clone()).join("|"), expected, "{property} {given}");
    }
}

#[test]
fn properties_that_exclude_or_need_each_other_are_told() {
    let with = |rules: Json| json!({ "type": "string", "language": { "bulkhead": { "validate": rules } } });
    let mut defaulted = with(json!({ "conflictsWith": ["conflict"] }));
    defaulted["default"] = json!("d");
    let package = one(
        json!({
            "a": with(json!({ "exactlyOneOf": ["b"] })),
            "b": with(json!({ "exactlyOneOf": ["a", "b"] })),
            "conflict": with(json!({ "conflictsWith": ["other"] })),
            "other": with(json!({ "conflictsWith": ["conflict"] })),
            "needy": with(json!({ "requires": ["needed"] })),
            "needed": { "type": "string" },
            "defaulted": defaulted,
        }),
        json!({}),
        json!({}),
    );
    let ty = &resource(&package).inputs;
    for (given, expected) in [
        (json!({ "a": "1" }), ""),
        (json!({}), "a: exactly one of 'a', 'b' must be given"),
        (json!({ "a": "1", "b": "2" }), "a: exactly one of 'a', 'b' must be given"),
        (json!({ "a": "1", "b": null }), ""),
        (json!({ "a": "1", "b": "<unknown>" }), ""),
        (json!({ "b": "<unknown>" }), ""),
        (json!({ "a": "1", "conflict": "x", "other": "y" }), "conflict: conflicts with 'other'"),
        (json!({ "a": "1", "conflict": "x", "other": "<unknown>" }), ""),
        (json!({ "a": "1", "needy": "x" }), "needy: requires 'needed'"),
        (json!({ "a": "1", "needy": "x", "needed": "<unknown>" }), ""),
    ] {
        let inputs = object(given.clone());
        let checked = check(&package, CheckRequest::of(ty, &inputs));
        assert_eq!(told(&checked.failures).join("|"), expected, "{given}");
        // A default never contradicts what was given.
        assert_eq!(checked.inputs.contains_key("defaulted"), !inputs.contains_key("conflict"), "{given}");
    }
}

fn named(package: &Package, request: CheckRequest<'_>) -> (Option<Value>, Vec<PropertyPath>, Vec<String>) {
    let checked = check(package, request);
    (checked.inputs.get("name").cloned(), checked.generated, told(&checked.failures))
}

#[test]
fn a_name_is_generated_from_the_seed_and_kept_afterwards() {
    let package = cloud();
    let (none, given) = (Object::new(), object(json!({ "name": "given" })));
    let first =
        CheckRequest { seed: Some(&[1; 32]), name: Some("web"), ..CheckRequest::of(&server(&package).inputs, &none) };
    let (name, generated, failures) = named(&package, first);
    let name = name.unwrap();
    assert!(name.as_str().unwrap().starts_with("web-") && name.as_str().unwrap().len() == 11, "{name:?}");
    assert_eq!((generated.as_slice(), failures.as_slice()), (paths(&["name"]).as_slice(), [].as_slice()));
    assert_eq!(named(&package, first).0.unwrap(), name);
    assert_ne!(named(&package, CheckRequest { seed: Some(&[2; 32]), ..first }).0.unwrap(), name);

    // With the old inputs, the same name, whatever the seed; without the note that it was generated, a new one.
    let prior: Object = [("name", name.clone())].into();
    let again = CheckRequest { seed: Some(&[2; 32]), prior: Some(&prior), prior_generated: &generated, ..first };
    assert_eq!(named(&package, again), (Some(name.clone()), generated.clone(), vec![]));
    assert_ne!(named(&package, CheckRequest { prior_generated: &[], ..again }).0.unwrap(), name);

    let explicit = CheckRequest { inputs: &given, ..again };
    assert_eq!(named(&package, explicit), (Some("given".into()), vec![], vec![]));
}

#[test]
fn without_a_seed_a_name_is_not_known_yet() {
    let package = cloud();
    let none = Object::new();
    let request = CheckRequest { name: Some("web"), ..CheckRequest::of(&server(&package).inputs, &none) };
    assert_eq!(named(&package, request), (Some(Value::Unknown), paths(&["name"]), vec![]));
}

#[test]
fn the_engine_s_wish_for_a_name_is_followed() {
    use AutonamingMode::{Disable, Enforce, Propose};
    let package = cloud();
    let (none, given) = (Object::new(), object(json!({ "name": "given" })));
    let long = "far-too-long-for-a-name-of-24";
    for (mode, proposed, inputs, expected) in [
        (Propose, "wish", &none, Ok("wish")),
        (Propose, "wish", &given, Ok("given")),
        (Propose, "", &none, Err("")),
        (Propose, long, &none, Err("")),
        (Enforce, "wish", &none, Ok("wish")),
        (Enforce, "wish", &given, Ok("given")),
        (
            Enforce,
            long,
            &none,
            Err(
                "name: missing required property 'name': the name that the engine enforces is unusable: it has more than 24 characters",
            ),
        ),
        (
            Disable,
            "",
            &none,
            Err("name: missing required property 'name': automatic names are disabled, so it must be given"),
        ),
        (Disable, "", &given, Ok("given")),
    ] {
        let wish = Autonaming { mode, proposed_name: proposed.to_owned() };
        let request = CheckRequest {
            seed: Some(&[1; 32]),
            name: Some("web"),
            autonaming: Some(&wish),
            ..CheckRequest::of(&server(&package).inputs, inputs)
        };
        let (name, generated, failures) = named(&package, request);
        match expected {
            Ok(expected) => {
                assert_eq!((name, failures.as_slice()), (Some(expected.into()), [].as_slice()), "{mode:?} {proposed}");
                assert_eq!(generated.is_empty(), expected == "given");
            }
            // No usable wish: the host's own way.
            Err("") => assert!(name.unwrap().as_str().unwrap().starts_with("web-"), "{mode:?} {proposed}"),
            Err(expected) => assert_eq!((name, failures), (None, vec![expected.to_owned()]), "{mode:?} {proposed}"),
        }
    }
}

#[test]
fn all_failures_are_told_at_once() {
    let package = cloud();
    let checked = checked(
        &package,
        json!({ "nme": 1, "replicas": "x", "rules": [{ "port": "x" }, { "protocol": 1 }], "tags": { "a": [] } }),
    );
    assert_eq!(
        told(&checked.failures),
        [
            "nme: unknown property 'nme'; did you mean 'name'?",
            "replicas: expected an integer, got a string",
            "rules[0].port: expected an integer, got a string",
            "rules[1].port: missing required property 'port'",
            "rules[1].protocol: expected a string, got a number",
            "tags.a: expected a string, got a list",
        ]
    );
}

#[test]
fn endless_failures_are_cut() {
    let package = cloud();
    let list: Vec<Json> = (0..5000).map(|_| json!(1)).collect();
    assert_eq!(checked(&package, json!({ "rules": list })).failures.len(), 1000);
}

#[test]
fn deep_values_are_checked_on_any_stack() {
    on_a_small_stack(|| {
        let package = cloud();
        let deep = nested(1000, "child", object(json!({ "weight": "x" })).into());
        let inputs: Object = [("spec", deep.clone()), ("anything", deep)].into();
        let checked = check(&package, CheckRequest::of(&server(&package).inputs, &inputs));
        let [failure] = checked.failures.as_slice() else { panic!("{}", checked.failures.len()) };
        assert_eq!(failure.path.segments().len(), 1002);
        assert_eq!(failure.reason, "expected a number, got a string");
    });
}

/// Two variants that lead to each other at every level: looking at each of them anew would take for ever.
#[test]
fn unions_in_unions_take_no_longer_than_their_size() {
    on_a_small_stack(|| {
        let union = json!({ "oneOf": [{ "$ref": "#/types/t:index:A" }, { "$ref": "#/types/t:index:B" }] });
        let types = json!({
            "t:index:A": { "properties": { "next": union, "end": { "type": "string" } } },
            "t:index:B": { "properties": { "next": union, "end": { "type": "integer" } } },
        });
        let package = one(json!({ "p": union }), json!({}), types);
        let ty = &resource(&package).inputs;
        let good: Object = [("p", nested(1000, "next", value(json!({ "end": 1 }))))].into();
        assert_eq!(check(&package, CheckRequest::of(ty, &good)).failures, []);
        let bad: Object = [("p", nested(1000, "next", value(json!({ "end": [] }))))].into();
        assert_eq!(check(&package, CheckRequest::of(ty, &bad)).failures.len(), 1);
    });
}

/// Values that are more or less like the inputs of the server.
pub(crate) fn like_inputs() -> impl Strategy<Value = Object> {
    inputs_of(Value::Unknown)
}

/// The same, with nothing unknown in them.
pub(crate) fn like_known_inputs() -> impl Strategy<Value = Object> {
    inputs_of(Value::Null)
}

fn inputs_of(special: Value) -> impl Strategy<Value = Object> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i32..3).prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
        prop::sample::select(vec!["small", "large", "circle", "square", "tcp", "eu", "{}"]).prop_map(Value::from),
        Just(special),
        Just(value(json!({ "<asset>": "x" }))),
    ];
    let names = prop::sample::select(vec![
        "name",
        "size",
        "replicas",
        "ratio",
        "public",
        "tags",
        "rules",
        "spec",
        "shape",
        "label",
        "anything",
        "document",
        "source",
        "network",
        "password",
        "token",
        "region",
        "writeOnly",
        "port",
        "protocol",
        "zone",
        "weight",
        "key",
        "children",
        "child",
        "kind",
        "radius",
        "side",
        "id",
        "__defaults",
        "unknown",
    ]);
    let members = move |inner: BoxedStrategy<Value>| {
        prop::collection::vec((names.clone(), inner), 0..8).prop_map(|members| members.into_iter().collect::<Object>())
    };
    let members_of_values = members.clone();
    let value = leaf.boxed().prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            members_of_values(inner.clone()).prop_map(Value::from),
            inner.prop_map(Value::secret),
        ]
    });
    members(value.boxed())
}

proptest! {
    #[test]
    fn what_was_given_comes_back_as_it_was(inputs in like_inputs()) {
        let package = cloud();
        let request = CheckRequest { seed: Some(&[0; 32]), ..CheckRequest::of(&server(&package).inputs, &inputs) };
        let checked = check(&package, request);
        for (name, given) in &inputs {
            let returned = checked.inputs.get(name);
            prop_assert!(returned.is_some());
            // Only members of objects may have been added below.
            let mut pairs = vec![(given.plain(), returned.unwrap().plain())];
            while let Some((given, returned)) = pairs.pop() {
                match (given, returned) {
                    (Value::Object(given), Value::Object(returned)) => {
                        prop_assert!(given.keys().all(|name| returned.contains_key(name)));
                        pairs.extend(given.iter().map(|(name, value)| (value.plain(), returned[name].plain())));
                    }
                    (Value::List(given), Value::List(returned)) => {
                        prop_assert_eq!(given.len(), returned.len());
                        pairs.extend(given.iter().zip(returned).map(|(a, b)| (a.plain(), b.plain())));
                    }
                    (given, returned) => prop_assert_eq!(given, returned),
                }
            }
        }
        prop_assert_eq!(inputs.contains_secret() && !checked.inputs.contains_secret(), false);
    }

    #[test]
    fn a_second_check_changes_nothing(inputs in like_inputs()) {
        let package = cloud();
        let ty = &server(&package).inputs;
        let request = CheckRequest { seed: Some(&[0; 32]), ..CheckRequest::of(ty, &inputs) };
        let once = check(&package, request);
        let twice = check(&package, CheckRequest { inputs: &once.inputs, ..request });
        prop_assert_eq!(&twice.inputs, &once.inputs);
        prop_assert_eq!(&twice.failures, &once.failures);
        prop_assert_eq!(twice.filled.len() + twice.generated.len(), 0);
    }
}
