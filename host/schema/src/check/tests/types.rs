//! What a value may be.

use super::*;

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
        (primitive("integer"), json!(9007199254740994_i64), ""),
        (primitive("integer"), json!(-1e300), ""),
        (primitive("number"), json!(1.5), ""),
        (primitive("number"), json!(false), "p: expected a number, got a boolean"),
        (primitive("string"), json!(""), ""),
        (primitive("string"), json!(1), "p: expected a string, got a number; hint: put it in quotes"),
        (primitive("string"), json!({}), "p: expected a string, got an object"),
        (list(primitive("string")), json!(["a"]), ""),
        (list(primitive("string")), json!(["a", 1]), "p[1]: expected a string, got a number; hint: put it in quotes"),
        (list(primitive("string")), json!([null]), "p[0]: expected a string, got null"),
        (list(primitive("string")), json!("a"), "p: expected a list, got a string"),
        (map(primitive("string")), json!({ "a.b": "x" }), ""),
        (
            map(primitive("string")),
            json!({ "a.b": 1 }),
            "p[\"a.b\"]: expected a string, got a number; hint: put it in quotes",
        ),
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
        // Languages without unions have the primitive in its place.
        (json!({ "oneOf": [named("Size"), named("Rule")], "type": "string" }), json!("huge"), ""),
        (
            json!({ "oneOf": [named("Size"), named("Rule")], "type": "string" }),
            json!(1),
            "p: expected one of 'small' or 'large', an object or a string, got a number",
        ),
        (built_in("Any"), json!([1, null, { "a": {} }]), ""),
        (built_in("Json"), json!("{\"a\": [1]}"), ""),
        (built_in("Json"), json!("{"), ""),
        (built_in("Json"), json!({ "a": [1, null, true, "x", "<unknown>"], "b": { "<secret>": {} } }), ""),
        (built_in("Json"), json!([]), ""),
        (built_in("Json"), json!(1.5), ""),
        (built_in("Json"), json!({ "<asset>": "text" }), "p: expected JSON, got an asset"),
        (
            built_in("Json"),
            json!({ "a": [{ "<secret>": { "<asset>": "text" } }] }),
            "p: expected JSON, got a value with an asset, an archive or a resource in it",
        ),
        (built_in("Asset"), json!({ "<asset>": "text" }), ""),
        (built_in("Asset"), json!("text"), "p: expected an asset or an archive, got a string"),
        (
            json!({ "oneOf": [built_in("Asset"), built_in("Archive")] }),
            json!("text"),
            "p: expected an asset or an archive, got a string",
        ),
        (
            json!({ "oneOf": [built_in("Archive"), built_in("Asset")] }),
            json!("text"),
            "p: expected an asset or an archive, got a string",
        ),
        (built_in("Archive"), json!({ "<asset>": "text" }), "p: expected an archive, got an asset"),
        (json!({ "$ref": "#/resources/t:index:R" }), json!("an-id"), ""),
        (json!({ "$ref": "#/resources/t:index:R" }), json!(1), "p: expected a resource, an id or a URN, got a number"),
        (json!({ "$ref": "/aws/v1.0.0/schema.json#/types/a:b:C" }), json!({ "x": 1 }), ""),
    ] {
        let expected: Vec<&str> = Some(expected).filter(|text| !text.is_empty()).into_iter().collect();
        assert_eq!(wrong(ty.clone(), given.clone()), expected, "{ty} {given}");
    }
}

