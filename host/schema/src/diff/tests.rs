use std::collections::BTreeSet;

use bulkhead_value::{Asset, Object, PropertyPath, Reference, ReferenceId, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{Change, ChangeKind, Comparison, Difference, diff, diff_configuration};
use crate::{
    Methods, ResourceFacts,
    check::{
        CheckRequest, check,
        tests::{like_inputs, like_known_inputs},
    },
    fixture::{cloud, nested, object, on_a_small_stack, one, parsed, password, paths, random, resource, server, value},
    model::{Package, Resource},
};

/// A change as text: `+` added, `-` deleted, `~` updated, doubled if it replaces.
fn told(difference: &Difference) -> Vec<String> {
    let told = |change: &Change| {
        let sign = match change.kind {
            ChangeKind::Added => "+",
            ChangeKind::Deleted => "-",
            ChangeKind::Updated => "~",
        };
        format!("{}{}", sign.repeat(if change.replaces { 2 } else { 1 }), change.path)
    };
    difference.changes.iter().map(told).collect()
}

fn compare(package: &Package, resource: &Resource, old: Json, state: Json, new: Json) -> Difference {
    let (old, state, new) = (object(old), object(state), object(new));
    diff(
        package,
        &Comparison {
            resource,
            old_inputs: Some(&old),
            old_state: &state,
            new_inputs: &new,
            ignore_changes: &[],
            generated: &[],
        },
    )
}

/// The changes of the server between two sets of inputs, with no state at all.
fn changes(old: Json, new: Json) -> Vec<String> {
    let package = cloud();
    told(&compare(&package, server(&package), old, json!({}), new))
}

/// The changes of a property of this type.
fn changes_of(ty: Json, old: Json, new: Json) -> Vec<String> {
    let package = one(json!({ "p": ty }), json!({}), json!({}));
    told(&compare(&package, resource(&package), json!({ "p": old }), json!({}), json!({ "p": new })))
}

#[test]
fn equal_inputs_have_no_difference() {
    let all = json!({
        "name": "n", "size": "small", "tags": { "a": "b" }, "rules": [{ "port": 1 }], "spec": { "child": {} },
        "shape": { "kind": "circle", "radius": 1 }, "anything": [null, { "a": null }], "source": { "<asset>": "x" },
    });
    assert_eq!(changes(all.clone(), all), [""; 0]);
    assert_eq!(changes(json!({}), json!({})), [""; 0]);
}

#[test]
fn every_change_has_its_kind_and_path() {
    for (old, new, expected) in [
        (json!({}), json!({ "ratio": 1 }), "+ratio"),
        (json!({ "ratio": 1 }), json!({}), "-ratio"),
        (json!({ "ratio": 1 }), json!({ "ratio": 2 }), "~ratio"),
        (
            json!({ "tags": { "a": "1", "b": "2" } }),
            json!({ "tags": { "b": "3", "c.d": "4" } }),
            "-tags.a ~tags.b +tags[\"c.d\"]",
        ),
        (json!({ "tags": {} }), json!({}), "-tags"),
        (json!({ "rules": [{ "port": 1 }] }), json!({ "rules": [{ "port": 1 }, { "port": 2 }] }), "+rules[1]"),
        (
            json!({ "rules": [{ "port": 1 }, { "port": 2 }] }),
            json!({ "rules": [{ "port": 2 }] }),
            "~rules[0].port -rules[1]",
        ),
        (
            json!({ "rules": [{ "port": 1, "note": "a" }] }),
            json!({ "rules": [{ "port": 2 }] }),
            "-rules[0].note ~rules[0].port",
        ),
        (json!({ "rules": [] }), json!({ "rules": [] }), ""),
        (json!({ "label": "1" }), json!({ "label": 1 }), "~label"),
        (
            json!({ "shape": { "kind": "circle", "radius": 1 } }),
            json!({ "shape": { "kind": "circle", "radius": 2 } }),
            "~shape.radius",
        ),
        (
            json!({ "shape": { "kind": "circle", "radius": 1 } }),
            json!({ "shape": { "kind": "square", "side": 1 } }),
            "~shape.kind -shape.radius +shape.side",
        ),
        (
            json!({ "anything": { "a": [1, { "b": 2 }] } }),
            json!({ "anything": { "a": [1, { "b": 3 }] } }),
            "~anything.a[1].b",
        ),
        (json!({ "anything": { "a": 1 } }), json!({ "anything": [1] }), "~anything"),
        (json!({ "anything": {} }), json!({ "anything": { "a": null } }), "+anything.a"),
        (json!({ "document": "{}" }), json!({ "document": "{ }" }), "~document"),
    ] {
        assert_eq!(changes(old.clone(), new.clone()).join(" "), expected, "{old} {new}");
    }
}

#[test]
fn elements_are_ordered_by_their_index() {
    let list = |count: usize| json!({ "anything": (0..count).collect::<Vec<_>>() });
    let grown = changes(list(8), list(12));
    assert_eq!(grown, ["+anything[8]", "+anything[9]", "+anything[10]", "+anything[11]"]);
}

#[test]
fn null_is_no_different_from_absent() {
    for (old, new) in [
        (json!({ "ratio": null }), json!({})),
        (json!({}), json!({ "ratio": { "<secret>": null }, "spec": null })),
        (json!({ "spec": { "weight": null } }), json!({ "spec": {} })),
        (json!({ "tags": { "a": null } }), json!({ "tags": {} })),
    ] {
        assert_eq!(changes(old.clone(), new.clone()), [""; 0], "{old} {new}");
    }
}

#[test]
fn a_secret_is_compared_as_what_it_holds() {
    let secret = |inner: Json| json!({ "<secret>": inner });
    assert_eq!(changes(json!({ "ratio": 1 }), json!({ "ratio": secret(json!(1)) })), [""; 0]);
    assert_eq!(changes(json!({ "ratio": secret(json!(1)) }), json!({ "ratio": secret(json!(2)) })), ["~ratio"]);
    let (old, new) =
        (json!({ "spec": secret(json!({ "weight": 1 })) }), json!({ "spec": { "weight": secret(json!(2)) } }));
    assert_eq!(changes(old, new), ["~spec.weight"]);
}

#[test]
fn a_path_shows_no_name_inside_a_secret() {
    let secret = |inner: Json| json!({ "tags": { "<secret>": inner } });
    let (old, new) = (secret(json!({ "canary": "1" })), secret(json!({ "canary": "2", "canary-two": "1" })));
    assert_eq!(changes(old.clone(), new), ["~tags"]);
    assert_eq!(changes(old, json!({ "tags": { "canary": "1" } })), [""; 0]);
    let anything = |inner: Json| json!({ "anything": { "<secret>": inner } });
    assert_eq!(changes(anything(json!({ "canary": 1 })), anything(json!({ "canary": 2 }))), ["~anything"]);
    // Names that the schema declares are no secret.
    let spec = |key: &str| json!({ "spec": { "<secret>": { "key": key, "zone": key } } });
    assert_eq!(changes(spec("a"), spec("b")), ["~spec.key", "~~spec.zone"]);
}

#[test]
fn assets_are_compared_by_hash() {
    let package = cloud();
    let old: Object = [("source", Value::from(Asset::elided(Asset::hash_of(b"x"))))].into();
    let same: Object = [("source", Value::from(Asset::text("x")))].into();
    let other: Object = [("source", Value::from(Asset::text("y")))].into();
    let none = Object::new();
    let against = |new: &Object| {
        let comparison = Comparison {
            resource: server(&package),
            old_inputs: Some(&old),
            old_state: &none,
            new_inputs: new,
            ignore_changes: &[],
            generated: &[],
        };
        told(&diff(&package, &comparison))
    };
    assert_eq!(against(&same), [""; 0]);
    assert_eq!(against(&other), ["~source"]);
}

#[test]
fn a_resource_is_the_same_by_reference_id_or_urn() {
    let package = cloud();
    let reference =
        |id: Option<ReferenceId>| Value::from(Reference { urn: "urn:n".into(), id, package_version: String::new() });
    let known = || reference(Some(ReferenceId::new("id")));
    for (old, new, expected) in [
        (known(), known(), ""),
        ("id".into(), known(), ""),
        (known(), "id".into(), ""),
        ("urn:n".into(), reference(None), ""),
        ("other".into(), known(), "~network"),
        (known(), reference(Some(ReferenceId::Unknown)), "~network"),
        ("urn:n".into(), reference(Some(ReferenceId::Unknown)), "~network"),
    ] {
        let (old, new, none): (Object, Object, _) =
            ([("network", old)].into(), [("network", new)].into(), Object::new());
        let comparison = Comparison {
            resource: server(&package),
            old_inputs: Some(&old),
            old_state: &none,
            new_inputs: &new,
            ignore_changes: &[],
            generated: &[],
        };
        assert_eq!(told(&diff(&package, &comparison)).join(" "), expected, "{old:?} {new:?}");
    }
}

#[test]
fn what_is_not_known_may_change() {
    for (old, new, expected) in [
        (json!({ "ratio": 1 }), json!({ "ratio": "<unknown>" }), "~ratio"),
        (json!({}), json!({ "ratio": "<unknown>" }), "+ratio"),
        (json!({ "tags": { "a": "1", "b": "2" } }), json!({ "tags": { "a": "<unknown>", "b": "2" } }), "~tags.a"),
        (json!({ "anything": [1, [2]] }), json!({ "anything": [1, ["<unknown>"]] }), "~anything[1][0]"),
        (json!({ "name": "n" }), json!({ "name": "<unknown>" }), "~~name"),
        (json!({ "spec": { "zone": "z" } }), json!({ "spec": { "<secret>": { "zone": "<unknown>" } } }), "~~spec.zone"),
        // What replaces may be anywhere in a value that isn't known as a whole.
        (json!({ "spec": { "weight": 1 } }), json!({ "spec": "<unknown>" }), "~~spec"),
        (
            json!({ "spec": { "children": [{}] } }),
            json!({ "spec": { "children": ["<unknown>"] } }),
            "~~spec.children[0]",
        ),
        (json!({ "rules": [{ "port": 1 }] }), json!({ "rules": "<unknown>" }), "~rules"),
    ] {
        assert_eq!(changes(old.clone(), new.clone()).join(" "), expected, "{old} {new}");
    }
}

#[test]
fn a_property_replaces_with_all_that_is_below_it() {
    for (old, new, expected) in [
        (json!({ "name": "a" }), json!({ "name": "b" }), "~~name"),
        (
            json!({ "spec": { "zone": "a", "weight": 1 } }),
            json!({ "spec": { "zone": "b", "weight": 2 } }),
            "~spec.weight ~~spec.zone",
        ),
        (json!({ "spec": {} }), json!({ "spec": { "child": { "zone": "a" } } }), "++spec.child"),
        (json!({ "spec": { "child": { "zone": "a" } } }), json!({ "spec": { "child": {} } }), "--spec.child.zone"),
        (json!({}), json!({ "spec": { "weight": 1 } }), "+spec"),
        (
            json!({ "spec": { "children": [{ "weight": 1 }] } }),
            json!({ "spec": { "children": [{ "weight": 1 }, { "zone": "z" }] } }),
            "++spec.children[1]",
        ),
    ] {
        assert_eq!(changes(old.clone(), new.clone()).join(" "), expected, "{old} {new}");
    }
    let package = random();
    let told = |new: Json| {
        told(&compare(&package, password(&package), json!({ "length": 1, "keepers": { "a": "1" } }), json!({}), new))
    };
    assert_eq!(told(json!({ "length": 1, "keepers": { "a": "2", "b": "1" } })), ["~~keepers.a", "++keepers.b"]);
}

#[test]
fn without_update_every_change_replaces() {
    let mut package = cloud();
    let facts = ResourceFacts { methods: Methods { update: false, ..Methods::default() }, ..ResourceFacts::default() };
    package.resource_mut("cloud:index:Server").unwrap().facts = facts;
    let difference =
        compare(&package, server(&package), json!({ "ratio": 1 }), json!({}), json!({ "ratio": 2, "tags": {} }));
    assert_eq!(told(&difference), ["~~ratio", "++tags"]);
}

/// A stack that a native provider wrote has defaults in its inputs, and one that Bulkhead wrote has not: neither may be
/// replaced because of it.
#[test]
fn unset_and_default_are_no_difference() {
    let package = random();
    let state = json!({ "length": 8, "minLower": 0, "special": true, "result": "x", "bcryptHash": "y" });
    let against = |old: Json, new: Json| told(&compare(&package, password(&package), old, state.clone(), new));
    let (bare, full) = (json!({ "length": 8 }), json!({ "length": 8, "minLower": 0, "special": true }));
    assert_eq!(against(bare.clone(), full.clone()), [""; 0]);
    assert_eq!(against(full.clone(), bare.clone()), [""; 0]);
    assert_eq!(against(full.clone(), full.clone()), [""; 0]);
    assert_eq!(against(bare.clone(), json!({ "length": 8, "special": false })), ["++special"]);
    let plain = json!({ "length": 8, "special": false });
    let removed = compare(&package, password(&package), plain.clone(), plain, bare.clone());
    assert_eq!(told(&removed), ["--special"]);
    assert_eq!(against(bare, json!({ "length": 8, "special": "<unknown>" })), ["++special"]);
}

#[test]
fn what_the_state_has_already_is_no_difference() {
    let package = cloud();
    let compare = |old: Json, state: Json, new: Json| told(&compare(&package, server(&package), old, state, new));
    // An input that the provider filled in, now spelt out.
    assert_eq!(compare(json!({}), json!({ "ratio": 2 }), json!({ "ratio": 2 })), [""; 0]);
    assert_eq!(compare(json!({}), json!({ "ratio": 2 }), json!({ "ratio": 3 })), ["+ratio"]);
    // The state knows better than a default that came later.
    assert_eq!(compare(json!({}), json!({ "region": "us" }), json!({ "region": "eu" })), ["+region"]);
    assert_eq!(compare(json!({}), json!({}), json!({ "region": "eu" })), [""; 0]);
    // Members that only the provider fills in don't count.
    let state = json!({ "spec": { "zone": "z", "serial": "1" } });
    assert_eq!(compare(json!({}), state.clone(), json!({ "spec": { "zone": "z" } })), [""; 0]);
    assert_eq!(compare(json!({}), state.clone(), json!({ "spec": { "zone": "y" } })), ["++spec"]);
    assert_eq!(compare(json!({ "spec": {} }), state, json!({ "spec": { "zone": "z" } })), [""; 0]);
    // Nor can a map have more than what is given.
    assert_eq!(
        compare(json!({}), json!({ "tags": { "a": "1", "b": "2" } }), json!({ "tags": { "a": "1" } })),
        ["+tags"]
    );
    // What isn't echoed says nothing.
    assert_eq!(compare(json!({}), json!({ "password": "p" }), json!({ "password": "p" })), ["+password"]);
    assert_eq!(compare(json!({}), json!({ "writeOnly": "p" }), json!({ "writeOnly": "p" })), ["+writeOnly"]);
    // A server's own spelling of what was given is none of the input's business.
    assert_eq!(compare(json!({ "ratio": 1 }), json!({ "ratio": 1.0001 }), json!({ "ratio": 1 })), [""; 0]);
}

#[test]
fn a_removed_property_is_compared_with_its_default() {
    let package = cloud();
    let compare = |old: Json, state: Json| told(&compare(&package, server(&package), old, state, json!({})));
    assert_eq!(compare(json!({ "region": "eu" }), json!({ "region": "eu" })), [""; 0]);
    assert_eq!(compare(json!({ "region": "us" }), json!({ "region": "us" })), ["-region"]);
    assert_eq!(compare(json!({ "region": "EU" }), json!({ "region": "eu" })), [""; 0]);
    assert_eq!(compare(json!({ "size": "small", "replicas": 2 }), json!({})), ["-replicas"]);
    let nested = |old: Json, new: Json| changes(json!({ "rules": [old] }), json!({ "rules": [new] }));
    assert_eq!(nested(json!({ "port": 1 }), json!({ "port": 1, "protocol": "tcp" })), [""; 0]);
    assert_eq!(nested(json!({ "port": 1, "protocol": "udp" }), json!({ "port": 1 })), ["-rules[0].protocol"]);
}

#[test]
fn a_promise_of_nothing_is_a_default_too() {
    let fact = json!({ "type": "string", "language": { "bulkhead": { "outputDefault": null } } });
    let package = one(json!({ "p": fact }), json!({ "p": fact }), json!({}));
    let compare = |old: Json, new: Json| told(&compare(&package, resource(&package), old, json!({}), new));
    assert_eq!(compare(json!({ "p": "x" }), json!({})), ["-p"]);
    assert_eq!(compare(json!({}), json!({ "p": "x" })), ["+p"]);
}

#[test]
fn keys_that_belong_to_others_are_not_compared() {
    for (old, new) in [
        (json!({ "id": 1, "__defaults": ["a"] }), json!({ "id": 2, "__meta": "x" })),
        (json!({ "rules": [{ "port": 1, "__defaults": [] }] }), json!({ "rules": [{ "port": 1, "id": "x" }] })),
        (json!({ "tags": { "__defaults": [] } }), json!({ "tags": {} })),
        (json!({ "anything": { "__defaults": [] } }), json!({ "anything": {} })),
    ] {
        assert_eq!(changes(old.clone(), new.clone()), [""; 0], "{old} {new}");
    }
    // Keys of maps are data.
    assert_eq!(changes(json!({ "tags": { "id": "1" } }), json!({ "tags": { "id": "2" } })), ["~tags.id"]);
}

#[test]
fn old_keys_that_the_schema_does_not_know_are_tolerated() {
    assert_eq!(
        changes(json!({ "gone": 1, "rules": [{ "port": 1, "gone": 2 }] }), json!({ "rules": [{ "port": 1 }] })),
        [""; 0]
    );
    assert_eq!(changes(json!({ "odd": 1 }), json!({ "odd": 2, "odder": 1 })), ["~odd", "+odder"]);
}

#[test]
fn ignored_changes_are_none() {
    let package = cloud();
    let old = object(
        json!({ "ratio": 1, "tags": { "a": "1", "b": "1" }, "rules": [{ "port": 1 }, { "port": 2, "note": "x" }] }),
    );
    let new = object(
        json!({ "ratio": 2, "tags": { "a": "2", "b": "2" }, "rules": [{ "port": 3 }, { "port": 4, "note": "y" }] }),
    );
    let none = Object::new();
    for (ignored, expected) in [
        (vec!["ratio", "tags", "rules"], ""),
        (vec!["tags.a", "rules[*].port"], "~ratio ~rules[1].note ~tags.b"),
        (vec!["tags[*]", "rules[1]"], "~ratio ~rules[0].port"),
        (vec!["[\"tags\"][\"b\"]"], "~ratio ~rules[0].port ~rules[1].note ~rules[1].port ~tags.a"),
        (vec!["rat"], "~ratio ~rules[0].port ~rules[1].note ~rules[1].port ~tags.a ~tags.b"),
    ] {
        let ignore_changes = paths(&ignored);
        let comparison = Comparison {
            resource: server(&package),
            old_inputs: Some(&old),
            old_state: &none,
            new_inputs: &new,
            ignore_changes: &ignore_changes,
            generated: &[],
        };
        assert_eq!(told(&diff(&package, &comparison)).join(" "), expected, "{ignored:?}");
    }
}

#[test]
fn an_ignored_change_replaces_nothing() {
    let package = cloud();
    let (old, new, none) = (object(json!({ "name": "a" })), object(json!({ "name": "b" })), Object::new());
    let ignore_changes = paths(&["name"]);
    let comparison = Comparison {
        resource: server(&package),
        old_inputs: Some(&old),
        old_state: &none,
        new_inputs: &new,
        ignore_changes: &ignore_changes,
        generated: &[],
    };
    assert_eq!(diff(&package, &comparison), Difference { stable: vec!["name".into()], ..Difference::default() });
}

/// A resource with a name of its own can't exist twice.
#[test]
fn a_given_name_that_stays_deletes_before_it_replaces() {
    let package = cloud();
    let none = Object::new();
    let generated = paths(&["name"]);
    let zone = |name: &str, zone: &str| object(json!({ "name": name, "spec": { "zone": zone } }));
    for (old, new, generated, expected) in [
        (zone("a", "1"), zone("a", "2"), [].as_slice(), true),
        (zone("a", "1"), zone("a", "2"), &generated, false),
        (zone("a", "1"), zone("b", "2"), &[], false),
        (zone("a", "1"), zone("a", "1"), &[], false),
    ] {
        let comparison = Comparison {
            resource: server(&package),
            old_inputs: Some(&old),
            old_state: &none,
            new_inputs: &new,
            ignore_changes: &[],
            generated,
        };
        assert_eq!(diff(&package, &comparison).delete_before_replace, expected, "{old:?} {new:?}");
    }
}

#[test]
fn the_manifest_may_ask_to_delete_first() {
    let mut package = cloud();
    package.resource_mut("cloud:index:Server").unwrap().facts.delete_before_replace = true;
    let compare = |new: Json| compare(&package, server(&package), json!({ "ratio": 1 }), json!({}), new);
    assert!(compare(json!({ "ratio": 1, "spec": { "zone": "z" } })).delete_before_replace);
    assert!(!compare(json!({ "ratio": 2 })).delete_before_replace, "nothing is replaced");
}

#[test]
fn what_an_update_leaves_alone_is_stable() {
    let package = cloud();
    let state = json!({ "arn": "arn:1", "ratio": 1, "endpoint": "e", "password": "hash" });
    let old = json!({ "ratio": 1, "public": true, "password": "p", "writeOnly": "w" });
    let update = compare(
        &package,
        server(&package),
        old.clone(),
        state.clone(),
        json!({ "ratio": 2, "public": true, "password": "p", "writeOnly": "w" }),
    );
    assert_eq!(
        (told(&update), update.stable),
        (vec!["~ratio".to_owned()], vec!["arn".into(), "public".into(), "writeOnly".into()])
    );
    let replacement = compare(&package, server(&package), old, state, json!({ "ratio": 1, "name": "n" }));
    assert!(replacement.replaces() && replacement.stable.is_empty());
}

#[test]
fn old_values_are_inputs_where_there_are_old_inputs() {
    let package = cloud();
    let (state, new) = (object(json!({ "ratio": 1, "endpoint": "e" })), object(json!({ "ratio": 2 })));
    let against = |old_inputs: Option<&Object>| {
        let comparison = Comparison {
            resource: server(&package),
            old_inputs,
            old_state: &state,
            new_inputs: &new,
            ignore_changes: &[],
            generated: &[],
        };
        diff(&package, &comparison).changes
    };
    let change = |input_diff| Change {
        path: PropertyPath::field("ratio"),
        kind: ChangeKind::Updated,
        replaces: false,
        input_diff,
    };
    assert_eq!(against(Some(&object(json!({ "ratio": 1 })))), [change(true)]);
    assert_eq!(against(None), [change(false)]);
}

/// An old engine keeps no inputs, and the state has more than what was given.
#[test]
fn without_old_inputs_the_state_stands_in() {
    let package = cloud();
    let against = |state: Json, new: Json| {
        let (state, new) = (object(state), object(new));
        let comparison = Comparison {
            resource: server(&package),
            old_inputs: None,
            old_state: &state,
            new_inputs: &new,
            ignore_changes: &[],
            generated: &[],
        };
        told(&diff(&package, &comparison)).join(" ")
    };
    for (state, new, expected) in [
        (json!({ "ratio": 1, "arn": "a" }), json!({ "ratio": 1 }), ""),
        (json!({ "ratio": 1 }), json!({ "ratio": 2 }), "~ratio"),
        // The provider may have filled it in.
        (json!({ "ratio": 1, "spec": { "zone": "z", "serial": "1" } }), json!({ "spec": {} }), ""),
        (json!({ "spec": { "zone": "z", "serial": "1" } }), json!({ "spec": { "zone": "y" } }), "~~spec.zone"),
        (json!({ "tags": { "a": "1" } }), json!({ "tags": { "a": "1", "b": "2" } }), "+tags.b"),
        (json!({ "tags": { "a": "1", "b": "2" } }), json!({ "tags": { "a": "1" } }), "-tags.b"),
        (json!({ "region": "us" }), json!({}), "-region"),
        (json!({ "region": "eu" }), json!({}), ""),
        (json!({}), json!({ "ratio": 1 }), "+ratio"),
        // What isn't echoed can't be compared, and a difference in each run would be worse than none.
        (json!({}), json!({ "writeOnly": "w" }), ""),
        (json!({ "password": "hash" }), json!({ "password": "p" }), ""),
        (
            json!({ "rules": [{ "port": 1, "protocol": "tcp" }] }),
            json!({ "rules": [{ "port": 1 }, { "port": 2 }] }),
            "+rules[1]",
        ),
    ] {
        assert_eq!(against(state.clone(), new.clone()), expected, "{state} {new}");
    }
}

#[test]
fn configuration_is_compared_as_what_it_means() {
    let package = parsed(&json!({
        "name": "c",
        "provider": { "inputProperties": {
            "region": { "type": "string", "willReplaceOnChanges": true },
            "retries": { "type": "integer" },
            "hosts": { "type": "array", "items": { "type": "string" } },
            "token": { "type": "string", "secret": true },
        } },
    }));
    let changes = |old: Json, new: Json| {
        let difference = diff_configuration(&package, &object(old), &object(new), &[]);
        assert!(difference.changes.iter().all(|change| change.input_diff));
        told(&difference).join(" ")
    };
    for (old, new, expected) in [
        (json!({ "retries": "3" }), json!({ "retries": 3 }), ""),
        (json!({ "hosts": "[\"a\"]" }), json!({ "hosts": { "<secret>": ["a"] } }), ""),
        (json!({ "hosts": "[\"a\"]" }), json!({ "hosts": "[\"a\",\"b\"]" }), "+hosts[1]"),
        (json!({ "version": "1.0.0", "__internal": {} }), json!({ "version": "2.0.0" }), ""),
        (json!({ "region": "eu", "token": "a" }), json!({ "region": "us", "token": "b" }), "~~region ~token"),
    ] {
        assert_eq!(changes(old.clone(), new.clone()), expected, "{old} {new}");
    }
    let ignored = diff_configuration(
        &package,
        &object(json!({ "region": "a" })),
        &object(json!({ "region": "b" })),
        &paths(&["region"]),
    );
    assert_eq!(ignored, Difference::default());
}

#[test]
fn a_set_of_any_shape_is_compared_as_it_stands() {
    let map = json!({ "type": "object", "additionalProperties": { "$ref": "pulumi.json#/Any" } });
    assert_eq!(changes_of(map, json!({ "a": { "b": 1 } }), json!({ "a": { "b": 2 } })), ["~p.a.b"]);
    let list = json!({ "type": "array", "items": { "type": "array", "items": { "type": "integer" } } });
    assert_eq!(changes_of(list, json!([[1], [2]]), json!([[1, 5], []])), ["+p[0][1]", "-p[1][0]"]);
}

#[test]
fn deep_values_are_compared_on_any_stack() {
    on_a_small_stack(|| {
        let package = cloud();
        let deep = |weight: i32| -> Object {
            let deep = nested(1000, "child", value(json!({ "weight": weight, "zone": "z" })));
            [("spec", deep.clone()), ("anything", deep)].into()
        };
        let (old, new, none) = (deep(1), deep(2), Object::new());
        let compare = |old: &Object, new: &Object| {
            let comparison = Comparison {
                resource: server(&package),
                old_inputs: Some(old),
                old_state: &none,
                new_inputs: new,
                ignore_changes: &[],
                generated: &[],
            };
            diff(&package, &comparison)
        };
        assert_eq!(compare(&old, &old).changes, []);
        assert_eq!(compare(&old, &new).changes.len(), 2);
        assert_eq!(compare(&Object::new(), &new).changes.len(), 2);
    });
}

proptest! {
    #[test]
    fn nothing_differs_from_itself(inputs in like_known_inputs()) {
        let package = cloud();
        let request = CheckRequest { seed: Some(&[0; 32]), ..CheckRequest::of(&server(&package).inputs, &inputs) };
        let checked = check(&package, request).inputs;
        let comparison = Comparison {
            resource: server(&package),
            old_inputs: Some(&checked),
            old_state: &checked,
            new_inputs: &checked,
            ignore_changes: &[],
            generated: &[],
        };
        prop_assert_eq!(diff(&package, &comparison).changes, []);
    }

    #[test]
    fn changes_are_told_once_and_both_ways(
        old in like_inputs(),
        new in like_inputs(),
    ) {
        let package = cloud();
        let none = Object::new();
        let compare = |old: &Object, new: &Object| {
            let comparison = Comparison {
                resource: server(&package),
                old_inputs: Some(old),
                old_state: &none,
                new_inputs: new,
                ignore_changes: &[],
                generated: &[],
            };
            diff(&package, &comparison)
        };
        let forth = compare(&old, &new);
        let paths: BTreeSet<String> = forth.changes.iter().map(|change| change.path.to_string()).collect();
        prop_assert_eq!(paths.len(), forth.changes.len());
        prop_assert_eq!(&forth, &compare(&old, &new));
        for change in &forth.changes {
            let others = forth.changes.iter().filter(|other| other.path != change.path);
            prop_assert!(others.into_iter().all(|other| !change.path.contains(&other.path)), "{:?}", forth);
            prop_assert!(!change.replaces || forth.replaces());
        }
        prop_assert!(forth.replaces() || !forth.delete_before_replace);
    }
}
