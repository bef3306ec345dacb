//! What stays secret in inputs that are read.

use super::*;

/// Whatever was given in a list before it or after it.
#[test]
fn drift_in_a_list_with_a_secret_is_secret_and_in_another_is_not() {
    let types = json!({ "t:index:Rule": { "properties": { "port": { "type": "integer" } } } });
    let list = || json!({ "type": "array", "items": { "$ref": "#/types/t:index:Rule" } });
    let properties = json!({ "p": list(), "q": list() });
    let package = one(properties.clone(), properties, types);
    let secret = |port: u32| json!({ "<secret>": port });
    let of = |secret_in: &str, first: Json, last: Json| {
        let list = |name: &str, last: &Json| json!([{ "port": first }, { "port": if name == secret_in { last.clone() } else { json!(2) } }]);
        json!({ "p": list("p", &last), "q": list("q", &last) })
    };
    for name in ["p", "q"] {
        let (given, new) = (object(of(name, json!(1), secret(2))), object(of(name, json!(3), json!(2))));
        let prior = object(of(name, json!(1), json!(2)));
        let shown = shown_inputs(&package, resource(&package), &given, &prior, &new);
        for list in ["p", "q"] {
            let first = value(if list == name { secret(3) } else { json!(3) });
            let found = &shown[list].as_list().unwrap()[0].as_object().unwrap()["port"];
            assert_eq!(found, &first, "{list} where {name} has a secret");
        }
    }
}

