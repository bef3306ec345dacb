//! What is drift where elements and entries come and go, and what a program finds to do about it then.

use bulkhead_value::{Reference, ReferenceId};

use super::*;
use crate::diff::ChangeKind;

/// A resource with lists and maps of disks, of which a server fills in snapshots, which replace, and numbers.
fn disks() -> Package {
    let (properties, types) = properties();
    one(properties.clone(), properties, types)
}

/// Its properties, and the types of those.
pub(super) fn properties() -> (Json, Json) {
    let string = || json!({ "type": "string" });
    let disk = json!({
        "properties": {
            "device": string(), "size": { "type": "integer" }, "iops": { "type": "integer" }, "note": string(),
            "password": { "type": "string", "language": { "bulkhead": { "notEchoed": true } } },
            "snapshot": { "type": "string", "replaceOnChanges": true },
            "parts": { "type": "array", "items": { "$ref": "#/types/t:index:Disk" } },
            "tags": { "type": "object", "additionalProperties": string() },
        },
        "required": ["device"],
    });
    let map = |of: Json| json!({ "type": "object", "additionalProperties": of });
    let of_disks = || json!({ "$ref": "#/types/t:index:Disk" });
    let mut replacing = map(string());
    replacing["replaceOnChanges"] = true.into();
    let properties = json!({
        "disks": { "type": "array", "items": of_disks() }, "disk": of_disks(), "attached": map(of_disks()),
        "tags": map(string()), "rtags": replacing, "maps": map(map(string())),
        "anything": { "$ref": "pulumi.json#/Any" },
    });
    (properties, json!({ "t:index:Disk": disk }))
}

pub(super) fn filled(device: &str) -> Json {
    json!({ "device": device, "snapshot": format!("snap-{device}"), "iops": 1 })
}

pub(super) fn given(device: &str) -> Json {
    json!({ "device": device })
}

/// What is there of two objects together.
pub(super) fn with(mut one: Json, more: Json) -> Json {
    one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    one
}

/// What a program that says the same as before finds to do: `+`, `-` and `~`, doubled where it replaces.
pub(super) fn to_do(package: &Package, shown: &Object, state: &Object, program: &Object) -> String {
    let comparison = Comparison::of(resource(package), Some(shown), state, program);
    let told = diff(package, &comparison).changes.into_iter().map(|change| {
        let sign = match change.kind {
            ChangeKind::Added => "+",
            ChangeKind::Deleted => "-",
            ChangeKind::Updated => "~",
        };
        format!("{}{}", sign.repeat(if change.replaces { 2 } else { 1 }), change.path)
    });
    told.collect::<Vec<_>>().join(" ")
}

