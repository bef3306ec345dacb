use bulkhead_value::{Object, PropertyPath, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{Origin, Preview, echo::Echo, preview_create, preview_update};
use crate::{
    check::{CheckRequest, check},
    conform_preview,
    fixture::{
        cloud, like_inputs, like_known_inputs, nested, object, on_a_small_stack, one, password, random, resource,
        server, value,
    },
};

mod another_type;

fn origins(preview: &Preview) -> Vec<String> {
    preview.origins.all().iter().map(|(path, origin)| format!("{path} {origin:?}")).collect()
}

/// The preview of a create and of an update of a resource with one output `p`.
fn one_property(input: Option<Json>, output: Json, given: Option<Json>, old: Option<Json>) -> (Value, String) {
    let inputs = input.map_or(json!({}), |input| json!({ "p": input }));
    let package = one(inputs, json!({ "p": output }), types());
    let given = given.map_or(Object::new(), |given| object(json!({ "p": given })));
    let preview = match old {
        Some(old) => preview_update(&package, resource(&package), &object(json!({ "p": old })), &given),
        None => preview_create(&package, resource(&package), &given),
    };
    (preview.state["p"].clone(), origins(&preview).join("|"))
}

fn types() -> Json {
    json!({
        "t:index:Args": { "properties": {
            "name": { "type": "string" }, "size": { "type": "integer" }, "secretly": { "type": "string" },
            "hash": { "type": "string", "language": { "bulkhead": { "notEchoed": true } } },
            "mode": { "type": "string", "default": "auto" },
            "inner": { "$ref": "#/types/t:index:Args" },
        } },
        "t:index:State": { "properties": {
            "name": { "type": "string" }, "size": { "type": "string" }, "serial": { "type": "string" },
            "hash": { "type": "string" }, "mode": { "type": "string" },
            "kind": { "type": "string", "const": "k" },
            "created": { "type": "string", "language": { "bulkhead": { "stable": true } } },
            "inner": { "$ref": "#/types/t:index:State" },
        } },
        "t:index:Kind": { "type": "string", "enum": [{ "value": "a" }, { "value": "b" }] },
        "t:index:Both": { "properties": { "name": { "type": "string" }, "note": { "type": "string" } } },
    })
}

fn string() -> Json {
    json!({ "type": "string" })
}

fn with(fact: &str, is: Json) -> Json {
    json!({ "type": "string", "language": { "bulkhead": { fact: is } } })
}

#[test]
fn each_output_is_known_where_the_schema_promises_it() {
    for (input, output, given, expected, origin) in [
        // Echoed: an input that is an output of the same type.
        (Some(string()), string(), Some(json!("x")), json!("x"), Origin::Given),
        (Some(string()), string(), Some(json!({ "<secret>": "x" })), json!({ "<secret>": "x" }), Origin::Given),
        (Some(string()), string(), Some(json!("<unknown>")), json!("<unknown>"), Origin::Unknown),
        (Some(string()), json!({ "type": "integer" }), Some(json!("x")), json!("<unknown>"), Origin::Unknown),
        (Some(with("notEchoed", json!(true))), string(), Some(json!("x")), json!("<unknown>"), Origin::Unknown),
        (Some(string()), with("notEchoed", json!(true)), Some(json!("x")), json!("<unknown>"), Origin::Unknown),
        // Left out: known only by a promise.
        (Some(string()), string(), None, json!("<unknown>"), Origin::Unknown),
        (Some(string()), string(), Some(json!(null)), json!("<unknown>"), Origin::Unknown),
        (Some(string()), string(), Some(json!({ "<secret>": null })), json!("<unknown>"), Origin::Unknown),
        (Some(with("outputDefault", json!("d"))), string(), None, json!("d"), Origin::OutputDefault),
        (Some(with("outputDefault", json!(null))), string(), None, json!(null), Origin::OutputDefault),
        (Some(with("outputDefault", json!("d"))), string(), Some(json!("x")), json!("x"), Origin::Given),
        (Some(json!({ "type": "string", "default": "d" })), string(), Some(json!("d")), json!("d"), Origin::Default),
        (Some(json!({ "type": "string", "default": "d" })), string(), None, json!("d"), Origin::Default),
        (
            Some(json!({ "type": "string", "default": "d", "language": { "bulkhead": { "notEchoed": true } } })),
            string(),
            None,
            json!("<unknown>"),
            Origin::Unknown,
        ),
        (
            Some(json!({ "type": "string", "default": "d" })),
            with("notEchoed", json!(true)),
            None,
            json!("<unknown>"),
            Origin::Unknown,
        ),
        // Outputs alone.
        (None, string(), None, json!("<unknown>"), Origin::Unknown),
        (None, json!({ "type": "string", "const": "c" }), None, json!("c"), Origin::Constant),
        (None, with("stable", json!(true)), None, json!("<unknown>"), Origin::Unknown),
    ] {
        let found = one_property(input.clone(), output.clone(), given.clone(), None);
        assert_eq!(found, (value(expected), format!("p {origin:?}")), "{input:?} {output} {given:?}");
    }
}

/// As a size and the snapshot that a volume has its size from: a check fills in no default beside what excludes it.
#[test]
fn no_default_is_promised_beside_what_it_excludes() {
    let size = |rule: &str| json!({ "type": "integer", "default": 10, "language": { "bulkhead": { "validate": { rule: ["from"] } } } });
    let promised = |properties: Json, given: Json| {
        let types = json!({ "t:index:V": { "properties": properties.clone() } });
        let package = one(
            json!({ "in": { "$ref": "#/types/t:index:V" } }),
            json!({ "in": { "$ref": "#/types/t:index:V" } }),
            types,
        );
        let inner = preview_create(&package, resource(&package), &object(json!({ "in": given.clone() })));
        let package = one(properties.clone(), properties, json!({}));
        let preview = preview_create(&package, resource(&package), &object(given));
        let inner = inner.state["in"].as_object().unwrap()["size"].clone();
        assert_eq!(inner, preview.state["size"]);
        inner
    };
    for rule in ["conflictsWith", "exactlyOneOf"] {
        let properties = json!({ "size": size(rule), "from": string() });
        assert_eq!(promised(properties.clone(), json!({})), 10.0.into(), "{rule}");
        for given in [json!("snapshot"), json!("<unknown>")] {
            assert_eq!(promised(properties.clone(), json!({ "from": given })), Value::Unknown, "{rule}");
        }
    }
}

#[test]
fn an_update_keeps_what_is_stable_and_nothing_else() {
    for (input, output, given, expected, origin) in [
        (None, with("stable", json!(true)), None, json!("old"), Origin::Stable),
        (None, string(), None, json!("<unknown>"), Origin::Unknown),
        (Some(string()), string(), None, json!("<unknown>"), Origin::Unknown),
        (Some(string()), string(), Some(json!("x")), json!("x"), Origin::Given),
        (Some(string()), with("stable", json!(true)), None, json!("old"), Origin::Stable),
        (Some(with("notEchoed", json!(true))), string(), Some(json!("x")), json!("<unknown>"), Origin::Unknown),
        (
            Some(with("notEchoed", json!(true))),
            with("stable", json!(true)),
            Some(json!("x")),
            json!("old"),
            Origin::Stable,
        ),
        (
            Some(json!({ "type": "string", "language": { "bulkhead": { "stable": true, "notEchoed": true } } })),
            string(),
            Some(json!("x")),
            json!("old"),
            Origin::Stable,
        ),
        (
            Some(string()),
            json!({ "type": "integer", "language": { "bulkhead": { "stable": true } } }),
            Some(json!("x")),
            json!("old"),
            Origin::Stable,
        ),
    ] {
        let found = one_property(input.clone(), output.clone(), given.clone(), Some(json!("old")));
        assert_eq!(found, (value(expected), format!("p {origin:?}")), "{input:?} {output} {given:?}");
    }
    for absent in [json!(null), json!({ "<secret>": null })] {
        let absent = one_property(None, with("stable", json!(true)), None, Some(absent));
        assert_eq!(absent, (Value::Unknown, "p Unknown".to_owned()));
    }
}

#[test]
fn members_that_only_outputs_have_are_explicitly_unknown() {
    let (args, state) = (json!({ "$ref": "#/types/t:index:Args" }), json!({ "$ref": "#/types/t:index:State" }));
    let given = json!({ "name": "n", "size": 1, "secretly": "gone", "hash": "h", "mode": "auto" });
    let (found, told) = one_property(Some(args.clone()), state.clone(), Some(given), None);
    assert_eq!(
        found,
        value(json!({
            "name": "n", "size": "<unknown>", "serial": "<unknown>", "hash": "<unknown>", "mode": "auto", "kind": "k",
            "created": "<unknown>", "inner": "<unknown>",
        }))
    );
    for expected in ["p.name Given", "p.size Unknown", "p.serial Unknown", "p.mode Default", "p.kind Constant"] {
        assert!(told.split('|').any(|origin| origin == expected), "{expected} in {told}");
    }

    // At every depth, inside secrets and lists too, and with the old values of what is stable.
    let list = |of: &Json| json!({ "type": "array", "items": of });
    let given = json!([{ "<secret>": { "inner": { "name": "n" } } }]);
    let old = json!([{ "created": "1", "inner": { "created": "2", "name": "n" } }]);
    let (found, _) = one_property(Some(list(&args)), list(&state), Some(given), Some(old));
    let unknown = "<unknown>";
    assert_eq!(
        found,
        value(json!([{ "<secret>": {
            "name": unknown, "size": unknown, "serial": unknown, "hash": unknown, "mode": "auto", "kind": "k", "created": "1",
            "inner": {
                "name": "n", "size": unknown, "serial": unknown, "hash": unknown, "mode": "auto", "kind": "k",
                "created": "2", "inner": unknown,
            },
        } }]))
    );
}

#[test]
fn members_in_a_map_are_as_those_elsewhere() {
    let map =
        |of: &str| json!({ "type": "object", "additionalProperties": { "$ref": format!("#/types/t:index:{of}") } });
    let given = json!({ "a": { "name": "n", "mode": null }, "b": { "name": { "<secret>": null } } });
    let old = json!({ "a": { "created": "1" }, "c": { "created": "2" } });
    let (found, told) = one_property(Some(map("Args")), map("State"), Some(given), Some(old));
    let unknown = "<unknown>";
    let element = |name: &str, created: &str| {
        json!({
            "name": name, "size": unknown, "serial": unknown, "hash": unknown, "mode": "auto", "kind": "k",
            "created": created, "inner": unknown,
        })
    };
    assert_eq!(found, value(json!({ "a": element("n", "1"), "b": element(unknown, unknown) })));
    for expected in ["p.a.name Given", "p.b.name Unknown", "p.a.created Stable", "p.b.created Unknown"] {
        assert!(told.split('|').any(|origin| origin == expected), "{expected} in {told}");
    }
    let nothing = one_property(Some(map("Args")), map("State"), Some(json!({})), None);
    assert_eq!(nothing, (value(json!({})), "p Given".to_owned()));
}

/// Where one of the types has objects, elements are looked at one by one.
#[test]
fn each_element_of_several_types_has_an_origin() {
    let either = json!({ "oneOf": [{ "type": "string" }, { "$ref": "#/types/t:index:Both" }] });
    for (ty, given, expected) in [
        (json!({ "type": "array", "items": either }), json!(["x", "<unknown>"]), "p[0] Given|p[1] Unknown"),
        (json!({ "type": "object", "additionalProperties": either }), json!({ "a": "x" }), "p.a Given"),
    ] {
        let found = one_property(Some(ty.clone()), ty, Some(given.clone()), None);
        assert_eq!(found, (value(given), expected.to_owned()));
    }
}

#[test]
fn elements_of_a_list_that_changed_its_length_keep_nothing() {
    let list = |of: &str| json!({ "type": "array", "items": { "$ref": format!("#/types/t:index:{of}") } });
    let created = |old: Json| {
        let (found, _) = one_property(Some(list("Args")), list("State"), Some(json!([{ "name": "n" }])), Some(old));
        found.as_list().unwrap()[0].as_object().unwrap()["created"].clone()
    };
    let element = |created: &str| json!({ "created": created, "name": "n" });
    assert_eq!(created(json!([element("1")])), Value::from("1"));
    assert_eq!(created(json!([element("1"), element("2")])), Value::Unknown);
}

/// Elements change places, and nobody knows which of the old ones a changed one was.
#[test]
fn an_element_keeps_what_is_stable_only_if_it_is_given_as_it_was() {
    let list = |of: &str| json!({ "type": "array", "items": { "$ref": format!("#/types/t:index:{of}") } });
    let created = |given: Json| {
        let old = json!([
            { "name": "a", "created": "1", "inner": { "name": "x", "created": "2" } },
            { "name": "b", "created": "3" },
        ]);
        let (found, _) = one_property(Some(list("Args")), list("State"), Some(given), Some(old));
        let created = |element: &Value| element.as_object().unwrap()["created"].clone();
        found.as_list().unwrap().iter().map(created).collect::<Vec<_>>()
    };
    let unknown = || Value::Unknown;
    for (given, expected) in [
        (json!([{ "name": "b" }, { "name": "c" }]), [unknown(), unknown()]),
        (json!([{ "name": "a" }, { "name": "c" }]), ["1".into(), unknown()]),
        (json!([{ "name": { "<secret>": "a" }, "mode": null }, { "name": "b" }]), ["1".into(), "3".into()]),
        (json!([{ "name": "a", "inner": { "name": "x" }, "__defaults": [] }, {}]), ["1".into(), "3".into()]),
        (json!([{ "name": "a", "inner": { "name": "y" } }, { "name": "b", "size": 1 }]), [unknown(), unknown()]),
        (json!([{ "name": "<unknown>" }, { "name": "b" }]), [unknown(), "3".into()]),
    ] {
        assert_eq!(created(given.clone()), expected, "{given}");
    }
}

#[test]
fn another_variant_keeps_nothing() {
    let variant = |kind: &str, size: &str| {
        let stable = with("stable", json!(true));
        json!({ "properties": {
            "kind": { "type": "string", "const": kind }, size: { "type": "number" }, "created": stable,
        } })
    };
    let types = json!({ "t:index:Circle": variant("circle", "radius"), "t:index:Square": variant("square", "side") });
    let mut union = json!({ "oneOf": [{ "$ref": "#/types/t:index:Circle" }, { "$ref": "#/types/t:index:Square" }] });
    for discriminated in [false, true] {
        if discriminated {
            union["discriminator"] = json!({ "propertyName": "kind" });
        }
        let package = one(json!({ "p": union }), json!({ "p": union }), types.clone());
        let old = object(json!({ "p": { "kind": "circle", "radius": 1, "created": "1" } }));
        for (given, expected) in [
            (json!({ "kind": "circle", "radius": 2 }), Value::from("1")),
            (json!({ "kind": "square", "side": 1 }), Value::Unknown),
        ] {
            let preview = preview_update(&package, resource(&package), &old, &object(json!({ "p": given })));
            assert_eq!(preview.state["p"].as_object().unwrap()["created"], expected, "{union} {given}");
        }
    }
}

/// One type for both says nothing about who fills in a member that wasn't given.
#[test]
fn members_left_out_of_a_shared_type_are_unknown() {
    let both = json!({ "$ref": "#/types/t:index:Both" });
    let (found, told) = one_property(Some(both.clone()), both, Some(json!({ "name": "n" })), None);
    assert_eq!(found, value(json!({ "name": "n", "note": "<unknown>" })));
    assert_eq!(told, "p.note Unknown|p.name Given");
    let list = json!({ "type": "array", "items": { "$ref": "#/types/t:index:Both" } });
    let (found, told) = one_property(Some(list.clone()), list, Some(json!([{ "name": "n" }])), None);
    assert_eq!(found, value(json!([{ "name": "n", "note": "<unknown>" }])));
    assert_eq!(told, "p[0].note Unknown|p[0].name Given");
}

#[test]
fn what_is_not_known_inside_a_given_value_is_told_apart() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let given = json!({ "a": "1", "b": "<unknown>" });
    let found = one_property(Some(map.clone()), map, Some(given.clone()), None);
    assert_eq!(found, (value(given), "p Given|p.b Unknown".to_owned()));
    let any = json!({ "$ref": "pulumi.json#/Any" });
    let given = json!([{ "a": ["<unknown>", 1] }]);
    let found = one_property(Some(any.clone()), any, Some(given.clone()), None);
    assert_eq!(found, (value(given), "p Given|p[0].a[0] Unknown".to_owned()));
}

