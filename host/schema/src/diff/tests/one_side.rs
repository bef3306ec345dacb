//! Properties on one side only.

use super::*;

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
    let given = json!({ "spec": { "zone": "z", "id": "x", "__meta": "y" } });
    assert_eq!(compare(json!({}), json!({ "spec": { "zone": "z" } }), given), [""; 0], "nor what belongs to others");
    // Nor what is given as it is anyway.
    let rules = |rule: Json| json!({ "rules": [rule] });
    let spelt_out = || rules(json!({ "port": 1, "protocol": "tcp" }));
    assert_eq!(compare(json!({}), rules(json!({ "port": 1 })), spelt_out()), [""; 0]);
    assert_eq!(compare(json!({}), rules(json!({ "port": 1, "protocol": null })), spelt_out()), [""; 0]);
    assert_eq!(compare(json!({}), rules(json!({ "port": 1, "protocol": "udp" })), spelt_out()), ["+rules"]);
    let udp = || rules(json!({ "port": 1, "protocol": "udp" }));
    assert_eq!(compare(json!({}), rules(json!({ "port": 1 })), udp()), ["+rules"]);
    let tags = |tags: Json| json!({ "tags": tags });
    let one_tag = || tags(json!({ "a": "1" }));
    assert_eq!(compare(json!({}), one_tag(), one_tag()), [""; 0]);
    assert_eq!(compare(json!({}), tags(json!({ "a": "2" })), one_tag()), ["+tags"]);
    // Nor can a map have more than what is given.
    assert_eq!(
        compare(json!({}), json!({ "tags": { "a": "1", "b": "2" } }), json!({ "tags": { "a": "1" } })),
        ["+tags"]
    );
    let rules =
        |ports: &[u32]| json!({ "rules": ports.iter().map(|port| json!({ "port": port })).collect::<Vec<_>>() });
    let lists = |on_record: &[u32], given: &[u32]| compare(json!({}), rules(on_record), rules(given));
    assert_eq!(lists(&[1, 2], &[1, 2]), [""; 0]);
    assert_eq!(lists(&[1, 2], &[1, 3]), ["+rules"]);
    assert_eq!(lists(&[1], &[1, 2]), ["+rules"]);
    assert_eq!(lists(&[1, 2], &[1]), ["+rules"]);
    assert_eq!(compare(json!({}), json!({ "tags": { "a": "1" } }), json!({ "tags": { "b": "1" } })), ["+tags"]);
    // Null on record is nothing.
    assert_eq!(compare(json!({}), json!({ "region": null }), json!({ "region": "eu" })), [""; 0]);
    assert_eq!(compare(json!({}), json!({ "region": null }), json!({ "region": "us" })), ["+region"]);
    assert_eq!(compare(json!({ "region": "us" }), json!({ "region": null }), json!({})), ["-region"]);
    // What isn't echoed says nothing.
    assert_eq!(compare(json!({}), json!({ "password": "p" }), json!({ "password": "p" })), ["+password"]);
    assert_eq!(compare(json!({}), json!({ "writeOnly": "p" }), json!({ "writeOnly": "p" })), ["+writeOnly"]);
    // Where the provider has more elements than were given, they can't be told to be the same.
    let state = json!({ "rules": [{ "port": 1, "protocol": "udp" }, { "port": 2, "protocol": "udp" }] });
    let (old, new) = (json!({ "rules": [{ "port": 1 }] }), json!({ "rules": [{ "port": 1, "protocol": "udp" }] }));
    assert_eq!(compare(old.clone(), state, new.clone()), ["+rules[0].protocol"]);
    let state = json!({ "rules": [{ "port": 1, "protocol": "udp" }] });
    assert_eq!(compare(old, state, new), [""; 0]);
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

