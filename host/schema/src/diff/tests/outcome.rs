//! What a change means for the resource.

use super::*;

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
        (json!({}), json!({ "spec": { "weight": 1, "zone": null } }), "+spec"),
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

/// Which properties there will be isn't known before the discriminator is.
#[test]
fn a_variant_that_is_not_known_may_replace() {
    let variant = |member: &str, facts: Json| {
        let mut property = facts;
        property["type"] = json!("string");
        json!({ "properties": { "kind": { "type": "string" }, member: property } })
    };
    let union = json!({
        "oneOf": [{ "$ref": "#/types/t:index:A" }, { "$ref": "#/types/t:index:B" }],
        "discriminator": { "propertyName": "kind", "mapping": { "a": "#/types/t:index:A", "b": "#/types/t:index:B" } },
    });
    for (facts, expected) in
        [(json!({ "replaceOnChanges": true }), ["++p", "~~p.kind"]), (json!({}), ["+p", "~p.kind"])]
    {
        let types = json!({ "t:index:A": variant("a", facts), "t:index:B": variant("b", json!({})) });
        let package = one(json!({ "p": union }), json!({}), types);
        let new = json!({ "p": { "kind": "<unknown>" } });
        for (old, expected) in [json!({}), json!({ "p": { "kind": "b" } })].into_iter().zip(expected) {
            assert_eq!(told(&compare(&package, resource(&package), old, json!({}), new.clone())), [expected]);
        }
        let known = json!({ "p": { "kind": "b", "b": "x" } });
        assert_eq!(
            told(&compare(&package, resource(&package), json!({}), json!({}), known)),
            ["+p"],
            "nothing of b replaces"
        );
    }
}

/// Constants decide where no discriminator is declared.
#[test]
fn a_variant_that_constants_will_tell_may_replace() {
    let variant = |kind: &str, facts: Json| {
        let mut size = facts;
        size["type"] = json!("integer");
        json!({ "properties": { "kind": { "type": "string", "const": kind }, "size": size } })
    };
    let union = json!({ "oneOf": [{ "$ref": "#/types/t:index:A" }, { "$ref": "#/types/t:index:B" }] });
    for (facts, expected) in [(json!({ "replaceOnChanges": true }), "++p"), (json!({}), "+p")] {
        let types = json!({ "t:index:A": variant("a", json!({})), "t:index:B": variant("b", facts) });
        let package = one(json!({ "p": union }), json!({}), types);
        let changes = |kind: &str| {
            let new = json!({ "p": { "kind": kind, "size": 1 } });
            told(&compare(&package, resource(&package), json!({}), json!({}), new))
        };
        assert_eq!(changes("<unknown>"), [expected]);
        assert_eq!(changes("a"), ["+p"], "nothing of a replaces");
    }
}

/// Where nothing but its members tells a variant, an optional one more is no other thing.
#[test]
fn a_member_that_makes_another_variant_replaces_if_it_says_so() {
    let integer = || json!({ "type": "integer" });
    let replacing = |ty: &str| json!({ "type": ty, "replaceOnChanges": true });
    let inner = || json!({ "$ref": "#/types/t:index:Inner" });
    let of = |properties: Json, required: &[&str]| json!({ "properties": properties, "required": required });
    let types = json!({
        "t:index:Inner": { "properties": { "zone": replacing("string"), "size": integer() } },
        "t:index:A": of(json!({ "x": integer(), "z": replacing("integer"), "in": inner() }), &[]),
        "t:index:B": of(json!({ "x": integer(), "z": replacing("integer"), "in": inner(), "w": integer() }), &[]),
        "t:index:St": of(json!({ "v": { "type": "string" }, "z": replacing("string") }), &[]),
        "t:index:Nu": of(json!({ "v": integer(), "z": replacing("string") }), &[]),
        "t:index:C": of(json!({ "kind": { "type": "string", "const": "c" }, "z": replacing("integer") }), &["kind"]),
        "t:index:D": of(json!({ "kind": { "type": "string", "const": "d" }, "z": replacing("integer") }), &["kind"]),
    });
    let union =
        |names: [&str; 2]| json!({ "oneOf": names.map(|name| json!({ "$ref": format!("#/types/t:index:{name}") })) });
    let (ab, numbers, constants) = (union(["A", "B"]), union(["St", "Nu"]), union(["C", "D"]));
    let list = json!({ "type": "array", "items": ab });
    for (ty, old, new, expected) in [
        (&ab, json!({ "x": 1, "z": 1 }), json!({ "x": 1, "z": 1, "w": 2 }), "+p.w"),
        (&ab, json!({ "x": 1, "z": 1, "w": 1 }), json!({ "x": 1, "z": 1 }), "-p.w"),
        (&ab, json!({ "x": 1, "z": 1 }), json!({ "x": 2, "z": 2, "w": 2 }), "+p.w ~p.x ~~p.z"),
        (&ab, json!({ "x": 1 }), json!({ "x": 1, "z": 1, "w": 2 }), "+p.w ++p.z"),
        // Below a member as well.
        (
            &ab,
            json!({ "in": { "zone": "a", "size": 1 } }),
            json!({ "in": { "zone": "a", "size": 2 }, "w": 1 }),
            "~p.in.size +p.w",
        ),
        (&ab, json!({ "in": { "zone": "a" } }), json!({ "in": { "zone": "b" }, "w": 1 }), "~~p.in.zone +p.w"),
        (&ab, json!({ "in": { "zone": "a" }, "w": 1 }), json!({ "x": 1 }), "--p.in -p.w +p.x"),
        (&list, json!([{ "x": 1, "z": 1 }]), json!([{ "x": 1, "z": 1, "w": 2 }]), "+p[0].w"),
        // A preview says what comes of it.
        (&numbers, json!({ "v": "1", "z": "1" }), json!({ "v": "<unknown>", "z": "1" }), "~p.v"),
        (&numbers, json!({ "v": "1", "z": "1" }), json!({ "v": 2, "z": "1" }), "~p.v"),
        (&numbers, json!({ "v": "1", "z": "1" }), json!({ "v": "<unknown>", "z": "2" }), "~p.v ~~p.z"),
        // What constants say is another thing.
        (&constants, json!({ "kind": "c", "z": 1 }), json!({ "kind": "d", "z": 1 }), "~~p.kind"),
    ] {
        let package = one(json!({ "p": ty }), json!({}), types.clone());
        let compared = compare(&package, resource(&package), json!({ "p": old }), json!({}), json!({ "p": new }));
        assert_eq!(told(&compared).join(" "), expected, "{ty} {old} {new}");
    }
}