#[test]
fn a_union_comes_back_as_the_variant_that_was_given() {
    let package = cloud();
    let preview = |shape: Json| {
        let inputs = object(json!({ "shape": shape }));
        preview_create(&package, server(&package), &inputs).state["shape"].clone()
    };
    assert_eq!(preview(json!({ "kind": "circle", "radius": 1 })), value(json!({ "kind": "circle", "radius": 1 })));
}

/// What of it comes back, and what comes with it, are for the variant to say.
#[test]
fn nothing_is_known_before_the_variant_is() {
    let variant = |kind: &str, more: &str, facts: Json| {
        let member = json!({ "type": "string", "language": { "bulkhead": facts } });
        json!({ "properties": { "kind": { "type": "string", "const": kind }, "name": string(), more: member } })
    };
    let types = json!({
        "t:index:A": variant("a", "serial", json!({})), "t:index:B": variant("b", "hash", json!({ "notEchoed": true })),
    });
    let undeclared = json!({ "oneOf": [{ "$ref": "#/types/t:index:A" }, { "$ref": "#/types/t:index:B" }] });
    let mut declared = undeclared.clone();
    declared["discriminator"] = json!({ "propertyName": "kind" });
    for union in [declared, undeclared] {
        let list = json!({ "type": "array", "items": union });
        let package = one(json!({ "p": list }), json!({ "p": list }), types.clone());
        let open = json!({ "kind": "<unknown>", "name": "n" });
        let given = object(json!({ "p": [open, { "kind": "b", "name": "n", "hash": "given" }] }));
        let preview = preview_create(&package, resource(&package), &given);
        let unknown = "<unknown>";
        assert_eq!(preview.state["p"], value(json!([unknown, { "kind": "b", "name": "n", "hash": unknown }])));
        assert!(origins(&preview).contains(&"p[0] Unknown".to_owned()));
    }
}