/// An old engine keeps no inputs, and the state has more than what was given.
/// The same as nothing is the same on every side: what was given before, what is given now, what is recorded.
#[test]
fn empty_is_no_different_from_absent_where_a_property_says_so() {
    let of_strings = |kind: &str| json!({ "type": kind, "items": { "type": "string" } });
    let map = json!({ "type": "object" });
    for (ty, empty, full, first) in [
        (json!({ "type": "string" }), json!(""), json!("a"), "~p"),
        (of_strings("array"), json!([]), json!(["a"]), "+p[0]"),
        (map.clone(), json!({}), json!({ "a": "b" }), "+p.a"),
        (map.clone(), json!({ "a": null, "b": null }), json!({ "a": "b" }), "+p.a"),
        (map.clone(), json!({ "a": { "<secret>": null }, "__defaults": [] }), json!({ "a": "b" }), "+p.a"),
        (json!({ "$ref": "#/types/t:index:O" }), json!({}), json!({ "a": "b" }), "+p.a"),
        (json!({ "$ref": "#/types/t:index:O" }), json!({ "a": null }), json!({ "a": "b" }), "+p.a"),
        (json!({ "oneOf": [{ "type": "string" }, map] }), json!({}), json!({ "a": "b" }), "+p.a"),
    ] {
        let said = |says: bool| {
            let mut property = ty.clone();
            property["language"] = json!({ "bulkhead": { "emptyIsAbsent": says } });
            let types = json!({ "t:index:O": { "properties": { "a": { "type": "string" } } } });
            one(json!({ "p": property }), json!({ "p": property }), types)
        };
        let (loose, strict) = (said(true), said(false));
        let changes = |package: &Package, old: &Json, state: &Json, new: &Json| {
            told(&compare(package, resource(package), old.clone(), state.clone(), new.clone()))
        };
        let (nothing, empty, full) = (json!({}), json!({ "p": empty }), json!({ "p": full }));
        let secret = json!({ "p": { "<secret>": empty["p"] } });
        for same in [&nothing, &empty, &secret, &json!({ "p": null })] {
            for state in [&nothing, &empty, &full] {
                assert_eq!(changes(&loose, same, state, &empty), [""; 0], "{ty} {same} {state}");
                assert_eq!(changes(&loose, &empty, state, same), [""; 0], "{ty} {same} {state}");
                assert_eq!(changes(&loose, same, state, &secret), [""; 0], "{ty} {same} {state}");
            }
        }
        assert_eq!(changes(&strict, &nothing, &nothing, &empty), ["+p"], "{ty}");
        assert_eq!(changes(&strict, &empty, &empty, &nothing), ["-p"], "{ty}");
        // What is full differs from what is empty as ever.
        assert_eq!(changes(&loose, &nothing, &nothing, &full), ["+p"], "{ty}");
        assert_eq!(changes(&loose, &full, &full, &nothing), ["-p"], "{ty}");
        assert_eq!(changes(&loose, &empty, &empty, &full), [first], "{ty}");
        // Nobody knows whether what isn't known is empty.
        assert_eq!(changes(&loose, &nothing, &nothing, &json!({ "p": "<unknown>" })), ["+p"], "{ty}");
    }
}

/// Generated schemas have a string where an enum is given, and other objects for what comes back.
#[test]
fn what_is_recorded_in_another_type_counts_as_well() {
    let mode = json!({ "$ref": "#/types/t:index:Mode" });
    let either = json!({ "oneOf": [{ "type": "string" }, mode] });
    let union = |suffix: &str| {
        let of = |name: &str| json!({ "$ref": format!("#/types/t:index:{name}{suffix}") });
        json!({ "oneOf": [of("A"), of("B")] })
    };
    let variant = |name: &str| json!({ "properties": { name: { "type": "string" } }, "required": [name] });
    let types = json!({
        "t:index:Mode": { "type": "string", "enum": [{ "value": "on" }, { "value": "off" }] },
        "t:index:A": variant("a"), "t:index:B": variant("b"), "t:index:AOut": variant("a"), "t:index:BOut": variant("b"),
    });
    let foreign = json!({ "$ref": "/other/v1.0.0/schema.json#/types/other:index:T" });
    for (input, output, one_value, other) in [
        (mode.clone(), json!({ "type": "string" }), json!("on"), json!("off")),
        (either.clone(), json!({ "type": "string" }), json!("on"), json!("x")),
        (json!({ "type": "string" }), mode, json!("on"), json!("off")),
        (json!({ "type": "integer" }), json!({ "type": "number" }), json!(1), json!(2)),
        (json!({ "type": "string" }), json!({ "$ref": "pulumi.json#/Any" }), json!("a"), json!("b")),
        (foreign.clone(), json!({ "type": "string" }), json!("a"), json!("b")),
        (union(""), foreign, json!({ "a": "1" }), json!({ "b": "1" })),
        (union(""), union("Out"), json!({ "a": "1" }), json!({ "b": "1" })),
    ] {
        let package = one(json!({ "p": input }), json!({ "p": output }), types.clone());
        let against = |old: Option<&Json>, state: &Json, new: &Json| {
            let with = |value: &Json| object(json!({ "p": value }));
            let old = old.map(with);
            let (state, new) = (with(state), with(new));
            diff(&package, &Comparison::of(resource(&package), old.as_ref(), &state, &new)).changes.len()
        };
        // Not given before, and now as it is.
        assert_eq!(against(Some(&json!(null)), &one_value, &one_value), 0, "{input}");
        assert_eq!(against(Some(&json!(null)), &other, &one_value), 1, "{input}");
        // Nobody knows what was given before.
        assert_eq!(against(None, &one_value, &one_value), 0, "{input}");
        assert!(against(None, &other, &one_value) > 0, "{input}");
    }
    // What may be anything says nothing of an input that is of another type.
    let any = json!({ "$ref": "pulumi.json#/Any" });
    let package = one(json!({ "p": { "type": "string" } }), json!({ "p": any }), types);
    let (none, other, null) = (Object::new(), object(json!({ "p": 1 })), object(json!({ "p": null })));
    let new = object(json!({ "p": "1" }));
    for (old_inputs, state, expected) in [(None, &other, 0), (Some(&none), &other, 1), (None, &null, 1)] {
        let comparison = Comparison::of(resource(&package), old_inputs, state, &new);
        assert_eq!(diff(&package, &comparison).changes.len(), expected, "{state:?}");
    }
}

