//! What inputs are completed with.

use super::*;

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
fn a_null_that_is_secret_is_a_null() {
    let package = cloud();
    let hidden = json!({ "<secret>": null });
    let given = json!({
        "name": "n", "size": hidden, "tags": { "a": hidden }, "undeclared": hidden,
        "rules": [{ "port": 1, "protocol": hidden }],
    });
    let completed = checked(&package, given);
    assert_eq!(told(&completed.failures), [""; 0]);
    assert_eq!(completed.filled, paths(&["replicas", "size", "token", "rules[0].protocol"]));
    assert_eq!(completed.inputs["size"], Value::from("small"));
    let missing = checked(&package, json!({ "name": "n", "rules": [{ "port": hidden }] }));
    assert_eq!(told(&missing.failures), ["rules[0].port: missing required property 'port'"]);
}

/// Or to go from one to the other would be a difference.
#[test]
fn what_is_empty_and_as_good_as_absent_gives_way_to_what_is_filled_in() {
    let emptiable = |mut property: Json| {
        property["language"]["bulkhead"]["emptyIsAbsent"] = json!(true);
        property
    };
    let of_strings =
        json!({ "type": "array", "items": { "type": "string" }, "defaultInfo": { "environment": ["LIST"] } });
    let size = json!({
        "type": "string", "default": "d", "language": { "bulkhead": { "validate": { "exactlyOneOf": ["from"] } } },
    });
    let inner = json!({ "$ref": "#/types/t:index:In" });
    let conf = json!({ "$ref": "#/types/t:index:In", "defaultInfo": { "environment": ["CONF"] } });
    let properties = json!({
        "conf": emptiable(conf),
        "in": inner,
        "map": emptiable(inner.clone()),
        "said": { "type": "string", "default": "d" },
        "size": emptiable(size),
        "from": emptiable(json!({ "type": "string" })),
        "list": emptiable(of_strings),
        "name": emptiable(json!({ "type": "string", "language": { "bulkhead": { "autoname": {}, "validate": { "minLength": 1 } } } })),
    });
    let types =
        json!({ "t:index:In": { "properties": { "q": emptiable(json!({ "type": "string", "default": "d" })) } } });
    let package = one(properties, json!({}), types);
    let environment = |name: &str| match name {
        "LIST" => Some(r#"["a"]"#.to_owned()),
        "CONF" => Some(r#"{"q":"set"}"#.to_owned()),
        _ => None,
    };
    let completed = |given: Json| {
        let (ty, inputs) = (&resource(&package).inputs, object(given));
        let request = CheckRequest {
            environment: &environment,
            seed: Some(&[0; 32]),
            name: Some("n"),
            ..CheckRequest::of(ty, &inputs)
        };
        let checked = check(&package, request);
        assert_eq!(told(&checked.failures), [""; 0]);
        (checked.inputs, checked.filled, checked.generated)
    };
    let nothing = completed(json!({ "in": {} }));
    assert_eq!(nothing.1, paths(&["conf", "list", "said", "size", "in.q"]));
    assert_eq!(nothing.2, paths(&["name"]));
    let secret = json!({ "<secret>": "" });
    for given in [
        json!({ "conf": {}, "in": { "q": "" }, "size": "", "list": [], "name": "" }),
        json!({ "conf": { "<secret>": { "q": null } }, "in": { "q": secret }, "size": secret, "list": { "<secret>": [] }, "name": secret }),
    ] {
        assert_eq!(completed(given.clone()), nothing, "{given}");
    }
    // What nothing is filled in for stays as it was given, and so does what says nothing of being empty.
    let kept = completed(json!({ "said": "", "from": "", "map": {} })).0;
    for (name, expected) in
        [("said", json!("")), ("from", json!("")), ("map", json!({ "q": "d" })), ("size", json!("d"))]
    {
        assert_eq!(kept[name], value(expected), "{name}");
    }
    let beside = completed(json!({ "size": "", "from": "x" })).0;
    assert_eq!((&beside["size"], &beside["from"]), (&"".into(), &"x".into()));
}

#[test]
fn no_default_is_filled_into_a_map_that_could_be_an_object_but_for_its_keys() {
    let object_type = json!({ "properties": { "a": { "type": "string", "default": "d" } }, "required": ["a"] });
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let union = json!({ "oneOf": [{ "$ref": "#/types/t:index:O" }, map] });
    let package = one(json!({ "p": union }), json!({}), json!({ "t:index:O": object_type }));
    for (given, expected) in [
        (json!({}), json!({ "a": "d" })),
        (json!({ "id": "x" }), json!({ "id": "x" })),
        (json!({ "__x": "x" }), json!({ "__x": "x" })),
        (json!({ "__defaults": [] }), json!({ "a": "d", "__defaults": [] })),
    ] {
        let (ty, inputs) = (&resource(&package).inputs, object(json!({ "p": given })));
        let checked = check(&package, CheckRequest::of(ty, &inputs));
        assert_eq!((checked.failures, checked.inputs), (vec![], object(json!({ "p": expected }))), "{given}");
    }
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
        (json!({ "type": "integer" }), "0x10", json!(16)),
        (json!({ "type": "integer" }), "010", json!(8)),
        (json!({ "type": "number" }), "1.5", json!(1.5)),
        (json!({ "type": "number" }), "1e3", json!(1000)),
        (json!({ "oneOf": [{ "type": "integer" }, { "type": "number" }] }), "1e3", json!(1000)),
        (json!({ "$ref": "pulumi.json#/Json" }), "{\"a\": 1}", json!("{\"a\": 1}")),
        (json!({ "type": "boolean" }), "T", json!(true)),
        (json!({ "type": "boolean" }), "0", json!(false)),
        (json!({ "$ref": "#/types/t:index:Size" }), "large", json!("large")),
        (json!({ "$ref": "#/types/t:index:Level" }), "2", json!(2)),
        (json!({ "type": "array", "items": { "type": "integer" } }), "[1, 2]", json!([1, 2])),
        (json!({ "oneOf": [{ "type": "integer" }, { "type": "string" }] }), "7", json!("7")),
        (json!({ "oneOf": [{ "type": "integer" }, { "type": "boolean" }] }), "T", json!(true)),
        (json!({ "oneOf": [{ "type": "boolean" }, { "type": "integer" }] }), "0x10", json!(16)),
    ] {
        assert_eq!(from(ty.clone(), text), (Some(value(expected)), vec![]), "{ty} {text}");
    }
    for (ty, text) in [
        (json!({ "type": "integer" }), "canary"),
        (json!({ "type": "integer" }), "1e3"),
        (json!({ "type": "integer" }), "1.0"),
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

/// Another name replaces the resource, and a name that a user gave and took back must not stay.
#[test]
fn a_name_is_kept_for_the_property_it_was_generated_for_and_as_secret_as_it_was() {
    let name = || json!({ "type": "string", "language": { "bulkhead": { "autoname": {} } } });
    let package = one(json!({ "name": name(), "alias": name() }), json!({}), json!({}));
    let (none, generated) = (Object::new(), paths(&["name"]));
    let prior = object(json!({ "name": { "<secret>": "made" }, "alias": "given" }));
    let request = CheckRequest {
        seed: Some(&[1; 32]),
        prior: Some(&prior),
        prior_generated: &generated,
        ..CheckRequest::of(&resource(&package).inputs, &none)
    };
    let checked = check(&package, request);
    assert_eq!(checked.inputs["name"], Value::from("made").secret());
    let alias = checked.inputs["alias"].as_str();
    assert!(alias.is_some_and(|alias| alias != "given"), "{alias:?}");
    assert_eq!(checked.generated, paths(&["alias", "name"]));
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

/// The service would refuse it, when half of a stack is there.
#[test]
fn a_name_that_the_service_would_refuse_is_not_generated() {
    let facts = json!({ "bulkhead": { "autoname": {}, "validate": { "pattern": "^[a-z0-9-]+$" } } });
    let package = one(json!({ "name": { "type": "string", "language": facts } }), json!({}), json!({}));
    let none = Object::new();
    let made = |name| {
        let request = CheckRequest {
            seed: Some(&[1; 32]),
            name: Some(name),
            ..CheckRequest::of(&resource(&package).inputs, &none)
        };
        named(&package, request)
    };
    let (name, generated, failures) = made("my-bucket");
    assert!(name.unwrap().as_str().unwrap().starts_with("my-bucket-"));
    assert_eq!((generated, failures), (paths(&["name"]), vec![]));
    let reason = "name: missing required property 'name': the name that would be made of the resource's is unusable: expected a string \
                  that matches ^[a-z0-9-]+$";
    assert_eq!(made("My_Bucket"), (None, vec![], vec![reason.to_owned()]));
}

/// As a name and a prefix that the service makes a name of.
#[test]
fn no_name_is_generated_beside_what_it_excludes() {
    for rule in ["conflictsWith", "exactlyOneOf"] {
        let named = json!({ "bulkhead": { "autoname": {}, "validate": { rule: ["prefix"] } } });
        let either = |name: Json| json!({ "name": name, "prefix": { "type": "string" } });
        let package = one(either(json!({ "type": "string", "language": named })), json!({}), json!({}));
        let generated = paths(&["name"]);
        let prior = object(json!({ "name": "made" }));
        let check_of = |inputs: Json| named_of(&package, &object(inputs), &prior, &generated);
        assert_eq!(check_of(json!({})), (Some("made".into()), generated.clone(), vec![]), "{rule}");
        let prefixed = json!({ "prefix": "p-" });
        assert_eq!(check_of(prefixed), (None, vec![], vec![]), "{rule}: neither a new one nor the old one");
        let unknown = json!({ "prefix": "<unknown>" });
        assert_eq!(check_of(unknown), (None, vec![], vec![]), "{rule}: it may be given");
        let nothing = json!({ "prefix": null });
        assert_eq!(check_of(nothing), (Some("made".into()), generated.clone(), vec![]), "{rule}");
    }
}

/// One property says of all of a choice that exactly one is given.
#[test]
fn no_default_is_filled_in_beside_another_choice() {
    let choice = json!({ "bulkhead": { "validate": { "exactlyOneOf": ["image", "snapshot"] } } });
    let package = one(
        json!({
            "blank": { "type": "boolean", "language": choice },
            "image": { "type": "string", "default": "ubuntu" },
            "snapshot": { "type": "string" },
        }),
        json!({}),
        json!({}),
    );
    let image = |given: Json| {
        let checked = check(&package, CheckRequest::of(&resource(&package).inputs, &object(given)));
        assert_eq!(checked.failures, vec![]);
        checked.inputs.get("image").cloned()
    };
    assert_eq!(image(json!({})), Some("ubuntu".into()));
    for given in [json!({ "snapshot": "s-1" }), json!({ "blank": true }), json!({ "snapshot": "<unknown>" })] {
        assert_eq!(image(given.clone()), None, "{given}");
    }
}

fn named_of(
    package: &Package,
    inputs: &Object,
    prior: &Object,
    generated: &[PropertyPath],
) -> (Option<Value>, Vec<PropertyPath>, Vec<String>) {
    let request = CheckRequest {
        seed: Some(&[1; 32]),
        prior: Some(prior),
        prior_generated: generated,
        ..CheckRequest::of(&resource(package).inputs, inputs)
    };
    named(package, request)
}

/// Nobody would note it, and each check would give it another name.
#[test]
fn no_name_is_generated_below_the_top() {
    let types = json!({ "t:index:Part": { "properties": {
        "name": { "type": "string", "language": { "bulkhead": { "autoname": {} } } },
        "size": { "type": "integer", "default": 1 },
    } } });
    let package = one(json!({ "part": { "$ref": "#/types/t:index:Part" } }), json!({}), types);
    let inputs = object(json!({ "part": {} }));
    let checked = check(
        &package,
        CheckRequest {
            seed: Some(&[1; 32]),
            name: Some("web"),
            ..CheckRequest::of(&resource(&package).inputs, &inputs)
        },
    );
    assert_eq!(checked.inputs, object(json!({ "part": { "size": 1 } })));
    assert_eq!((checked.generated, checked.failures), (vec![], vec![]));
}

#[test]
fn a_name_that_is_not_generated_has_to_be_given_where_it_is_needed() {
    let with = |rules: Json| json!({ "type": "string", "language": { "bulkhead": { "validate": rules } } });
    let name =
        |rules: Json| json!({ "type": "string", "language": { "bulkhead": { "autoname": {}, "validate": rules } } });
    let properties = json!({
        "name": name(json!({ "exactlyOneOf": ["prefix"] })),
        "prefix": { "type": "string" },
        "path": with(json!({ "requires": ["name"] })),
    });
    let mut top = properties.clone();
    top["part"] = json!({ "$ref": "#/types/t:index:Part" });
    let package = one(top, json!({}), json!({ "t:index:Part": { "properties": properties } }));
    for (given, expected) in [
        (json!({ "path": "p" }), ""),
        (json!({ "part": { "name": "n", "path": "p" } }), ""),
        (
            json!({ "part": { "path": "p" } }),
            "part.path: requires 'name'|part.name: exactly one of 'name', 'prefix' must be given",
        ),
    ] {
        let inputs = object(given.clone());
        let checked = check(&package, CheckRequest::of(&resource(&package).inputs, &inputs));
        assert_eq!(told(&checked.failures).join("|"), expected, "{given}");
    }
}
