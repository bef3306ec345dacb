mod drift;
mod parts;
mod secrets;

use bulkhead_value::{Object, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{
    filled::Filled,
    inputs_from_state, inputs_on_record, left_undone, reached_by_now,
    restrict::{Defaults, Unasked, restricted},
    shown_after_reaching, shown_inputs,
};
use crate::{
    check::{CheckRequest, check},
    diff::{Comparison, diff},
    fixture::{
        cloud, like_known_inputs, nested, object, on_a_small_stack, one, parsed, password, random, resource, server,
        value,
    },
    model::Package,
    walk::Shapes,
};

fn shown(given: Json, prior: Json, new: Json) -> Object {
    let package = cloud();
    shown_inputs(&package, server(&package), &object(given), &object(prior), &object(new))
}

#[test]
fn a_refresh_shows_what_a_failed_update_reached_and_nothing_that_nobody_gave() {
    let package = cloud();
    for (reached, given, recorded, expected) in [
        // Another value, one that was dropped, and one that was added.
        ("label", json!({ "label": "A" }), json!({ "label": "b" }), json!({ "label": "b" })),
        ("label", json!({ "label": "A" }), json!({}), json!({})),
        ("label", json!({}), json!({ "label": "b" }), json!({ "label": "b" })),
        // Somebody else's spelling, of what wasn't reached.
        ("ratio", json!({ "label": "A" }), json!({ "label": "a" }), json!({ "label": "A" })),
        // What the provider fills in beside it would have to be replaced.
        (
            "spec",
            json!({ "spec": { "weight": 1 } }),
            json!({ "spec": { "weight": 2, "zone": "a", "serial": "s" } }),
            json!({ "spec": { "weight": 2 } }),
        ),
        (
            "spec",
            json!({ "spec": { "weight": 1, "child": { "weight": 1 } } }),
            json!({ "spec": { "weight": 1, "zone": "a", "serial": "s", "child": { "zone": "b", "serial": "t" } } }),
            json!({ "spec": { "weight": 1, "child": {} } }),
        ),
        (
            "spec",
            json!({ "spec": { "children": [{ "weight": 1 }] } }),
            json!({ "spec": { "serial": "s", "children": [{ "weight": 2, "zone": "a", "serial": "t" }] } }),
            json!({ "spec": { "children": [{ "weight": 2 }] } }),
        ),
        ("tags", json!({ "tags": { "a": "1" } }), json!({ "tags": { "b": "2" } }), json!({ "tags": { "b": "2" } })),
        // What a server never tells was not taken away.
        ("password", json!({ "password": "p" }), json!({}), json!({ "password": "p" })),
        ("label", json!({ "label": "A" }), json!({ "label": "A" }), json!({ "label": "A" })),
    ] {
        let (given, recorded) = (object(given), object(recorded));
        let reached = [reached.to_owned()].into();
        let shown = shown_after_reaching(&package, server(&package), &given, &recorded, &recorded, &reached);
        assert_eq!(shown, object(expected), "{reached:?} of {given:?}, {recorded:?}");
    }
}

#[test]
fn a_refresh_shows_drift_and_no_normalisation() {
    for (given, prior, new, expected) in [
        // Nothing happened.
        (json!({ "ratio": 1 }), json!({ "ratio": 1 }), json!({ "ratio": 1 }), json!({ "ratio": 1 })),
        // The server has its own spelling, and keeps it.
        (json!({ "label": "A" }), json!({ "label": "a" }), json!({ "label": "a" }), json!({ "label": "A" })),
        // Somebody changed it.
        (json!({ "label": "A" }), json!({ "label": "a" }), json!({ "label": "b" }), json!({ "label": "b" })),
        (json!({ "ratio": 1 }), json!({ "ratio": 1 }), json!({}), json!({})),
        (json!({}), json!({}), json!({ "ratio": 1 }), json!({ "ratio": 1 })),
        // What the provider fills in may change by itself.
        (json!({}), json!({ "ratio": 1 }), json!({ "ratio": 2 }), json!({})),
        (
            json!({ "spec": { "weight": 1 } }),
            json!({ "spec": { "weight": 1, "zone": "a", "child": { "zone": "a" } } }),
            json!({ "spec": { "weight": 1, "zone": "b", "child": { "zone": "b" } } }),
            json!({ "spec": { "weight": 1 } }),
        ),
        (json!({}), json!({ "ratio": 1 }), json!({ "ratio": 1 }), json!({})),
        (json!({}), json!({ "ratio": 1 }), json!({ "ratio": null }), json!({})),
        // Somebody changed it to what was asked for, after a failed update.
        (json!({ "ratio": 2 }), json!({ "ratio": 1 }), json!({ "ratio": 2 }), json!({ "ratio": 2 })),
        (json!({ "ratio": 2 }), json!({}), json!({ "ratio": 2 }), json!({ "ratio": 2 })),
        (
            json!({ "ratio": { "<secret>": 2 } }),
            json!({}),
            json!({ "ratio": 2 }),
            json!({ "ratio": { "<secret>": 2 } }),
        ),
        // Unset and default are the same.
        (json!({}), json!({ "region": "us" }), json!({ "region": "eu" }), json!({})),
        (json!({}), json!({ "region": "eu" }), json!({ "region": "us" }), json!({ "region": "us" })),
        // Not an input, and not an output.
        (
            json!({ "writeOnly": "w" }),
            json!({ "endpoint": "a" }),
            json!({ "endpoint": "b" }),
            json!({ "writeOnly": "w" }),
        ),
        // A secret stays one, and a secret alone is no drift.
        (
            json!({ "ratio": { "<secret>": 1 } }),
            json!({ "ratio": 1 }),
            json!({ "ratio": { "<secret>": 1 } }),
            json!({ "ratio": { "<secret>": 1 } }),
        ),
        (
            json!({ "ratio": { "<secret>": 1 } }),
            json!({ "ratio": 1 }),
            json!({ "ratio": 2 }),
            json!({ "ratio": { "<secret>": 2 } }),
        ),
        // What belongs to others is left alone.
        (
            json!({ "__defaults": ["a"], "id": "x" }),
            json!({ "id": "x" }),
            json!({ "id": "y" }),
            json!({ "__defaults": ["a"], "id": "x" }),
        ),
    ] {
        assert_eq!(shown(given.clone(), prior.clone(), new.clone()), object(expected), "{given} {prior} {new}");
    }
}

/// An update that nobody asked for would follow, or a replacement.
#[test]
fn what_the_provider_always_fills_in_is_no_drift() {
    let string = || json!({ "type": "string", "replaceOnChanges": true });
    let promised = json!({ "type": "string", "language": { "bulkhead": { "outputDefault": "eu" } } });
    let note = json!({ "type": "string" });
    let properties = json!({ "zone": string(), "label": string(), "region": promised, "note": note });
    let package = parsed(&json!({ "name": "t", "resources": { "t:index:R": {
        "inputProperties": properties, "properties": properties, "required": ["zone", "region"],
    } } }));
    let resource = resource(&package);
    let whole = |mut more: Json| {
        more.as_object_mut().unwrap().extend([("zone".to_owned(), json!("a")), ("region".to_owned(), json!("eu"))]);
        more
    };
    for (given, prior, new, expected) in [
        // It isn't on record yet: an older version of the provider wrote that, or a create that came to no end.
        (json!({}), json!({}), json!({ "zone": "a" }), json!({})),
        (json!({}), json!({ "zone": "a" }), json!({ "zone": "b" }), json!({})),
        (json!({ "zone": "a" }), json!({}), json!({ "zone": "b" }), json!({ "zone": "a" })),
        (json!({ "zone": "a" }), json!({ "zone": "a" }), json!({ "zone": "b" }), json!({ "zone": "a" })),
        (json!({ "zone": "a" }), json!({ "zone": "a", "label": "x" }), json!({ "zone": "b" }), json!({ "zone": "b" })),
        // It isn't always there, or what it should be is known.
        (json!({}), whole(json!({})), whole(json!({ "note": "a" })), json!({ "note": "a" })),
        (json!({}), json!({ "zone": "a" }), json!({ "zone": "a", "region": "us" }), json!({})),
        // Nor is what isn't always there, where what is on record isn't whole or what is there replaces.
        (json!({}), json!({ "zone": "a" }), whole(json!({ "note": "a" })), json!({})),
        (json!({}), whole(json!({})), whole(json!({ "label": "a" })), json!({})),
        (json!({ "label": "A" }), whole(json!({})), whole(json!({ "label": "a" })), json!({ "label": "A" })),
        (json!({ "note": "A" }), whole(json!({})), whole(json!({ "note": "a" })), json!({ "note": "a" })),
        (json!({}), json!({ "region": "eu" }), json!({ "region": "us" }), json!({ "region": "us" })),
    ] {
        let (given, prior, new) = (object(given), object(prior), object(new));
        let shown = shown_inputs(&package, resource, &given, &prior, &new);
        assert_eq!(shown, object(expected), "{given:?} {prior:?} {new:?}");
        let drifted = shown != given;
        let comparison = Comparison::of(resource, Some(&shown), &new, &given);
        assert_eq!(!diff(&package, &comparison).changes.is_empty(), drifted, "{given:?} {prior:?} {new:?}");
    }
}

#[test]
fn what_is_as_good_as_nothing_is_no_drift() {
    let map = json!({ "type": "object", "language": { "bulkhead": { "emptyIsAbsent": true } } });
    let package = one(json!({ "p": map }), json!({ "p": map }), json!({}));
    let (nothing, empty, full) = (json!({}), json!({ "p": {} }), json!({ "p": { "a": "b" } }));
    for (given, prior, new, expected) in [
        (&nothing, &nothing, &empty, &nothing),
        (&empty, &empty, &nothing, &empty),
        (&empty, &nothing, &empty, &empty),
        (&nothing, &nothing, &full, &full),
        (&empty, &nothing, &full, &full),
        (&full, &full, &nothing, &nothing),
        (&full, &full, &empty, &empty),
    ] {
        let shown = shown_inputs(
            &package,
            resource(&package),
            &object(given.clone()),
            &object(prior.clone()),
            &object(new.clone()),
        );
        assert_eq!(shown, object(expected.clone()), "{given} {prior} {new}");
    }
    assert_eq!(inputs_from_state(&package, resource(&package), &object(empty)), Object::new());
}

#[test]
fn a_refresh_goes_member_by_member() {
    for (given, prior, new, expected) in [
        (
            json!({ "tags": { "A": "X", "b": "1", "c": "1" } }),
            json!({ "tags": { "A": "x", "b": "1", "c": "1" } }),
            json!({ "tags": { "A": "x", "b": "2", "d": "3" } }),
            json!({ "tags": { "A": "X", "b": "2", "d": "3" } }),
        ),
        (
            json!({ "rules": [{ "port": 1, "note": "N" }, { "port": 2 }] }),
            json!({ "rules": [{ "port": 1, "note": "n" }, { "port": 2 }] }),
            json!({ "rules": [{ "port": 1, "note": "n" }, { "port": 3 }] }),
            json!({ "rules": [{ "port": 1, "note": "N" }, { "port": 3 }] }),
        ),
        // With another length, too.
        (
            json!({ "rules": [{ "port": 1, "note": "N" }] }),
            json!({ "rules": [{ "port": 1, "note": "n" }] }),
            json!({ "rules": [{ "port": 1, "note": "n" }, { "port": 2, "id": "x" }] }),
            json!({ "rules": [{ "port": 1, "note": "N" }, { "port": 2 }] }),
        ),
        // Members that only outputs have never become inputs.
        (
            json!({ "spec": { "zone": "Z" } }),
            json!({ "spec": { "zone": "z", "serial": "1" } }),
            json!({ "spec": { "zone": "z", "serial": "2" } }),
            json!({ "spec": { "zone": "Z" } }),
        ),
        (
            json!({ "spec": { "zone": "Z" } }),
            json!({ "spec": { "zone": "z", "serial": "1" } }),
            json!({ "spec": { "zone": "z", "serial": "1", "child": { "serial": "3", "weight": 1 } } }),
            json!({ "spec": { "zone": "Z", "child": { "weight": 1 } } }),
        ),
        (json!({}), json!({}), json!({ "spec": { "weight": 1, "serial": "2" } }), json!({ "spec": { "weight": 1 } })),
        // Nobody knows whether somebody did that, and it would replace the resource to take it back.
        (json!({}), json!({}), json!({ "spec": { "zone": "z", "serial": "2" } }), json!({})),
        (
            json!({ "spec": { "<secret>": { "weight": 1 } } }),
            json!({ "spec": { "weight": 1 } }),
            json!({ "spec": { "weight": 2 } }),
            json!({ "spec": { "<secret>": { "weight": { "<secret>": 2 } } } }),
        ),
        (
            json!({ "shape": { "kind": "circle", "radius": 1 } }),
            json!({ "shape": { "kind": "circle", "radius": 1 } }),
            json!({ "shape": { "kind": "square", "side": 1 } }),
            json!({ "shape": { "kind": "square", "side": 1 } }),
        ),
    ] {
        assert_eq!(shown(given.clone(), prior.clone(), new.clone()), object(expected), "{given} {prior} {new}");
    }
}

#[test]
fn a_refresh_goes_through_maps_and_secrets_on_record() {
    let types = json!({
        "t:index:Rule": { "properties": { "port": { "type": "integer" }, "note": { "type": "string" } } },
        "t:index:RuleState": { "properties": {
            "port": { "type": "integer" }, "note": { "type": "string" }, "serial": { "type": "string" },
        } },
    });
    let map =
        |of: &str| json!({ "type": "object", "additionalProperties": { "$ref": format!("#/types/t:index:{of}") } });
    let package = one(json!({ "p": map("Rule") }), json!({ "p": map("RuleState") }), types);
    let rule = |port: u32, note: &str| json!({ "a": { "port": port, "note": note } });
    let secret = |inner: Json| json!({ "<secret>": inner });
    for (given, prior, new, expected) in [
        (rule(1, "N"), rule(1, "n"), rule(2, "n"), rule(2, "N")),
        (rule(1, "N"), secret(rule(1, "n")), secret(rule(1, "n")), rule(1, "N")),
        (rule(1, "N"), rule(1, "n"), json!({ "a": secret(json!({ "port": 2, "note": "n" })) }), rule(2, "N")),
        (rule(1, "N"), rule(1, "n"), json!({ "a": secret(json!(null)) }), json!({})),
    ] {
        let of = |p: &Json| object(json!({ "p": p }));
        let shown = shown_inputs(&package, resource(&package), &of(&given), &of(&prior), &of(&new));
        assert_eq!(shown, of(&expected), "{given} {prior} {new}");
    }
    // What no input has is no input, wherever it stands.
    let state = |value: Json| object(json!({ "p": { "a": value } }));
    for (found, expected) in [
        (json!({ "port": 1, "serial": "s" }), json!({ "port": 1 })),
        (secret(json!({ "port": 1, "serial": "s" })), secret(json!({ "port": 1 }))),
        (json!({ "port": secret(json!(null)), "serial": "s" }), json!({})),
    ] {
        assert_eq!(inputs_from_state(&package, resource(&package), &state(found.clone())), state(expected), "{found}");
    }
}

/// Generated schemas have a string where an enum or a resource is given, and other objects for what comes back.
#[test]
fn an_output_of_another_type_shows_drift_and_can_be_imported() {
    let of = |name: &str| json!({ "$ref": format!("#/types/t:index:{name}") });
    let string = || json!({ "type": "string" });
    let union = |suffix: &str| {
        let variants = ["Circle", "Square"].map(|name| of(&format!("{name}{suffix}")));
        json!({ "oneOf": variants, "discriminator": { "propertyName": "kind" } })
    };
    let variant = |kind: &str, size: &str, more: Json| {
        let mut properties = json!({ "kind": { "type": "string", "const": kind }, size: { "type": "number" } });
        properties.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "properties": properties, "required": ["kind"] })
    };
    let types = json!({
        "t:index:Mode": { "type": "string", "enum": [{ "value": "on" }, { "value": "off" }] },
        "t:index:Circle": variant("circle", "radius", json!({})), "t:index:Square": variant("square", "side", json!({})),
        "t:index:CircleOut": variant("circle", "radius", json!({ "area": { "type": "number" } })),
        "t:index:SquareOut": variant("square", "side", json!({ "area": { "type": "number" } })),
    });
    let circle = |radius: u32| json!({ "kind": "circle", "radius": radius });
    let circle_out = |radius: u32| json!({ "kind": "circle", "radius": radius, "area": radius * 3 });
    let either = json!({ "oneOf": [string(), { "$ref": "#/resources/t:index:R" }] });
    let list = |of: Json| json!({ "type": "array", "items": of });
    let any = || json!({ "$ref": "pulumi.json#/Any" });
    let foreign = || json!({ "$ref": "/other/v1.0.0/schema.json#/types/other:index:T" });
    for (input, output, [prior, new], expected) in [
        (of("Mode"), string(), [json!("on"), json!("off")], json!("off")),
        (json!({ "oneOf": [string(), of("Mode")] }), string(), [json!("on"), json!("x")], json!("x")),
        (list(of("Mode")), list(string()), [json!(["on"]), json!(["off"])], json!(["off"])),
        (either, string(), [json!("id"), json!("other")], json!("other")),
        (json!({ "type": "integer" }), json!({ "type": "number" }), [json!(1), json!(2)], json!(2)),
        (union(""), union("Out"), [circle_out(1), circle_out(2)], circle(2)),
        (list(union("")), list(union("Out")), [json!([circle_out(1)]), json!([circle_out(2)])], json!([circle(2)])),
        // What may be anything shows what is of the input's type, and so does a type of another package.
        (string(), any(), [json!("a"), json!("b")], json!("b")),
        (of("Mode"), foreign(), [json!("on"), json!("off")], json!("off")),
        (foreign(), string(), [json!("a"), json!("b")], json!("b")),
        (foreign(), of("CircleOut"), [circle_out(1), circle_out(2)], circle_out(2)),
        (list(string()), list(any()), [json!(["a"]), json!(["b"])], json!(["b"])),
        (of("Circle"), any(), [circle(1), circle(2)], circle(2)),
        (string(), any(), [json!(1), json!(2)], json!(null)),
        (list(string()), list(any()), [json!([1]), json!(["a", 2])], json!(null)),
        // There is nothing to be seen of it.
        (string(), json!({ "type": "number" }), [json!(1), json!(2)], json!(null)),
        (string(), list(string()), [json!(["a"]), json!(["b"])], json!(null)),
        (list(string()), list(of("CircleOut")), [json!([]), json!([circle_out(1)])], json!(null)),
    ] {
        let package = one(json!({ "p": input }), json!({ "p": output }), types.clone());
        let side = |value: &Json| object(json!({ "p": value }));
        let imported = inputs_from_state(&package, resource(&package), &side(&new));
        let given = inputs_from_state(&package, resource(&package), &side(&prior));
        let refreshed = shown_inputs(&package, resource(&package), &given, &side(&prior), &side(&new));
        let expected: Object = if expected.is_null() { Object::new() } else { side(&expected) };
        assert_eq!((&imported, &refreshed), (&expected, &expected), "{input} {output}");
        let shown = shown_inputs(&package, resource(&package), &side(&prior), &side(&new), &side(&new));
        assert_eq!(shown, side(&prior), "{input} {output}");
        let appeared = shown_inputs(&package, resource(&package), &Object::new(), &Object::new(), &side(&new));
        assert_eq!(appeared, expected, "{input} {output}");
    }
    // In another form, what may be anything still shows that it is another thing now.
    let package = one(json!({ "p": string() }), json!({ "p": any() }), json!({}));
    let side = |value: Json| object(json!({ "p": value }));
    let shown = |prior: Json, new: Json| {
        shown_inputs(&package, resource(&package), &side(json!("1")), &side(prior), &side(new))
    };
    assert_eq!(shown(json!(1), json!(2)), side(json!(2)));
    assert_eq!(shown(json!(1), json!(1)), side(json!("1")));
    assert_eq!(shown(json!(null), json!(1)), side(json!("1")), "it comes late, and says nothing");
}