#[test]
fn what_is_not_echoed_is_compared_with_no_state() {
    let string = || json!({ "type": "string" });
    let fact = json!({ "type": "string", "language": { "bulkhead": { "notEchoed": true } } });
    for (input, output) in [(fact.clone(), string()), (string(), fact)] {
        let package = one(json!({ "p": input }), json!({ "p": output }), json!({}));
        let both = || json!({ "p": "x" });
        assert_eq!(told(&compare(&package, resource(&package), json!({}), both(), both())), ["+p"]);
    }
}

#[test]
fn without_old_inputs_the_state_stands_in() {
    let package = cloud();
    let against = |state: Json, new: Json| {
        let (state, new) = (object(state), object(new));
        let comparison = Comparison::of(server(&package), None, &state, &new);
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
            json!({ "rules": [{ "port": 1, "protocol": "tcp" }, { "port": 2 }] }),
            json!({ "rules": [{ "port": 3 }] }),
            "~rules[0].port -rules[1]",
        ),
        (
            json!({ "rules": [{ "port": 1, "protocol": "tcp" }] }),
            json!({ "rules": [{ "port": 1 }, { "port": 2 }] }),
            "+rules[1]",
        ),
    ] {
        assert_eq!(against(state.clone(), new.clone()), expected, "{state} {new}");
    }
}

/// As long as a program says what it said when a newer version checked it.
#[test]
fn what_was_filled_in_in_a_state_is_not_taken_out_where_it_stands_in_for_newer_inputs() {
    let string = || json!({ "type": "string" });
    let map = |of: Json| json!({ "type": "object", "additionalProperties": of });
    let list = |of: Json| json!({ "type": "array", "items": of });
    let mut replacing = map(string());
    replacing["replaceOnChanges"] = true.into();
    let of = || json!({ "$ref": "#/types/t:index:O" });
    let types = json!({ "t:index:O": { "properties": { "tags": map(string()) } } });
    let properties = json!({ "tags": replacing, "object": of(), "objects": list(of()), "maps": map(map(string())), "list": list(string()) });
    let package = one(properties.clone(), properties, types);
    let (a, filled) = (json!({ "a": "1" }), json!({ "a": "1", "rev": "7" }));
    let tags = |tags: &Json| json!({ "tags": tags });
    for (name, state, newer, new, expected) in [
        ("tags", filled.clone(), a.clone(), a.clone(), ""),
        ("tags", filled.clone(), a.clone(), json!({ "a": "2" }), "~~tags.a"),
        ("tags", json!({ "<secret>": filled }), a.clone(), a.clone(), ""),
        ("object", tags(&filled), tags(&a), tags(&a), ""),
        ("objects", json!([tags(&filled)]), json!([tags(&a)]), json!([tags(&a)]), ""),
        ("maps", json!({ "k": filled, "l": a }), json!({ "k": a }), json!({ "k": a }), ""),
        ("list", json!(["x", "y"]), json!(["X"]), json!(["x"]), ""),
        ("objects", json!([tags(&filled), tags(&a)]), json!([tags(&a)]), json!([tags(&a)]), ""),
        // It was given, or the newer version said it otherwise.
        ("tags", filled.clone(), filled.clone(), a.clone(), "--tags.rev"),
        ("tags", filled.clone(), json!({ "A": "1", "REV": "7" }), a.clone(), "--tags.rev"),
        ("tags", filled.clone(), json!("a=1"), a.clone(), "--tags.rev"),
        ("tags", filled.clone(), json!(null), a.clone(), "--tags.rev"),
        ("list", json!(["x", "y"]), json!(["x", "y"]), json!(["x"]), "-list[1]"),
        ("list", json!(["x", "y"]), json!(["x"]), json!(["x", "y"]), ""),
    ] {
        let side = |value: &Json| object(json!({ name: value }));
        let (state, newer, new) = (side(&state), side(&newer), side(&new));
        let given = as_given(&package, resource(&package), &state, [&newer, &new]);
        let told = told(&diff(&package, &Comparison::of(resource(&package), None, &given, &new))).join(" ");
        assert_eq!(told, expected, "{name}: {state:?} {newer:?} {new:?}");
    }
}