#[test]
fn what_takes_the_place_of_a_secret_is_one() {
    let strings = json!({ "type": "array", "items": { "type": "string" } });
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let either = json!({ "oneOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] });
    let object_type =
        json!({ "properties": { "a": { "type": "string" }, "list": strings, "map": map, "either": either } });
    let of_objects = json!({ "type": "array", "items": { "$ref": "#/types/t:index:O" } });
    let of_lists = json!({ "type": "array", "items": strings });
    let promised = json!({ "type": "string", "language": { "bulkhead": { "outputDefault": "a" } } });
    let properties = json!({ "text": { "type": "string" }, "promised": promised, "list": strings, "map": map, "either": either, "object": { "$ref": "#/types/t:index:O" }, "objects": of_objects, "lists": of_lists });
    let package = one(properties.clone(), properties, json!({ "t:index:O": object_type }));
    let secret = |value: Json| json!({ "<secret>": value });
    for (name, given, prior, new, expected) in [
        // A provider that doesn't return what it was given at first.
        ("text", secret(json!("a")), json!(null), json!("b"), secret(json!("b"))),
        ("map", json!({ "k": secret(json!("a")) }), json!({}), json!({ "k": "b" }), json!({ "k": secret(json!("b")) })),
        // What is new in a list may be one that was given before, in its own words.
        (
            "list",
            json!(["x", secret(json!("a"))]),
            json!(["x", "a"]),
            json!(["x", "b", "a"]),
            json!(["x", secret(json!("b")), secret(json!("a"))]),
        ),
        ("list", json!([secret(json!("a")), "x"]), json!(["a", "x"]), json!(["b"]), json!([secret(json!("b"))])),
        ("list", json!([secret(json!("a")), "x"]), json!(["a", "x"]), json!(["x"]), json!(["x"])),
        (
            "list",
            secret(json!(["a", "b"])),
            json!(["a", "b"]),
            json!(["b", "c", "d"]),
            secret(json!([secret(json!("b")), secret(json!("c")), secret(json!("d"))])),
        ),
        ("list", json!(["a"]), secret(json!(["a"])), json!(["a", "b"]), json!(["a", secret(json!("b"))])),
        // A server has its own order: what is found again is another one than was given.
        ("list", json!([secret(json!("a")), "x"]), json!(["x", "a"]), json!(["a"]), json!([secret(json!("a"))])),
        ("list", json!([secret(json!("a")), "x"]), json!(["x", "a"]), json!(["x"]), json!([secret(json!("x"))])),
        (
            "objects",
            json!([{ "a": secret(json!("a")) }, { "a": "x" }]),
            json!([{ "a": "x" }, { "a": "a" }]),
            json!([{ "a": "a" }]),
            json!([secret(json!({ "a": "a" }))]),
        ),
        // It never tells the secret.
        (
            "objects",
            json!([{ "a": secret(json!("a")), "list": ["1"] }, { "list": ["2"] }]),
            json!([{ "list": ["1"] }, { "list": ["2"] }]),
            json!([{ "list": ["1"] }]),
            json!([{ "a": secret(json!("a")), "list": ["1"] }]),
        ),
        // Elements change places.
        (
            "list",
            json!(["x", secret(json!("a"))]),
            json!(["x", "a"]),
            json!(["a", "x"]),
            json!([secret(json!("a")), secret(json!("x"))]),
        ),
        (
            "objects",
            json!([{ "a": secret(json!("a")) }, {}]),
            json!([{ "a": "a" }, {}]),
            json!([{}, { "a": "a" }]),
            json!([{}, { "a": secret(json!("a")) }]),
        ),
        (
            "lists",
            json!([[secret(json!("a"))], ["x"]]),
            json!([["a"], ["x"]]),
            json!([["x"], ["a"]]),
            json!([[secret(json!("x"))], [secret(json!("a"))]]),
        ),
        ("either", json!([secret(json!("a"))]), json!(["a"]), json!("b"), secret(json!("b"))),
        (
            "object",
            json!({ "list": [secret(json!("a"))] }),
            json!({ "list": ["a"] }),
            json!({ "list": [] }),
            json!({ "list": [] }),
        ),
        // Nobody gave it, and it is on record as a secret.
        ("promised", json!(null), secret(json!("a")), json!("b"), secret(json!("b"))),
        (
            "map",
            json!({ "k": "1" }),
            secret(json!({ "k": "1" })),
            json!({ "k": "1", "l": "2" }),
            json!({ "k": "1", "l": secret(json!("2")) }),
        ),
        (
            "object",
            json!({ "map": { "k": "1" } }),
            secret(json!({ "map": { "k": "1" } })),
            json!({ "map": { "k": "1", "l": "2" } }),
            json!({ "map": { "k": "1", "l": secret(json!("2")) } }),
        ),
        // Nothing of it was a secret.
        ("list", json!(["x", "a"]), json!(["x", "a"]), json!(["x"]), json!(["x"])),
        ("text", json!("a"), secret(json!("a")), json!("b"), json!("b")),
    ] {
        let side = |value: &Json| object(json!({ name: value }));
        let shown = shown_inputs(&package, resource(&package), &side(&given), &side(&prior), &side(&new));
        assert_eq!(shown, side(&expected), "{given} {prior} {new}");
    }
}

/// Inputs stand in state files, and in the program that an import writes.
#[test]
fn what_only_the_outputs_say_is_secret_is_no_input_in_clear() {
    let string = || json!({ "type": "string" });
    let types = json!({
        "t:index:In": { "properties": { "key": string(), "zone": string() } },
        "t:index:Out": { "properties": { "key": { "type": "string", "secret": true }, "zone": string() } },
    });
    let of = |name: &str| json!({ "type": "array", "items": { "$ref": format!("#/types/t:index:{name}") } });
    let inputs = json!({ "pin": string(), "rules": of("In") });
    let outputs = json!({ "pin": { "type": "string", "secret": true }, "rules": of("Out") });
    let package = one(inputs, outputs, types);
    let read = object(json!({ "pin": "4711", "rules": [{ "key": "k", "zone": "z" }] }));
    let secret = |value: Json| json!({ "<secret>": value });
    let expected =
        object(json!({ "pin": secret(json!("4711")), "rules": [{ "key": secret(json!("k")), "zone": "z" }] }));
    assert_eq!(inputs_from_state(&package, resource(&package), &read), expected);
    let nothing = Object::new();
    assert_eq!(shown_inputs(&package, resource(&package), &nothing, &nothing, &read), expected);

    // Whoever gave it in clear doesn't hide it.
    let given = object(json!({ "pin": "1234" }));
    let recorded = object(json!({ "pin": secret(json!("1234")) }));
    let drifted = object(json!({ "pin": "4711" }));
    assert_eq!(shown_inputs(&package, resource(&package), &given, &recorded, &drifted), drifted);
}
