//! Which properties there may be.

use super::*;

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
fn a_null_gives_way_to_what_would_stand_there() {
    let types = json!({ "t:index:Inner": { "properties": {
        "kind": { "type": "string", "const": "k" }, "size": { "type": "integer", "default": 3 }, "note": { "type": "string" },
    } } });
    let properties =
        json!({ "text": { "type": "string", "default": "d" }, "inner": { "$ref": "#/types/t:index:Inner" } });
    let package = one(properties, json!({}), types);
    let given = json!({ "text": null, "inner": { "kind": null, "size": null, "note": null } });
    let inputs = object(given);
    let checked = check(&package, CheckRequest::of(&resource(&package).inputs, &inputs));
    let expected = json!({ "text": "d", "inner": { "kind": "k", "size": 3, "note": null } });
    assert_eq!((told(&checked.failures), checked.inputs), (vec![], object(expected)));
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
    assert_eq!(told(&failures), ["link.id: expected a string, got a number; hint: put it in quotes"]);
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
        (ruled(json!({ "type": "integer" }), json!({ "minimum": 1, "maximum": 2 })), json!(2), ""),
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
        (ruled(map.clone(), json!({ "maxItems": 1 })), json!({ "a": "1", "b": "2" }), "p: expected at most 1 member"),
        (ruled(map.clone(), json!({ "maxItems": 1 })), json!({ "a": "1", "b": null, "__defaults": [] }), ""),
        (ruled(map, json!({ "minItems": 1 })), json!({ "b": null, "__defaults": [] }), "p: expected at least 1 member"),
    ] {
        assert_eq!(wrong(property.clone(), given.clone()).join("|"), expected, "{property} {given}");
    }
}

#[test]
fn bytes_are_held_to_the_rules_of_a_text() {
    let rules = json!({ "minLength": 2, "maxLength": 3, "pattern": "^[a-zä]+$" });
    let property = json!({ "type": "string", "language": { "bulkhead": { "validate": rules } } });
    let package = one(json!({ "p": property }), json!({}), json!({}));
    let pattern = "p: expected a string that matches ^[a-zä]+$";
    for (bytes, expected) in [
        ("äaä".as_bytes(), String::new()),
        (b"a", "p: expected at least 2 characters".to_owned()),
        (b"AB", pattern.to_owned()),
        // What is no text matches no pattern, and is as long as it has bytes.
        (&[0xff, 0xff], pattern.to_owned()),
        (&[0xff, 0xff, 0xff, 0xff], format!("p: expected at most 3 bytes|{pattern}")),
        (&[0xff], format!("p: expected at least 2 bytes|{pattern}")),
    ] {
        let inputs: Object = [("p", Value::Bytes(bytes.to_vec()))].into();
        let checked = check(&package, CheckRequest::of(&resource(&package).inputs, &inputs));
        assert_eq!(told(&checked.failures).join("|"), expected, "{bytes:?}");
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
            "conflict": with(json!({ "conflictsWith": ["other", "alone"] })),
            "other": with(json!({ "conflictsWith": ["conflict"] })),
            "needy": with(json!({ "requires": ["needed"] })),
            "needed": { "type": "string" },
            "sure": with(json!({ "requires": ["constant"], "conflictsWith": ["a"] })),
            "constant": { "type": "string", "const": "c" },
            "alone": { "type": "string", "default": "d" },
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
        (json!({ "a": "1", "conflict": "<unknown>" }), ""),
        (json!({ "a": "1", "needy": "x" }), "needy: requires 'needed'"),
        (json!({ "a": "1", "needy": "x", "needed": "<unknown>" }), ""),
        (json!({ "b": "1", "sure": "x" }), ""),
    ] {
        let inputs = object(given.clone());
        let checked = check(&package, CheckRequest::of(ty, &inputs));
        assert_eq!(told(&checked.failures).join("|"), expected, "{given}");
        // A default never contradicts what was given.
        for default in ["defaulted", "alone"] {
            assert_eq!(checked.inputs.contains_key(default), !inputs.contains_key("conflict"), "{given} {default}");
        }
    }
}

/// As a certificate that comes with a key from the environment.
#[test]
fn what_is_filled_in_need_not_be_given() {
    let with = |rules: Json| json!({ "type": "string", "language": { "bulkhead": { "validate": rules } } });
    let mut from_environment = with(json!({ "exactlyOneOf": ["file"] }));
    from_environment["defaultInfo"] = json!({ "environment": ["KEY"] });
    let package = one(
        json!({
            "certificate": with(json!({ "requires": ["key"] })),
            "key": from_environment,
            "file": { "type": "string" },
            "zone": with(json!({ "requires": ["region"] })),
            "region": { "type": "string", "default": "eu" },
            "agent": with(json!({ "requires": ["key"], "conflictsWith": ["key"] })),
        }),
        json!({}),
        json!({}),
    );
    let choice = "file: exactly one of 'file', 'key' must be given";
    for (given, variable, expected) in [
        (json!({ "certificate": "c", "zone": "z" }), "k", String::new()),
        (json!({ "certificate": "c" }), "", format!("certificate: requires 'key'|{choice}")),
        (json!({ "file": "f" }), "k", String::new()),
        // The key isn't filled in beside the file.
        (json!({ "certificate": "c", "file": "f" }), "k", "certificate: requires 'key'".to_owned()),
        (json!({ "agent": "a" }), "k", format!("agent: requires 'key'|{choice}")),
    ] {
        let inputs = object(given.clone());
        let environment = |name: &str| (name == "KEY").then(|| variable.to_owned());
        let request =
            CheckRequest { environment: &environment, ..CheckRequest::of(&resource(&package).inputs, &inputs) };
        assert_eq!(told(&check(&package, request).failures).join("|"), expected, "{given} {variable}");
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
            "rules[1].protocol: expected a string, got a number; hint: put it in quotes",
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