/// What such an output is can be compared with what it was, and with nothing else.
#[test]
fn an_output_that_differs_from_what_was_given_shows_drift_of_its_own() {
    let string = json!({ "type": "string" });
    let fact = json!({ "type": "string", "language": { "bulkhead": { "notEchoed": true } } });
    let nested = |member: &Json| json!({ "t:index:O": { "properties": { "p": member } } });
    let of = json!({ "$ref": "#/types/t:index:O" });
    for (input, output) in [(&fact, &string), (&string, &fact), (&fact, &fact)] {
        let flat = one(json!({ "p": input }), json!({ "p": output }), json!({}));
        let deep = one(json!({ "p": of }), json!({ "p": of }), nested(&fact));
        for (given, prior, new, expected) in [
            (Some("secret"), Some("hash-1"), Some("hash-1"), Some("secret")),
            (Some("secret"), Some("hash-1"), Some("hash-2"), Some("hash-2")),
            (Some("secret"), Some("hash-1"), None, None),
            // It comes late, and nobody knows whether it is of what was given.
            (Some("secret"), None, Some("hash-1"), Some("secret")),
            (None, None, Some("hash-1"), Some("hash-1")),
        ] {
            let side = |value: Option<&str>| value.map_or(json!({}), |value| json!({ "p": value }));
            let [given, prior, new, expected] = [given, prior, new, expected].map(side);
            let shown = |package: &Package, wrap: &dyn Fn(&Json) -> Object| {
                shown_inputs(package, resource(package), &wrap(&given), &wrap(&prior), &wrap(&new)) == wrap(&expected)
            };
            assert!(shown(&flat, &|side| object(side.clone())), "{input} {output}: {given} {prior} {new}");
            assert!(shown(&deep, &|side| object(json!({ "p": side }))), "in an object: {given} {prior} {new}");
        }
    }
}