#[test]
fn a_preview_of_random_knows_what_the_provider_promises() {
    let package = random();
    let preview =
        preview_create(&package, password(&package), &object(json!({ "length": 8, "keepers": { "a": "1" } })));
    let unknown = "<unknown>";
    let expected = json!({
        "length": 8, "keepers": { "a": "1" }, "minLower": 0, "special": true, "overrideSpecial": unknown, "result": unknown,
        "bcryptHash": unknown,
    });
    assert_eq!(preview.state, object(expected));
    assert_eq!(
        origins(&preview),
        [
            "bcryptHash Unknown",
            "keepers Given",
            "length Given",
            "minLower OutputDefault",
            "overrideSpecial Unknown",
            "result Unknown",
            "special OutputDefault",
        ]
    );
}

#[test]
fn an_origin_holds_for_what_is_below_it() {
    let package = random();
    let inputs = object(json!({ "length": 8, "keepers": { "a": "1", "b": "<unknown>" } }));
    let preview = preview_create(&package, password(&package), &inputs);
    let origin = |path: &str| preview.origin(&PropertyPath::parse(path).unwrap());
    assert_eq!(origin("keepers.a"), Some(Origin::Given));
    assert_eq!(origin("keepers.b"), Some(Origin::Unknown));
    assert_eq!(origin("nothing"), None);
    assert!(Origin::Stable.is_promise() && !Origin::Guess.is_promise() && !Origin::Unknown.is_promise());
}

