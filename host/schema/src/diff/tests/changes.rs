//! What counts as a change.

use super::*;

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
        (json!({ "anything": {} }), json!({ "anything": { "a": null } }), ""),
        (json!({ "anything": { "a": null } }), json!({ "anything": { "a": 1 } }), "+anything.a"),
        (json!({ "anything": { "a": [1] } }), json!({ "anything": { "a": null } }), "-anything.a"),
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

/// An engine reads each path of a difference, and fails the deployment over one that it can't read.
#[test]
fn an_engine_can_read_every_path() {
    for (key, expected) in [
        (r"C:\temp\", r"+tags.C:\temp\"),
        (r"\", r"+tags.\"),
        ("", r#"+tags[""]"#),
        (r#"\""#, r#"+tags["\\""]"#),
        (r"a.b\c", r#"+tags["a.b\c"]"#),
        // There is no way to write these: the change is told of the map.
        (r"a.b\", "~tags"),
        (r"a[0]\", "~tags"),
    ] {
        assert_eq!(changes(json!({ "tags": {} }), json!({ "tags": { key: "1" } })), [expected]);
    }
    let tags = |value: &str| json!({ "tags": { "a": value, r"x.y\": value, r"x.z\": value } });
    assert_eq!(changes(tags("1"), tags("2")), ["~tags"]);
    let inside = |value: u32| json!({ "anything": { "a": [{ r"x.y\": { "deep": value } }] } });
    assert_eq!(changes(inside(1), inside(2)), ["~anything.a[0]"]);
}

#[test]
fn a_path_shows_no_name_inside_a_secret() {
    let secret = |inner: Json| json!({ "tags": { "<secret>": inner } });
    let (old, new) = (secret(json!({ "canary": "1" })), secret(json!({ "canary": "2", "canary-two": "1" })));
    assert_eq!(changes(old.clone(), new), ["~tags"]);
    assert_eq!(changes(old, json!({ "tags": { "canary": "1" } })), [""; 0]);
    let anything = |inner: Json| json!({ "anything": { "<secret>": inner } });
    assert_eq!(changes(anything(json!({ "canary": 1 })), anything(json!({ "canary": 2 }))), ["~anything"]);
    // Several changes are told as one, and a new name as a change.
    let spec = |inner: Json| json!({ "spec": { "<secret>": inner } });
    assert_eq!(changes(spec(json!({})), spec(json!({ "canary": 1, "canary-two": 2 }))), ["~spec"]);
    let rules =
        |port: u32| json!({ "anything": [{ "<secret>": { "canary": port } }, { "<secret>": { "canary": port } }] });
    assert_eq!(changes(rules(1), rules(2)), ["~anything[0]", "~anything[1]"]);
    // Beside a secret, names are shown again.
    let beside = |key: &str| json!({ "rules": { "<secret>": [] }, "tags": { "a": key } });
    assert_eq!(changes(beside("1"), beside("2")), ["~tags.a"]);
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
        let comparison = Comparison::of(server(&package), Some(&old), &none, new);
        told(&diff(&package, &comparison))
    };
    assert_eq!(against(&same), [""; 0]);
    assert_eq!(against(&other), ["~source"]);
}

/// The changes between inputs, where there is a state, too.
fn between(package: &Package, resource: &Resource, [old, state, new]: [&Object; 3]) -> String {
    let comparison = Comparison::of(resource, Some(old), state, new);
    told(&diff(package, &comparison)).join(" ")
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
        assert_eq!(between(&package, server(&package), [&old, &none, &new]), expected, "{old:?} {new:?}");
    }
}

/// The schema of another package isn't at hand, but that it is a resource can be read.
#[test]
fn a_resource_of_another_package_is_the_same_by_its_id_too() {
    let foreign = json!({ "$ref": "/other/v1.0.0/schema.json#/resources/other:index:R" });
    let list = json!({ "type": "array", "items": foreign });
    let package = one(json!({ "p": foreign, "list": list }), json!({ "p": { "type": "string" } }), json!({}));
    let reference = |id: &str| {
        Value::from(Reference { urn: "urn:n".into(), id: Some(ReferenceId::new(id)), package_version: String::new() })
    };
    let p = |value: Value| -> Object { [("p", value)].into() };
    let list = |value: Value| -> Object { [("list", Value::from(vec![value]))].into() };
    for (old, state, new, expected) in [
        (p("id".into()), Object::new(), p(reference("id")), ""),
        (list(reference("id")), Object::new(), list("id".into()), ""),
        (list(reference("id")), Object::new(), list("other".into()), "~list[0]"),
        (Object::new(), p("id".into()), p(reference("id")), ""),
        (Object::new(), p("id".into()), p(reference("other")), "+p"),
    ] {
        let found = between(&package, resource(&package), [&old, &state, &new]);
        assert_eq!(found, expected, "{old:?} {state:?} {new:?}");
    }
}

/// Providers take the id of a resource or the resource itself, and return the id: whoever imports one has the id on record.
#[test]
fn a_resource_is_the_same_where_its_id_may_be_given_too() {
    let either =
        json!({ "oneOf": [{ "type": "string" }, { "$ref": "#/resources/t:index:R" }], "replaceOnChanges": true });
    let package =
        one(json!({ "p": either, "q": { "type": "string" } }), json!({ "p": { "type": "string" } }), json!({}));
    let reference = |urn: &str, id: &str| {
        Value::from(Reference { urn: urn.into(), id: Some(ReferenceId::new(id)), package_version: String::new() })
    };
    let given = |name: &str, value: Value| -> Object { [(name, value)].into() };
    let (none, id) = (Object::new(), Value::from("id"));
    for (old, state, new, expected) in [
        (given("p", id.clone()), &none, given("p", reference("urn:n", "id")), ""),
        (given("p", reference("urn:n", "id")), &none, given("p", id.clone()), ""),
        (given("p", "urn:n".into()), &none, given("p", reference("urn:n", "id")), ""),
        (given("p", id.clone()), &none, given("p", reference("urn:n", "other")), "~~p"),
        (given("p", id.clone()), &none, given("p", "other".into()), "~~p"),
        // As it is on record.
        (none.clone(), &given("p", id.clone()), given("p", reference("urn:n", "id")), ""),
        (none.clone(), &given("p", id.clone()), given("p", reference("urn:n", "other")), "++p"),
        // Where nothing but text is wanted, a resource is something else.
        (given("q", id.clone()), &none, given("q", reference("urn:n", "id")), "~q"),
    ] {
        let found = between(&package, resource(&package), [&old, state, &new]);
        assert_eq!(found, expected, "{old:?} {state:?} {new:?}");
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
        (json!({}), json!({ "spec": { "children": [{ "weight": 1 }, "<unknown>"] } }), "++spec"),
        (json!({}), json!({ "rules": ["<unknown>"] }), "+rules"),
        // Nor what wasn't.
        (json!({ "spec": "<unknown>" }), json!({ "spec": {} }), "~~spec"),
    ] {
        assert_eq!(changes(old.clone(), new.clone()).join(" "), expected, "{old} {new}");
    }
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
    // What a schema declares is its own, whatever the name.
    let types = json!({ "t:index:Link": { "properties": { "id": { "type": "string" } } } });
    let package = one(json!({ "p": { "$ref": "#/types/t:index:Link" } }), json!({}), types);
    let link = |id: &str| json!({ "p": { "id": id } });
    assert_eq!(told(&compare(&package, resource(&package), link("1"), json!({}), link("2"))), ["~p.id"]);
    // Keys of maps are data.
    assert_eq!(changes(json!({ "tags": { "id": "1" } }), json!({ "tags": { "id": "2" } })), ["~tags.id"]);
}

/// Whatever takes the place of what is below them, nobody knows which of it was which.
#[test]
fn lists_and_maps_of_another_type_replace_where_any_element_does() {
    let types = json!({ "t:index:O": { "properties": { "zone": { "type": "string", "replaceOnChanges": true } } } });
    let (object, string) = (json!({ "$ref": "#/types/t:index:O" }), json!({ "type": "string" }));
    let list = |of: &Json| json!({ "type": "array", "items": of });
    let map = |of: &Json| json!({ "type": "object", "additionalProperties": of });
    for (variants, old, new, expected) in [
        (json!([list(&string), list(&object)]), json!(["a"]), json!([{ "zone": "a" }]), "~~p[0]"),
        (json!([map(&string), map(&object)]), json!({ "a": "a" }), json!({ "b": { "zone": "a" } }), "--p.a ++p.b"),
        (json!([list(&string), list(&object)]), json!([{}]), json!([{}, { "zone": "a" }]), "++p[1]"),
        (json!([list(&string), list(&object)]), json!(["a"]), json!(["a", "b"]), "+p[1]"),
    ] {
        let package = one(json!({ "p": { "oneOf": variants } }), json!({}), types.clone());
        let compared = compare(&package, resource(&package), json!({ "p": old }), json!({}), json!({ "p": new }));
        assert_eq!(told(&compared).join(" "), expected, "{variants} {old} {new}");
    }
}

/// They look like notes beside the members that an object type has, but only to that.
#[test]
fn keys_of_what_may_be_a_map_are_compared_whatever_they_are_called() {
    let types = json!({
        "t:index:O": { "properties": { "a": { "type": "string", "default": "d" } } },
        "t:index:Named": { "properties": { "a": { "type": "string" }, "id": { "type": "string", "replaceOnChanges": true } } },
    });
    let (object, named) = (json!({ "$ref": "#/types/t:index:O" }), json!({ "$ref": "#/types/t:index:Named" }));
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let list = |of: &Json| json!({ "type": "array", "items": of });
    let nested = json!({ "oneOf": [{ "oneOf": [object, { "type": "string" }] }, map] });
    for (variants, old, new, expected) in [
        (json!([object, map]), json!({ "a": "1", "id": "x" }), json!({ "a": "1", "id": "y" }), "~p.id"),
        (json!([object, map]), json!({ "__x": "x" }), json!({ "__x": "y" }), "~p.__x"),
        (json!([object, map]), json!({ "a": "1" }), json!({ "a": "1", "id": "y" }), "+p.id"),
        (json!([object, map]), json!({ "id": "x" }), json!({ "a": "d", "id": "x" }), "+p.a"),
        (json!([object, map]), json!({ "__defaults": ["a"] }), json!({ "a": "d", "__defaults": [] }), ""),
        (json!([list(&object), list(&map)]), json!([{ "id": "x" }]), json!([{ "id": "y" }]), "~p[0].id"),
        (json!([nested, { "type": "string" }]), json!({ "id": "x" }), json!({ "id": "y" }), "~p.id"),
        (json!([object, named]), json!({ "a": "1", "id": "x" }), json!({ "a": "1", "id": "y" }), "~~p.id"),
        // A number is no member of the map: it belongs to others.
        (json!([object, map]), json!({ "a": "1", "id": 1 }), json!({ "a": "1", "id": 2 }), ""),
    ] {
        let package = one(json!({ "p": { "oneOf": variants } }), json!({}), types.clone());
        let compared = compare(&package, resource(&package), json!({ "p": old }), json!({}), json!({ "p": new }));
        assert_eq!(told(&compared).join(" "), expected, "{variants} {old} {new}");
    }
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
fn a_set_of_any_shape_is_compared_as_it_stands() {
    let map = json!({ "type": "object", "additionalProperties": { "$ref": "pulumi.json#/Any" } });
    assert_eq!(changes_of(map, json!({ "a": { "b": 1 } }), json!({ "a": { "b": 2 } })), ["~p.a.b"]);
    let list = json!({ "type": "array", "items": { "type": "array", "items": { "type": "integer" } } });
    assert_eq!(changes_of(list, json!([[1], [2]]), json!([[1, 5], []])), ["+p[0][1]", "-p[1][0]"]);
}

#[test]
fn configuration_is_compared_as_what_it_means() {
    let package = parsed(&json!({
        "name": "c",
        "provider": { "inputProperties": {
            "region": { "type": "string", "willReplaceOnChanges": true },
            "account": { "$ref": "#/types/c:index:Account" },
            "retries": { "type": "integer" },
            "hosts": { "type": "array", "items": { "type": "string" } },
            "token": { "type": "string", "secret": true },
            "keys": { "type": "object", "additionalProperties": { "type": "string" }, "secret": true },
        } },
        "types": { "c:index:Account": { "type": "object", "properties": {
            "id": { "type": "string", "willReplaceOnChanges": true },
            "name": { "type": "string" },
        } } },
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
        (json!({ "region": "eu" }), json!({}), "--region"),
        // What wasn't there may be new in a later version of the provider: no reason to replace all that it made.
        (json!({}), json!({ "region": "eu" }), "+region"),
        (json!({}), json!({ "region": "<unknown>", "account": { "id": "a" } }), "+account +region"),
        (json!({ "account": { "name": "n" } }), json!({ "account": { "name": "n", "id": "a" } }), "+account.id"),
        (json!({ "account": { "id": "a" } }), json!({ "account": { "id": "b" } }), "~~account.id"),
        (json!({ "keys": { "a": "1", "b": "2" } }), json!({ "keys": { "a": "3" } }), "~keys"),
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
    let variables = json!({ "version": { "type": "string", "willReplaceOnChanges": true } });
    let package = parsed(&json!({ "name": "c", "config": { "variables": variables } }));
    let [old, new] = ["1.0.0", "2.0.0"].map(|version| object(json!({ "version": version })));
    assert_eq!(diff_configuration(&package, &old, &new, &[]), Difference::default(), "engines put their own there");
}