#[test]
fn an_import_gives_what_a_program_would_have_to_say() {
    let package = cloud();
    let state = json!({
        "id": "x", "__meta": 1, "endpoint": "e", "arn": "a", "name": "n", "size": "small", "replicas": 3, "region": "eu",
        "password": "hash", "tags": { "a": "1" }, "ratio": null,
        "rules": [{ "port": 1, "protocol": "tcp" }, { "port": 2, "protocol": "udp" }],
        "spec": { "zone": "z", "serial": "1", "children": [{ "serial": "2", "weight": 1 }] },
        "shape": { "kind": "circle", "radius": 1 },
    });
    assert_eq!(
        inputs_from_state(&package, server(&package), &object(state)),
        object(json!({
            "name": "n", "replicas": 3, "tags": { "a": "1" }, "rules": [{ "port": 1 }, { "port": 2, "protocol": "udp" }],
            "spec": { "zone": "z", "children": [{ "weight": 1 }] }, "shape": { "kind": "circle", "radius": 1 },
        }))
    );
    let package = random();
    let state =
        json!({ "length": 8, "minLower": 0, "special": false, "result": { "<secret>": "x" }, "bcryptHash": "y" });
    let inputs = inputs_from_state(&package, password(&package), &object(state.clone()));
    assert_eq!(inputs, object(json!({ "length": 8, "special": false })));
    // What it is compared with or put back from is all of it.
    let inputs = inputs_on_record(&package, password(&package), &object(state));
    assert_eq!(inputs, object(json!({ "length": 8, "minLower": 0, "special": false })));
}

