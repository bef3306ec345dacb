//! Outputs whose type isn't that of the input.

use super::*;

/// As generated schemas have it: a string where an enum or one of several types is given. What was given decides.
#[test]
fn scalars_come_back_in_another_type_that_they_are_of_too() {
    let one_of = |variants: Json| json!({ "oneOf": variants });
    let list = |of: &Json| json!({ "type": "array", "items": of });
    let map = |of: &Json| json!({ "type": "object", "additionalProperties": of });
    let [integer, number] = ["integer", "number"].map(|ty| json!({ "type": ty }));
    let kind = json!({ "$ref": "#/types/t:index:Kind" });
    let relaxed = one_of(json!([string(), kind]));
    let document = one_of(json!([string(), { "$ref": "#/types/t:index:Args" }]));
    for (input, output, given, comes_back) in [
        (&kind, &string(), json!("a"), true),
        (&kind, &string(), json!({ "<secret>": "a" }), true),
        (&relaxed, &string(), json!("a"), true),
        (&relaxed, &string(), json!("else"), true),
        (&relaxed, &kind, json!("a"), true),
        (&relaxed, &kind, json!("else"), false),
        (&string(), &kind, json!("b"), true),
        (&string(), &kind, json!("else"), false),
        (&integer, &number, json!(3), true),
        (&number, &integer, json!(3), true),
        (&number, &integer, json!(3.5), false),
        (&one_of(json!([integer, string()])), &string(), json!("3"), true),
        (&one_of(json!([integer, string()])), &string(), json!(3), false),
        (&document, &string(), json!("{}"), true),
        (&document, &string(), json!({ "name": "n" }), false),
        (&list(&relaxed), &list(&string()), json!(["a", "else"]), true),
        (&list(&relaxed), &list(&kind), json!(["a", "else"]), false),
        (&list(&map(&integer)), &list(&map(&number)), json!([{ "x": 3, "y": null }, null, {}]), true),
        // Nothing of one type says what it is in the other.
        (&list(&string()), &list(&integer), json!([]), false),
        (&list(&string()), &map(&string()), json!([]), false),
        (&string(), &json!({ "$ref": "pulumi.json#/Any" }), json!("a"), false),
        (&json!({ "$ref": "pulumi.json#/Any" }), &string(), json!("a"), false),
    ] {
        let expected = if comes_back { given.clone() } else { json!("<unknown>") };
        let (found, told) = one_property(Some(input.clone()), output.clone(), Some(given.clone()), None);
        assert_eq!(found, value(expected), "{input} {output} {given}");
        assert_eq!(told.contains("Unknown"), !comes_back, "{input} {output} {told}");
    }
    let (found, told) = one_property(Some(list(&relaxed)), list(&string()), Some(json!(["a", "<unknown>"])), None);
    assert_eq!((found, told.as_str()), (value(json!(["a", "<unknown>"])), "p[0] Given|p[1] Unknown"));
    // What doesn't come back is what it was, where an update never changes it.
    let mut stable = kind;
    stable["language"] = json!({ "bulkhead": { "stable": true } });
    let kept = one_property(Some(string()), stable, Some(json!("else")), Some(json!("b")));
    assert_eq!(kept, ("b".into(), "p Stable".to_owned()));
}

/// Which of them it comes back as, is only told by what says which one it is.
#[test]
fn an_object_comes_back_as_the_response_that_its_discriminator_names() {
    let variant = |kind: &str, more: Json| {
        let mut properties = json!({ "kind": { "type": "string", "const": kind }, "name": string() });
        properties.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "properties": properties, "required": ["kind"] })
    };
    let types = json!({
        "t:index:A": variant("a", json!({})), "t:index:B": variant("b", json!({ "hidden": string() })),
        "t:index:AResponse": variant("a", json!({ "serial": string() })),
        "t:index:BResponse": variant("b", json!({ "state": string() })),
    });
    let union = |suffix: &str, mapped: bool| {
        let [a, b] = ["A", "B"].map(|name| format!("#/types/t:index:{name}{suffix}"));
        let mut union = json!({ "oneOf": [{ "$ref": a }, { "$ref": b }] });
        if mapped {
            union["discriminator"] = json!({ "propertyName": "kind", "mapping": { "a": a, "b": b } });
        }
        json!({ "type": "array", "items": union })
    };
    let given = json!([{ "kind": "b", "name": "n", "hidden": "h" }, { "kind": "a", "name": "n" }]);
    let unknown = "<unknown>";
    let expected =
        json!([{ "kind": "b", "name": "n", "state": unknown }, { "kind": "a", "name": "n", "serial": unknown }]);
    for (mapped, expected) in [(true, expected), (false, json!(unknown))] {
        let package = one(json!({ "p": union("", true) }), json!({ "p": union("Response", mapped) }), types.clone());
        let preview = preview_create(&package, resource(&package), &object(json!({ "p": given })));
        assert_eq!(preview.state["p"], value(expected), "mapped: {mapped}");
    }
}