#[test]
fn a_null_in_a_list_or_map_comes_back() {
    let both = json!({ "$ref": "#/types/t:index:Both" });
    for (ty, given) in [
        (json!({ "type": "array", "items": both }), json!([null, { "name": "a", "note": "b" }])),
        (json!({ "type": "object", "additionalProperties": both }), json!({ "a": null })),
    ] {
        let (state, _) = one_property(Some(ty.clone()), ty, Some(given.clone()), None);
        assert_eq!(state, value(given));
    }
}

#[test]
fn a_guess_takes_the_place_of_all_that_the_schema_says() {
    let package = random();
    let mut preview = preview_create(
        &package,
        password(&package),
        &object(json!({ "length": 8, "keepers": { "a": "1", "b": "<unknown>" } })),
    );
    preview.adopt(object(json!({ "keepers": { "c": "2" } })));
    assert_eq!(preview.state["keepers"], value(json!({ "c": "2" })));
    assert_eq!(preview.origin(&PropertyPath::parse("keepers.b").unwrap()), Some(Origin::Guess));
    assert_eq!(
        origins(&preview).iter().filter(|told| told.starts_with("keepers")).collect::<Vec<_>>(),
        ["keepers Guess"]
    );
    assert_eq!(preview.origin(&PropertyPath::field("length")), Some(Origin::Given));
}