/// Else a program that an import wrote would change what it imported, where the environment says something else.
#[test]
fn an_import_says_what_the_environment_would_say_otherwise() {
    let region = json!({ "type": "string", "default": "us", "defaultInfo": { "environment": ["REGION"] } });
    let constant = json!({ "type": "string", "const": "v1", "defaultInfo": { "environment": ["VERSION"] } });
    let place = json!({ "t:index:Place": { "properties": { "region": region, "version": constant } } });
    let properties = json!({ "region": region, "version": constant, "place": { "$ref": "#/types/t:index:Place" } });
    let package = one(properties.clone(), properties, place);
    let state = json!({ "region": "us", "version": "v1", "place": { "region": "us", "version": "v1" } });
    let imported = inputs_from_state(&package, resource(&package), &object(state.clone()));
    assert_eq!(imported, object(json!({ "region": "us", "place": { "region": "us" } })));
    let environment = |name: &str| (name == "REGION").then(|| "eu".to_owned());
    let request = CheckRequest { environment: &environment, ..CheckRequest::of(&resource(&package).inputs, &imported) };
    let checked = check(&package, request);
    assert_eq!((checked.failures, checked.inputs), (vec![], object(state)));
}

#[test]
fn what_is_not_echoed_is_not_imported() {
    let (string, fact) =
        (json!({ "type": "string" }), json!({ "type": "string", "language": { "bulkhead": { "notEchoed": true } } }));
    for (input, output, imported) in [(&string, &string, true), (&fact, &string, false), (&string, &fact, false)] {
        let package = one(json!({ "p": input }), json!({ "p": output }), json!({}));
        let inputs = inputs_from_state(&package, resource(&package), &object(json!({ "p": "hash" })));
        assert_eq!(inputs.contains_key("p"), imported, "{input} {output}");
    }
}