#[test]
fn the_output_of_the_same_name_may_say_that_a_change_replaces() {
    let plain = || json!({ "type": "integer" });
    let replacing = |member: &str| json!({ "type": "integer", member: true });
    for (input, output, expected) in [
        (plain(), plain(), "~p"),
        (replacing("replaceOnChanges"), plain(), "~~p"),
        (plain(), replacing("replaceOnChanges"), "~~p"),
        (plain(), replacing("willReplaceOnChanges"), "~~p"),
    ] {
        let package = one(json!({ "p": input }), json!({ "p": output }), json!({}));
        let difference = compare(&package, resource(&package), json!({ "p": 1 }), json!({}), json!({ "p": 2 }));
        assert_eq!(told(&difference), [expected]);
    }
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

/// As an engine has it: what is ignored keeps its old value, and an element that comes or goes has none.
#[test]
fn elements_that_come_or_go_are_ignored_with_their_list_alone() {
    let package = cloud();
    let (one, two) = (json!({ "rules": [{ "port": 1 }] }), json!({ "rules": [{ "port": 3 }, { "port": 2 }] }));
    for (old, new, expected) in [(&one, &two, "+rules[1]"), (&two, &one, "-rules[1]")] {
        for (ignored, expected) in [
            (vec!["rules[*]"], expected.to_owned()),
            (vec!["rules[0]", "rules[1]"], expected.to_owned()),
            (vec!["rules[1]"], format!("~rules[0].port {expected}")),
            (vec!["rules"], String::new()),
        ] {
            let comparison = Comparison {
                resource: server(&package),
                old_inputs: Some(&object(old.clone())),
                old_state: &Object::new(),
                new_inputs: &object(new.clone()),
                ignore_changes: &paths(&ignored),
                generated: &[],
            };
            assert_eq!(told(&diff(&package, &comparison)).join(" "), expected, "{ignored:?}");
        }
    }
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
        // A program may have it replaced all the same.
        (zone("a", "1"), zone("a", "1"), &[], true),
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
    assert!(compare(json!({ "ratio": 2 })).delete_before_replace, "a program may have it replace");
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

    let string = || json!({ "type": "string" });
    let fact = || json!({ "type": "string", "language": { "bulkhead": { "notEchoed": true } } });
    let kind = |value: &str| json!({ "$ref": format!("#/types/t:index:{value}") });
    for (input, output, stable) in [
        (string(), string(), true),
        (fact(), string(), false),
        (string(), fact(), false),
        (string(), json!({ "type": "number" }), false),
        (json!({ "oneOf": [string(), kind("a")] }), string(), true),
        (string(), kind("a"), true),
        (string(), kind("b"), false),
    ] {
        let types = json!({
            "t:index:a": { "type": "string", "enum": [{ "value": "a" }] },
            "t:index:b": { "type": "string", "enum": [{ "value": "b" }] },
        });
        let package = one(json!({ "p": input, "q": string() }), json!({ "p": output }), types);
        let (old, new) = (json!({ "p": "a", "q": "a" }), json!({ "p": "a", "q": "b" }));
        let found = compare(&package, resource(&package), old, json!({ "p": "a" }), new).stable;
        assert_eq!(found.contains(&"p".to_owned()), stable, "{input} {output}");
    }
}

#[test]
fn old_values_are_inputs_where_there_are_old_inputs() {
    let package = cloud();
    let (state, new) = (object(json!({ "ratio": 1, "endpoint": "e" })), object(json!({ "ratio": 2 })));
    let against = |old_inputs: Option<&Object>| {
        let comparison = Comparison::of(server(&package), old_inputs, &state, &new);
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