#[test]
fn guesses_about_many_outputs_take_the_place_of_what_the_schema_says_at_once() {
    let package = random();
    let inputs = object(json!({ "length": 8, "keepers": { "a": "1", "b": "<unknown>" } }));
    let mut preview = preview_create(&package, password(&package), &inputs);
    let invented = |number: usize| (format!("p{number}"), Value::from("x"));
    let guess = || {
        let mut guess: Object = (0..100_000).map(invented).collect();
        guess.insert("keepers".to_owned(), Value::Null);
        guess
    };
    preview.adopt(guess());
    preview.adopt(guess());
    assert!(!preview.state.contains_key("keepers") && preview.state.contains_key("p99999"));
    let guesses = preview.origins.all().into_iter().filter(|(_, origin)| *origin == Origin::Guess).count();
    assert_eq!((guesses, preview.origin(&PropertyPath::field("length"))), (100_000, Some(Origin::Given)));
    assert_eq!(preview.origin(&PropertyPath::parse("keepers.a").unwrap()), None);
}

#[test]
fn deep_values_are_previewed_on_any_stack() {
    on_a_small_stack(|| {
        let package = cloud();
        let inputs: Object = [("spec", nested(1000, "child", value(json!({ "zone": "z" }))))].into();
        let preview = preview_create(&package, server(&package), &inputs);
        let mut place = &preview.state["spec"];
        for _ in 0..1000 {
            assert_eq!(place.as_object().unwrap()["serial"], Value::Unknown);
            place = &place.as_object().unwrap()["child"];
        }
        assert_eq!(place.as_object().unwrap()["zone"], Value::from("z"));
    });
}