/// Without what tells the variants apart, a check would take the first, and complete that.
#[test]
fn an_import_keeps_what_a_variant_is_known_by() {
    let variant = |kind: Json| json!({ "properties": { "kind": kind, "size": { "type": "number", "default": 1 } } });
    let constant = |kind: &str| json!({ "type": "string", "const": kind });
    let types = json!({
        "t:index:A": variant(constant("a")), "t:index:B": variant(constant("b")),
        "t:index:Mode": { "type": "string", "enum": [{ "value": "x" }, { "value": "y" }] },
        "t:index:C": variant(json!({ "$ref": "#/types/t:index:Mode", "default": "x" })),
    });
    let of = |name: &str| json!({ "$ref": format!("#/types/t:index:{name}") });
    let plain = json!({ "oneOf": [of("A"), of("B"), of("C")] });
    let mut discriminated = plain.clone();
    discriminated["discriminator"] = json!({ "propertyName": "kind" });
    for union in [plain, discriminated] {
        let list = json!({ "type": "array", "items": union });
        let package = one(json!({ "p": list }), json!({ "p": list }), types.clone());
        for kind in ["a", "b", "x"] {
            let state = object(json!({ "p": [{ "kind": kind, "size": 1 }, { "kind": kind, "size": 2 }] }));
            let imported = inputs_from_state(&package, resource(&package), &state);
            let checked = check(&package, CheckRequest::of(&resource(&package).inputs, &imported));
            assert_eq!((checked.failures, checked.inputs), (vec![], state), "{union} {kind}");
        }
    }
}