fn refreshed(name: &str, rows: impl IntoIterator<Item = (Json, Json, Json, Json, &'static str)>) {
    let package = disks();
    for (given, prior, new, expected, changes) in rows {
        let side = |value: &Json| object(json!({ name: value }));
        let (program, new_state) = (side(&given), side(&new));
        let shown = shown_inputs(&package, resource(&package), &program, &side(&prior), &new_state);
        assert_eq!(shown, side(&expected), "{given} {prior} {new}");
        assert_eq!(to_do(&package, &shown, &new_state, &program), changes, "{given} {prior} {new}");
    }
}

/// What the provider fills in in elements that stayed is no input because another one came or went.
#[test]
fn elements_that_come_or_go_are_all_that_drifts_in_a_list() {
    let list = |devices: &str| devices.chars().map(|device| given(&device.to_string())).collect::<Json>();
    let state = |devices: &str| devices.chars().map(|device| filled(&device.to_string())).collect::<Json>();
    let by_names = [
        ("ab", "a", "+disks[1]"),
        ("ab", "b", "~disks[0].device +disks[1]"),
        ("abc", "bc", "~disks[0].device ~disks[1].device +disks[2]"),
        ("abcd", "bd", "~disks[0].device ~disks[1].device +disks[2] +disks[3]"),
        ("ab", "", "+disks[0] +disks[1]"),
        ("a", "ab", "-disks[1]"),
        ("ab", "xab", "~disks[0].device ~disks[1].device -disks[2]"),
        ("abc", "axbyc", "~disks[1].device ~disks[2].device -disks[3] -disks[4]"),
        ("ab", "x", "~disks[0].device +disks[1]"),
    ];
    refreshed("disks", by_names.map(|(from, to, changes)| (list(from), state(from), state(to), list(to), changes)));
}

/// Nothing tells a server's own words from another element but that no other is given so, and what was given doesn't replace what is there.
#[test]
fn elements_stay_as_they_were_given_beside_a_secret_whatever_a_server_makes_of_them() {
    let secret = |value: Json| json!({ "<secret>": value });
    let pin = || json!({ "note": secret(json!("p")) });
    let (a, b) = (given("a"), given("b"));
    let large = |device: &str| with(given(device), json!({ "snapshot": "L" }));
    let small = |device: &str| with(given(device), json!({ "snapshot": "l" }));
    let clear = json!({ "note": "p" });
    let masked = json!({ "note": "***" });
    let locked = json!({ "password": secret(json!("p")) });
    refreshed(
        "disks",
        [
            (
                json!([with(large("A"), pin())]),
                json!([with(small("a"), clear.clone())]),
                json!([with(small("a"), clear.clone()), b]),
                json!([with(large("A"), pin()), secret(b.clone())]),
                "-disks[1]",
            ),
            // What was recorded may be the secret, for all that anybody knows.
            (
                json!([with(a.clone(), pin()), large("B")]),
                json!([with(a.clone(), clear.clone()), small("b")]),
                json!([with(a.clone(), clear.clone()), small("b"), b]),
                json!([with(a.clone(), pin()), secret(large("B")), secret(b.clone())]),
                "-disks[2]",
            ),
            (
                json!([with(a.clone(), pin())]),
                json!([with(a.clone(), masked.clone())]),
                json!([with(a.clone(), masked.clone()), b]),
                json!([with(a.clone(), pin()), secret(b.clone())]),
                "-disks[1]",
            ),
            // Nothing of it ever comes back.
            (json!([locked]), json!([{}]), json!([{}, b]), json!([locked, secret(b.clone())]), "-disks[1]"),
            // One that somebody changed since is told with the change.
            (
                json!([large("A"), with(b.clone(), pin())]),
                json!([small("a"), with(b.clone(), clear.clone())]),
                json!([with(small("a"), json!({ "size": 2 }))]),
                json!([secret(with(large("A"), json!({ "size": secret(json!(2)) })))]),
                "-disks[0].size +disks[1]",
            ),
        ],
    );
}

#[test]
fn what_changes_beside_elements_that_come_or_go_still_drifts() {
    let (a, b, c) = (given("a"), given("b"), given("c"));
    refreshed(
        "disks",
        [
            // What the provider fills in is another value by now, or wasn't there in the element before it.
            (
                json!([a, b]),
                json!([filled("a"), filled("b")]),
                json!([with(filled("b"), json!({ "iops": 2 }))]),
                json!([b]),
                "~disks[0].device +disks[1]",
            ),
            (json!([a, b]), json!([a, filled("b")]), json!([filled("b")]), json!([b]), "~disks[0].device +disks[1]"),
            // The server has its own spelling.
            (
                json!([a, with(b.clone(), json!({ "note": "N" }))]),
                json!([filled("a"), with(filled("b"), json!({ "note": "n" }))]),
                json!([with(filled("b"), json!({ "note": "n" }))]),
                json!([with(b.clone(), json!({ "note": "N" }))]),
                "~disks[0].device -disks[0].note +disks[1]",
            ),
            // Somebody changed one of those that stayed, or added to it.
            (
                json!([with(a.clone(), json!({ "size": 1 })), b, c]),
                json!([with(filled("a"), json!({ "size": 1 })), filled("b"), filled("c")]),
                json!([with(filled("a"), json!({ "size": 2 })), filled("c")]),
                json!([with(a.clone(), json!({ "size": 2 })), c]),
                "~disks[0].size ~disks[1].device +disks[2]",
            ),
            (
                json!([a, b]),
                json!([filled("a"), filled("b")]),
                json!([with(filled("a"), json!({ "note": "x" }))]),
                json!([with(a.clone(), json!({ "note": "x" }))]),
                "-disks[0].note +disks[1]",
            ),
            // Lists in lists.
            (
                json!([with(a.clone(), json!({ "parts": [b, c] })), b]),
                json!([with(filled("a"), json!({ "parts": [filled("b"), filled("c")] })), filled("b")]),
                json!([with(filled("a"), json!({ "parts": [filled("b")] }))]),
                json!([with(a.clone(), json!({ "parts": [b] }))]),
                "+disks[0].parts[1] +disks[1]",
            ),
            // Nothing tells what the provider fills in of the only element.
            (json!([]), json!([]), json!([filled("a")]), json!([filled("a")]), "--disks[0]"),
        ],
    );
}

/// Which of the others it is that the provider fills something in in is a matter of order.
#[test]
fn what_the_provider_fills_in_in_any_element_is_filled_in_in_those_that_come() {
    let (a, b, c, x) = (given("a"), given("b"), given("c"), given("x"));
    let iops = |of: Json, number: u32| with(of, json!({ "iops": number }));
    let hidden = |of: &Json| json!({ "<secret>": of });
    refreshed(
        "disks",
        [
            (
                json!([b, a]),
                json!([filled("b"), a]),
                json!([filled("b"), a, filled("c")]),
                json!([b, a, c]),
                "-disks[2]",
            ),
            // One went and another came.
            (
                json!([a, b]),
                json!([a, filled("b")]),
                json!([filled("b"), filled("c")]),
                json!([b, c]),
                "~disks[0].device ~disks[1].device",
            ),
            (
                json!([a, b, c]),
                json!([a, filled("b"), filled("c")]),
                json!([filled("c"), filled("x")]),
                json!([c, x]),
                "~disks[0].device ~disks[1].device +disks[2]",
            ),
            // In one that stayed, somebody did it.
            (
                json!([a, b]),
                json!([a, filled("b")]),
                json!([iops(a.clone(), 1), filled("b")]),
                json!([iops(a.clone(), 1), b]),
                "-disks[0].iops",
            ),
            // What would replace the resource, the provider may only have begun to tell.
            (
                json!([a, b]),
                json!([a, filled("b")]),
                json!([iops(with(a.clone(), json!({ "snapshot": "s" })), 1), filled("b")]),
                json!([iops(a.clone(), 1), b]),
                "-disks[0].iops",
            ),
            // It was given, and the server has an order of its own.
            (
                json!([iops(a.clone(), 7), b]),
                json!([b, iops(a.clone(), 7)]),
                json!([b, iops(a.clone(), 7), iops(c.clone(), 7)]),
                json!([iops(a.clone(), 7), b, iops(c.clone(), 7)]),
                "-disks[2]",
            ),
            // Nor is less known to be filled in of elements that the server sorts.
            (
                json!([b, a]),
                json!([filled("a"), filled("b")]),
                json!([filled("a"), filled("b"), filled("c")]),
                json!([b, a, c]),
                "-disks[2]",
            ),
            (
                json!([with(b.clone(), json!({ "note": hidden(&json!("p")) })), a]),
                json!([filled("a"), with(filled("b"), json!({ "note": "p" }))]),
                json!([filled("a"), with(filled("b"), json!({ "note": "p" })), filled("c")]),
                json!([hidden(&a), hidden(&with(b.clone(), json!({ "note": "p" }))), hidden(&c)]),
                "~disks[0].device +disks[0].note ~disks[1].device -disks[1].note -disks[2]",
            ),
            // Where it always was the same, somebody may have given another one, but for what replaces.
            (
                json!([a, b]),
                json!([filled("a"), filled("b")]),
                json!([filled("a"), filled("b"), iops(filled("c"), 5)]),
                json!([a, b, iops(c.clone(), 5)]),
                "-disks[2]",
            ),
            (
                json!([a, b]),
                json!([filled("a"), iops(filled("b"), 2)]),
                json!([filled("a"), iops(filled("b"), 2), iops(filled("c"), 5)]),
                json!([a, b, c]),
                "-disks[2]",
            ),
        ],
    );
    refreshed(
        "attached",
        [(
            json!({ "x": a, "y": b }),
            json!({ "x": a, "y": filled("b") }),
            json!({ "x": a, "y": filled("b"), "z": filled("c") }),
            json!({ "x": a, "y": b, "z": c }),
            "-attached.z",
        )],
    );
}

/// Where engines are to ignore changes, what was refreshed is checked and sent with each update.
#[test]
fn elements_that_come_are_whole() {
    let (string, integer) = (|| json!({ "type": "string" }), || json!({ "type": "integer" }));
    let list = |of: Json| json!({ "type": "array", "items": of });
    let of = |name: &str| json!({ "$ref": format!("#/types/t:index:{name}") });
    let source = |kind: &str, own: &str| {
        let kind = json!({ "type": "string", "const": kind });
        json!({ "properties": { "kind": kind, "id": string(), "name": string() }, "required": ["kind", own] })
    };
    let types = json!({
        "t:index:Group": { "properties": { "id": string(), "name": string() }, "required": ["id"] },
        "t:index:ById": source("id", "id"), "t:index:ByName": source("name", "name"),
        "t:index:Rule": { "properties": { "port": integer(), "priority": integer() }, "required": ["port"] },
    });
    let sources = json!({ "oneOf": [of("ById"), of("ByName")], "discriminator": { "propertyName": "kind" } });
    let properties = json!({
        "groups": list(json!({ "oneOf": [string(), of("Group")] })), "sources": list(sources), "rules": list(of("Rule")),
    });
    let package = one(properties.clone(), properties, types);
    for (name, given, recorded, come, expected) in [
        ("groups", json!("g-1"), json!({ "id": "g-1", "name": "n" }), json!({ "id": "g-2", "name": "m" }), None),
        // A provider of another version required no id.
        (
            "groups",
            json!({ "name": "n" }),
            json!({ "id": "g-1", "name": "n" }),
            json!({ "id": "g-1", "name": "m" }),
            None,
        ),
        (
            "sources",
            json!({ "kind": "id", "id": "1" }),
            json!({ "kind": "id", "id": "1", "name": "n" }),
            json!({ "kind": "name", "id": "2", "name": "m" }),
            None,
        ),
        (
            "rules",
            json!({ "port": 80 }),
            json!({ "port": 80, "priority": 100 }),
            json!({ "port": 81, "priority": 5 }),
            None,
        ),
        (
            "rules",
            json!({ "port": 80 }),
            json!({ "port": 80, "priority": 100 }),
            json!({ "port": 81, "priority": 100 }),
            Some(json!({ "port": 81 })),
        ),
    ] {
        let side = |elements: &[&Json]| object(json!({ name: elements }));
        let expected = expected.as_ref().unwrap_or(&come);
        let shown = shown_inputs(
            &package,
            resource(&package),
            &side(&[&given]),
            &side(&[&recorded]),
            &side(&[&recorded, &come]),
        );
        assert_eq!(shown, side(&[&given, expected]), "{name} {come}");
    }
}

/// Otherwise each update would take out what the provider puts back.
#[test]
fn entries_that_the_provider_fills_in_may_change() {
    let (one, two) = (json!({ "a": "1", "rev": "1" }), json!({ "a": "1", "rev": "2" }));
    let only = json!({ "a": "1" });
    for name in ["tags", "rtags", "anything"] {
        refreshed(
            name,
            [
                (only.clone(), one.clone(), two.clone(), only.clone(), ""),
                (only.clone(), one.clone(), only.clone(), only.clone(), ""),
            ],
        );
    }
    refreshed("tags", [(only.clone(), only.clone(), one.clone(), one.clone(), "-tags.rev")]);
    refreshed("tags", [(one.clone(), one.clone(), two.clone(), two.clone(), "~tags.rev")]);
    let nested = |map: &Json| json!({ "k": map });
    refreshed("maps", [(nested(&only), nested(&one), nested(&two), nested(&only), "")]);
    let nested = |map: &Json| json!({ "device": "a", "tags": map });
    refreshed("disk", [(nested(&only), nested(&one), nested(&two), nested(&only), "")]);
    // One that is new is told without what was filled in beside the others.
    refreshed(
        "attached",
        [(
            json!({ "x": given("a") }),
            json!({ "x": filled("a") }),
            json!({ "x": filled("a"), "y": filled("b") }),
            json!({ "x": given("a"), "y": given("b") }),
            "-attached.y",
        )],
    );
}

/// A resource is the same whether it is given as a reference or recorded by its id.
#[test]
fn elements_that_refer_to_resources_are_found_again() {
    let attachment = json!({ "properties": {
        "server": { "$ref": "#/resources/t:index:R" },
        "password": { "type": "string", "language": { "bulkhead": { "notEchoed": true } } },
    } });
    let list = json!({ "type": "array", "items": { "$ref": "#/types/t:index:Attachment" } });
    let properties = json!({ "p": list });
    let package = one(properties.clone(), properties, json!({ "t:index:Attachment": attachment }));
    let attached = |id: &str| {
        let reference =
            Reference { urn: "urn:s".into(), id: Some(ReferenceId::new(id)), package_version: String::new() };
        Value::from(Object::from([("server", Value::from(reference)), ("password", id.into())]))
    };
    let of = |list: Vec<Value>| Object::from([("p", Value::from(list))]);
    let given = of(vec![attached("1"), attached("2")]);
    let recorded = object(json!({ "p": [{ "server": "2" }] }));
    let reached = ["p".to_owned()].into();
    let shown = shown_after_reaching(&package, resource(&package), &given, &recorded, &recorded, &reached);
    assert_eq!(shown, of(vec![attached("2")]));
}

/// An update failed half-way and the program was put back: what it reached shows, and nothing that the provider filled in there.
#[test]
fn what_a_failed_update_reached_in_lists_and_maps_brings_nothing_along() {
    let package = disks();
    let (a, b) = (with(given("a"), json!({ "size": 1 })), with(given("b"), json!({ "size": 1 })));
    let larger = |of: &Json| with(of.clone(), json!({ "size": 2 }));
    let state = |of: &Json| with(of.clone(), json!({ "snapshot": "s", "iops": 1 }));
    let locked = |of: &Json| with(of.clone(), json!({ "password": of["device"] }));
    for (name, given, recorded, expected, changes) in [
        ("disks", json!([a, b]), json!([state(&a), state(&larger(&b))]), json!([a, larger(&b)]), "~disks[1].size"),
        ("disks", json!([a, b]), json!([state(&b)]), json!([b]), "~disks[0].device +disks[1]"),
        // Nobody is told its password again.
        (
            "disks",
            json!([locked(&a), locked(&b)]),
            json!([state(&b)]),
            json!([locked(&b)]),
            "~disks[0].device ~disks[0].password +disks[1]",
        ),
        ("disks", json!([a]), json!([state(&a), state(&b)]), json!([a, b]), "-disks[1]"),
        ("disks", json!([a]), json!([state(&b), state(&a)]), json!([b, a]), "~disks[0].device -disks[1]"),
        (
            "attached",
            json!({ "x": a }),
            json!({ "x": state(&larger(&a)) }),
            json!({ "x": larger(&a) }),
            "~attached.x.size",
        ),
        ("attached", json!({ "x": a, "y": b }), json!({ "x": state(&a) }), json!({ "x": a }), "+attached.y"),
        (
            "attached",
            json!({ "x": a }),
            json!({ "x": state(&a), "y": state(&b) }),
            json!({ "x": a, "y": b }),
            "-attached.y",
        ),
        (
            "disk",
            with(a.clone(), json!({ "parts": [a] })),
            with(state(&a), json!({ "parts": [state(&larger(&a))] })),
            with(a.clone(), json!({ "parts": [larger(&a)] })),
            "~disk.parts[0].size",
        ),
        ("tags", json!({ "a": "1" }), json!({ "a": "1", "b": "2" }), json!({ "a": "1", "b": "2" }), "-tags.b"),
    ] {
        let (program, recorded) = (object(json!({ name: given })), object(json!({ name: recorded })));
        let reached = [name.to_owned()].into();
        let shown = shown_after_reaching(&package, resource(&package), &program, &recorded, &recorded, &reached);
        assert_eq!(shown, object(json!({ name: expected })), "{program:?} {recorded:?}");
        assert_eq!(to_do(&package, &shown, &recorded, &program), changes, "{program:?} {recorded:?}");
    }
}
