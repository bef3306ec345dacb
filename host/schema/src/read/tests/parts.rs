//! What is drift where what is on record lacks what has to be there, and where it would replace to take it back.

use super::{
    drift::{filled, given, properties, to_do, with},
    *,
};
use crate::{Methods, ResourceFacts};

/// A service that always has an address, and a label, which may be given. Another tier replaces it, and so does anything if it can't be updated.
fn service(update: bool) -> Package {
    let string = || json!({ "type": "string" });
    let (inputs, types) = properties();
    let inputs = with(inputs, json!({ "label": string(), "tier": string(), "note": string() }));
    let mut outputs = with(inputs.clone(), json!({ "address": string() }));
    outputs["tier"]["replaceOnChanges"] = true.into();
    let mut package = parsed(&json!({ "name": "t", "types": types, "resources": { "t:index:R": {
        "inputProperties": inputs, "properties": outputs, "required": ["address", "label"],
    } } }));
    package.resource_mut("t:index:R").unwrap().facts =
        ResourceFacts { methods: Methods { update, ..Methods::default() }, ..ResourceFacts::default() };
    package
}

/// All that has to be there, and more.
fn whole(more: Json) -> Json {
    with(json!({ "address": "x", "label": "auto" }), more)
}

/// Or it stays for ever: once the record is as it is, nothing says it again.
#[test]
fn what_a_failed_update_reached_shows_also_where_it_has_to_be_there() {
    let package = service(true);
    for (reached, given, recorded, expected, changes) in [
        (&["label"][..], json!({}), whole(json!({ "label": "b" })), json!({ "label": "b" }), "-label"),
        (
            &["label", "tags"],
            json!({ "tags": { "a": "1" } }),
            whole(json!({ "label": "b", "tags": { "a": "1", "b": "2" } })),
            json!({ "label": "b", "tags": { "a": "1", "b": "2" } }),
            "-label -tags.b",
        ),
        // What the update left is a part itself.
        (&["note"], json!({}), json!({ "label": "auto", "note": "n" }), json!({ "note": "n" }), "-note"),
        (
            &["tags"],
            json!({ "tags": { "a": "1" } }),
            json!({ "tags": { "a": "1", "b": "2" } }),
            json!({ "tags": { "a": "1", "b": "2" } }),
            "-tags.b",
        ),
        // The rest of that says nothing.
        (&["tags"], json!({}), json!({ "note": "n" }), json!({}), ""),
    ] {
        let (program, new) = (object(given), object(with(whole(json!({})), recorded.clone())));
        let reached = reached.iter().map(|name| (*name).to_owned()).collect();
        let shown = shown_after_reaching(&package, resource(&package), &program, &object(recorded), &new, &reached);
        assert_eq!(shown, object(expected), "{program:?} {new:?}");
        assert_eq!(to_do(&package, &shown, &new, &program), changes, "{program:?} {new:?}");
    }
}