proptest! {
    #[test]
    fn a_preview_has_every_output_and_conforms(inputs in like_inputs()) {
        let package = cloud();
        let resource = server(&package);
        let checked = check(&package, CheckRequest { seed: Some(&[0; 32]), ..CheckRequest::of(&resource.inputs, &inputs) });
        let old = object(json!({ "arn": "arn:1" }));
        for preview in [
            preview_create(&package, resource, &checked.inputs),
            preview_update(&package, resource, &old, &checked.inputs),
        ] {
            prop_assert!(preview.state.keys().eq(resource.outputs.properties.keys()));
            if checked.failures.is_empty() {
                prop_assert_eq!(conform_preview(&package, &resource.outputs, &preview.state), []);
            }
            for path in resource.outputs.properties.keys() {
                prop_assert!(preview.origins.all().iter().any(|(origin, _)| origin.first_name() == Some(path)), "{}", path);
            }
        }
    }

    /// What a preview knows, an operation that echoes what it is given returns.
    #[test]
    fn what_is_known_is_what_was_given(inputs in like_known_inputs()) {
        let package = cloud();
        let resource = server(&package);
        let state = preview_create(&package, resource, &inputs).state;
        let mut pairs: Vec<(&Value, Option<&Value>)> =
            state.iter().filter(|(name, _)| *name != "region" ).map(|(name, value)| (value, inputs.get(name))).collect();
        while let Some((known, given)) = pairs.pop() {
            match (known.plain(), given.map(Value::plain)) {
                (Value::Unknown, _) | (_, None) => {}
                (Value::Object(known), Some(Value::Object(given))) => {
                    pairs.extend(known.iter().map(|(name, value)| (value, given.get(name).filter(|value| !value.plain().is_null()))));
                }
                (Value::List(known), Some(Value::List(given))) => {
                    prop_assert_eq!(known.len(), given.len());
                    pairs.extend(known.iter().zip(given).map(|(known, given)| (known, Some(given))));
                }
                (_, Some(Value::Null)) => {}
                (known, Some(given)) => prop_assert_eq!(known, given),
            }
        }
    }
}

#[test]
fn promises_without_end_are_not_made() {
    let large: Vec<u32> = (0..100).collect();
    let facts = json!({ "bulkhead": { "outputDefault": large } });
    let promise = json!({ "type": "array", "items": { "type": "integer" }, "language": facts });
    let types = json!({ "t:index:Item": { "type": "object", "properties": {
        "given": { "type": "integer" }, "promised": promise,
    } } });
    let items = json!({ "type": "array", "items": { "$ref": "#/types/t:index:Item" } });
    let package = one(json!({ "items": items }), json!({ "items": items }), types);
    let inputs = object(json!({ "items": vec![json!({ "given": 1 }); 50] }));
    let (input, output) =
        (&resource(&package).inputs.properties["items"], &resource(&package).outputs.properties["items"]);
    let mut echo = Echo::new(&package);
    echo.left = 1_000;
    echo.property("items", input, output, &inputs["items"], None);
    let mut preview = Preview { state: inputs.clone(), ..Preview::default() };
    echo.finish(&mut preview);

    assert!(Value::from(preview.state.clone()).nodes() < 1_200);
    let items = preview.state["items"].as_list().unwrap();
    assert_eq!(items[0], value(json!({ "given": 1, "promised": large })));
    assert_eq!((items.len(), &items[49]), (50, &Value::Unknown));
}