/// SCH-17. `plain` is for those who write SDKs: it takes no outputs from a program. An engine may still send what isn't known.
#[test]
fn what_isnt_known_passes_into_plain_properties_too() {
    let package = one(
        json!({ "size": { "type": "integer", "plain": true }, "rule": { "$ref": "#/types/t:index:Rule", "plain": true } }),
        json!({}),
        json!({ "t:index:Rule": { "type": "object", "properties": { "port": { "type": "integer" } } } }),
    );
    let ty = &resource(&package).inputs;
    assert!(ty.properties["size"].plain);
    let unknown: Object = [("size", Value::Unknown), ("rule", Value::Unknown.secret())].into();
    assert_eq!(check(&package, CheckRequest::of(ty, &unknown)).failures, []);
    let wrong = object(json!({ "size": "large" }));
    assert_eq!(
        told(&check(&package, CheckRequest::of(ty, &wrong)).failures),
        ["size: expected an integer, got a string"]
    );
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
    let optional = json!({ "oneOf": [{ "$ref": "#/types/t:index:OnlyA" }, { "$ref": "#/types/t:index:OnlyB" }] });
    let constant = json!({ "oneOf": [{ "$ref": "#/types/t:index:KindA" }, { "$ref": "#/types/t:index:KindB" }] });
    let told_apart = json!({ "oneOf": [{ "$ref": "#/types/t:index:Circle" }, { "$ref": "#/types/t:index:Square" }] });
    let shapes = json!({ "oneOf": [{ "$ref": "#/types/t:index:Circle" }, { "$ref": "#/types/t:index:Square" }],
        "discriminator": { "propertyName": "kind" } });
    let inner =
        json!({ "oneOf": [{ "type": "array", "items": shapes }, { "type": "array", "items": { "type": "object" } }] });
    for (ty, given, expected) in [
        (&scalar, json!("a"), ""),
        (&scalar, json!(1), ""),
        (&scalar, json!(1.5), "p: expected an integer, got a number that isn't one"),
        (&scalar, json!([]), "p: expected a string or an integer, got a list"),
        (&lists, json!([1, 2]), ""),
        (&lists, json!(["a"]), ""),
        (&lists, json!([1, "a"]), "p[0]: expected a string, got a number; hint: put it in quotes"),
        (&mixed, json!({ "port": 1 }), ""),
        (&mixed, json!({ "port": 1, "nope": 2 }), "p.nope: unknown property 'nope'; did you mean 'note'?"),
        (&nested, json!(7), ""),
        (&nested, json!({}), "p: expected a boolean, a string or an integer, got an object"),
        (&open_enum, json!("anything"), ""),
        (&objects, json!({ "port": 1 }), ""),
        (&objects, json!({ "radius": 1 }), ""),
        (&optional, json!({ "b": "x" }), ""),
        (&optional, json!({ "b": [] }), "p.b: expected a string, got a list"),
        (&constant, json!({ "kind": "b", "x": "s" }), ""),
        (&constant, json!({ "kind": "c" }), "p.kind: expected 'a', got another value"),
        (&told_apart, json!({ "kind": "square", "side": 1, "radius": 1 }), "p.radius: unknown property 'radius'"),
        (&told_apart, json!({ "kind": "square" }), "p.side: missing required property 'side'"),
        (
            &told_apart,
            json!({ "kind": "square", "radius": 1 }),
            "p.radius: unknown property 'radius'|p.side: missing required property 'side'",
        ),
        (
            &told_apart,
            json!({ "kind": "square", "sid": 1, "side": 1 }),
            "p.sid: unknown property 'sid'; did you mean 'side'?",
        ),
        (&inner, json!([{ "kind": "circle", "radius": 1 }]), ""),
        (&inner, json!([{ "kind": "oval" }]), ""),
        (&objects, json!({ "port": "x" }), "p.port: expected an integer, got a string"),
    ] {
        assert_eq!(wrong(ty.clone(), given.clone()).join("|"), expected, "{ty} {given}");
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

/// Variants may be told apart by constants, or by the types of their members. What the first one says doesn't hold before that is known.
#[test]
fn nothing_is_held_against_a_value_whose_variant_is_not_known() {
    let size = |rules: Json| json!({ "type": "integer", "language": { "bulkhead": { "validate": rules } } });
    let mode = |default: &str| json!({ "type": "string", "default": default });
    let kind = |kind: &str| json!({ "type": "string", "const": kind });
    let types = json!({
        "t:index:A": { "properties": { "kind": kind("a"), "size": size(json!({ "maximum": 10 })), "mode": mode("x") } },
        "t:index:B": { "properties": { "kind": kind("b"), "size": size(json!({})), "mode": mode("y") } },
        "t:index:Text": { "properties": { "value": { "type": "string" }, "note": { "type": "string" }, "mode": mode("x") } },
        "t:index:Count": { "properties": { "value": { "type": "integer" }, "note": { "type": "string" }, "mode": mode("y") } },
    });
    let of = |names: [&str; 2]| {
        let variants = names.map(|name| json!({ "$ref": format!("#/types/t:index:{name}") }));
        one(json!({ "p": { "oneOf": variants } }), json!({}), types.clone())
    };
    let unknown = "<unknown>";
    for (variants, given, mode) in [
        (["A", "B"], json!({ "kind": unknown, "size": 50 }), None),
        (["A", "B"], json!({ "kind": { "<secret>": unknown } }), None),
        (["A", "B"], json!({ "kind": "b", "size": unknown }), Some("y")),
        (["A", "B"], json!({ "size": unknown }), Some("x")),
        (["Text", "Count"], json!({ "value": unknown }), None),
        (["Text", "Count"], json!({ "value": 1, "note": unknown }), Some("y")),
        (["Text", "Count"], json!({ "note": unknown }), Some("x")),
    ] {
        let package = of(variants);
        let inputs = object(json!({ "p": given }));
        let checked = check(&package, CheckRequest::of(&resource(&package).inputs, &inputs));
        assert_eq!(told(&checked.failures), [""; 0], "{given}");
        let filled = checked.inputs["p"].as_object().unwrap().get("mode").cloned();
        assert_eq!(filled, mode.map(Value::from), "{given}");
    }
    let package = of(["A", "B"]);
    let known = object(json!({ "p": { "kind": "a", "size": 50 } }));
    let checked = check(&package, CheckRequest::of(&resource(&package).inputs, &known));
    assert_eq!(told(&checked.failures), ["p.size: expected at most 10"]);
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
fn a_discriminator_s_mapping_leads_where_it_can() {
    let with = |mapping: Json, given: Json| {
        let kinds = json!({
            "oneOf": [{ "$ref": "#/types/t:index:One" }, { "$ref": "#/types/t:index:Two" }],
            "discriminator": { "propertyName": "kind", "mapping": mapping },
        });
        let kind = |ty: &str, name: &str| {
            json!({ "type": "object", "required": [name], "properties": {
                "kind": { "type": ty }, name: { "type": "string" },
            } })
        };
        let types = |ty: &str| json!({ "t:index:One": kind(ty, "one"), "t:index:Two": kind(ty, "two") });
        let ty = match &given["kind"] {
            Json::Bool(_) => "boolean",
            Json::Number(_) => "integer",
            _ => "string",
        };
        let package = one(json!({ "p": kinds }), json!({}), types(ty));
        let inputs = object(json!({ "p": given }));
        told(&check(&package, CheckRequest::of(&resource(&package).inputs, &inputs)).failures)
    };
    let numbers = json!({ "1": "#/types/t:index:One", "2": "t:index:Two" });
    let truths = json!({ "true": "#/types/t:index:One", "false": "#/types/t:index:Two" });
    let strange = json!({ "a": "A", "b": "index:A", "c": "t:index:Zed", "d": "#/components/schemas/A", "e": "" });
    for (mapping, given, expected) in [
        (&numbers, json!({ "kind": 1, "one": "x" }), ""),
        (
            &numbers,
            json!({ "kind": 2, "one": "x" }),
            "p.one: unknown property 'one'|p.two: missing required property 'two'",
        ),
        (&truths, json!({ "kind": true, "one": "x" }), ""),
        (&truths, json!({ "kind": false, "two": 2 }), "p.two: expected a string, got a number; hint: put it in quotes"),
        (&strange, json!({ "kind": "a", "one": "x" }), ""),
        (&strange, json!({ "kind": "c", "two": "x" }), ""),
        (&strange, json!({ "kind": "d", "two": "x" }), ""),
        (&strange, json!({ "kind": "e", "one": "x" }), ""),
        (&strange, json!({ "kind": "One", "one": "x" }), ""),
    ] {
        assert_eq!(with(mapping.clone(), given.clone()).join("|"), expected, "{given}");
    }
    let unknown = with(numbers, json!({ "kind": 3, "one": "x" }));
    assert_eq!(unknown, ["p.kind: expected one of '1' or '2', got another value"]);
}

#[test]
fn secrets_and_outputs_are_checked_as_what_they_hold() {
    assert_eq!(wrong(json!({ "type": "integer" }), json!({ "<secret>": 1 })), [""; 0]);
    let canary = wrong(json!({ "type": "integer" }), json!({ "<secret>": "canary" }));
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let within = wrong(map.clone(), json!({ "<secret>": { "a": "x", "b": "y", "c": true } }));
    assert_eq!(within.len(), 2, "what reads the same is said once: {within:?}");
    assert_eq!(wrong(map, json!({ "a": "x", "b": "y", "c": true })).len(), 3);
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
            "replicas": "canary", "size": "canary", "document": { "<asset>": "canary" }, "label": ["canary"],
            "tags": { "<secret>": { "canary": 1, "canary-two": [] } },
            "spec": { "<secret>": { "canary": 1, "weight": "canary" } },
        }),
    );
    assert_eq!(
        told(&checked.failures),
        [
            "document: expected JSON, got an asset",
            "label: expected a string or an integer, got a list",
            "replicas: expected an integer, got a string",
            "size: expected one of 'small' or 'large', got another value",
            "spec: a property of this secret isn't known",
            "spec.weight: expected a number, got a string",
            "tags: something in it: expected a string, got a number; hint: put it in quotes",
            "tags: something in it: expected a string, got a list",
        ]
    );
}