#[test]
fn deep_values_are_read_on_any_stack() {
    on_a_small_stack(|| {
        let package = cloud();
        let deep = |weight: i32| nested(1000, "child", value(json!({ "weight": weight, "zone": "z" })));
        let state = |weight: i32| -> Object { [("spec", deep(weight)), ("anything", deep(weight))].into() };
        let shown = shown_inputs(&package, server(&package), &state(1), &state(1), &state(2));
        assert_eq!(shown, state(2));
        assert_eq!(inputs_from_state(&package, server(&package), &state(1)), state(1));
    });
}

proptest! {
    /// A refresh that finds everything as it was shows what was given, whatever the server made of it.
    #[test]
    fn without_drift_inputs_are_shown_as_given(given in like_known_inputs(), state in like_known_inputs()) {
        let package = cloud();
        prop_assert_eq!(shown_inputs(&package, server(&package), &given, &state, &state), given);
    }

    /// An import of what was created from some inputs differs in nothing from those inputs.
    #[test]
    fn an_imported_resource_has_no_difference(inputs in like_known_inputs()) {
        let package = cloud();
        let resource = server(&package);
        let ty = &resource.inputs;
        let request = CheckRequest { seed: Some(&[0; 32]), ..CheckRequest::of(ty, &inputs) };
        // Without what is wrong about them.
        let wrong = check(&package, request).failures;
        let is_wrong = |name: &str| wrong.iter().any(|failure| failure.path.first_name() == Some(name));
        let right: Object = inputs.iter().filter(|(name, _)| !is_wrong(name)).map(|(name, value)| (name.clone(), value.clone())).collect();
        let checked = check(&package, CheckRequest { inputs: &right, ..request });
        prop_assert_eq!(&checked.failures, &[]);
        // What a provider that echoes everything would have, but for what it can't show.
        let state: Object = checked.inputs.iter()
            .filter(|(name, _)| !["password", "writeOnly"].contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let read = inputs_from_state(&package, resource, &state);
        let mut news = checked.inputs.clone();
        news.remove("password");
        news.remove("writeOnly");
        let comparison = Comparison::of(resource, Some(&read), &state, &news);
        prop_assert_eq!(diff(&package, &comparison).changes, []);
        prop_assert_eq!(read.values().any(Value::is_null), false);
    }
}

#[test]
fn all_values_of_a_state_are_brought_into_form_in_so_many_steps() {
    let package = cloud();
    let ty = &server(&package).inputs.properties["rules"].ty;
    let value = value(json!([{ "port": 1, "id": "x" }, { "port": 2, "id": "x" }]));
    let mut shapes = Shapes::within(&package, 9);
    let mut steps = Vec::new();
    for _ in 0..2 {
        restricted(&mut shapes, ty, &value, Defaults::Keep, Unasked { filled: &Filled::default(), reached: false });
        steps.push(shapes.is_spent());
    }
    assert_eq!(steps, [false, true]);
}