#[test]
fn without_old_inputs_the_state_stands_in_below_another_variant_too() {
    let string = || json!({ "type": "string" });
    let variant = |own: &str| {
        let mut properties = json!({ "in": { "$ref": "#/types/t:index:In" } });
        properties[own] = json!({ "type": "string", "replaceOnChanges": true });
        json!({ "properties": properties, "required": [own] })
    };
    let types = json!({
        "t:index:In": { "properties": { "zone": string() } }, "t:index:A": variant("a"), "t:index:B": variant("b"),
    });
    let either = json!({ "oneOf": [{ "$ref": "#/types/t:index:A" }, { "$ref": "#/types/t:index:B" }] });
    let package = one(json!({ "p": either }), json!({ "p": either }), types);
    let state = object(json!({ "p": { "a": "1", "in": { "zone": "x" } } }));
    for (zone, expected) in [("x", "--p.a ++p.b"), ("y", "--p.a ++p.b ~p.in.zone")] {
        let new = object(json!({ "p": { "b": "1", "in": { "zone": zone } } }));
        let told = told(&diff(&package, &Comparison::of(resource(&package), None, &state, &new))).join(" ");
        assert_eq!(told, expected);
    }
}

/// Providers and schemas make secrets of what was given in clear, and programs of what is on record in clear.
#[test]
fn a_secret_on_record_says_what_it_hides() {
    let package = cloud();
    let compare = |old: Json, state: Json, new: Json| told(&compare(&package, server(&package), old, state, new));
    let secret = |inner: Json| json!({ "<secret>": inner });
    let (clear, hidden) = (json!({ "ratio": 2 }), json!({ "ratio": secret(json!(2)) }));
    assert_eq!(compare(json!({}), hidden.clone(), clear.clone()), [""; 0]);
    assert_eq!(compare(json!({}), clear, hidden.clone()), [""; 0]);
    assert_eq!(compare(json!({}), hidden, json!({ "ratio": 3 })), ["+ratio"]);
    assert_eq!(compare(json!({}), json!({ "region": secret(json!(null)) }), json!({ "region": "eu" })), [""; 0]);
    // Inside of objects, lists and maps, and as a whole.
    let rule = |protocol: Json| json!({ "port": 1, "protocol": protocol });
    let (udp, given) = (rule(json!("udp")), json!({ "rules": [{ "port": 1 }] }));
    for state in [
        json!({ "rules": secret(json!([udp])) }),
        json!({ "rules": [secret(udp.clone())] }),
        json!({ "rules": [rule(secret(json!("udp")))] }),
    ] {
        let spelt_out = || json!({ "rules": [udp] });
        assert_eq!(compare(given.clone(), state.clone(), spelt_out()), [""; 0], "{state}");
        assert_eq!(compare(json!({}), state.clone(), spelt_out()), [""; 0], "{state}");
        assert_eq!(compare(json!({}), spelt_out(), state.clone()), [""; 0], "{state}");
    }
    let nulls = json!({ "spec": { "weight": secret(json!(null)) } });
    assert_eq!(compare(json!({}), json!({ "spec": {} }), nulls), [""; 0], "nor is a null anything");
    let nothing = json!({ "rules": [rule(secret(json!(null)))] });
    assert_eq!(compare(json!({}), nothing, json!({ "rules": [rule(json!("tcp"))] })), [""; 0]);
}

#[test]
fn what_the_state_has_in_a_map_is_no_difference() {
    let types = json!({ "t:index:Rule": { "properties": {
        "port": { "type": "integer" }, "protocol": { "type": "string", "default": "tcp" },
    } } });
    let map = json!({ "type": "object", "additionalProperties": { "$ref": "#/types/t:index:Rule" } });
    let package = one(json!({ "p": map }), json!({ "p": map }), types);
    let compare = |old: Json, state: Json, new: Json| {
        let of = |p: Json| if p.is_null() { json!({}) } else { json!({ "p": p }) };
        told(&compare(&package, resource(&package), of(old), of(state), of(new)))
    };
    let (bare, udp) = (json!({ "a": { "port": 1 } }), json!({ "a": { "port": 1, "protocol": "udp" } }));
    let tcp = json!({ "a": { "port": 1, "protocol": "tcp" } });
    assert_eq!(compare(json!(null), bare.clone(), tcp), [""; 0], "it is as it is by default");
    assert_eq!(compare(json!(null), udp.clone(), bare.clone()), [""; 0], "the provider filled it in");
    assert_eq!(compare(json!(null), bare.clone(), udp.clone()), ["+p"]);
    assert_eq!(compare(bare.clone(), udp.clone(), udp.clone()), [""; 0]);
    assert_eq!(compare(bare, json!({ "b": { "port": 1, "protocol": "udp" } }), udp), ["+p.a.protocol"]);
}
