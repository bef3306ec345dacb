//! What the wire form of every kind means, and what isn't one.

use bulkhead_value::{
    Archive, ArchiveSource, Asset, AssetSource, Bounds, Object, Output, Reference, ReferenceId, Value,
    signature::{ARCHIVE, ASSET, BYTES, KEY, OUTPUT, REFERENCE, SECRET, UNKNOWN},
    wire::{DecodeError, decode},
};
use prost::Message;
use serde_json::{Value as Json, json};

use crate::structs::{bytes, field, member, proto, varint};

fn value(json: &Json) -> Result<Value, DecodeError> {
    decode::value(&proto(json).encode_to_vec(), &Bounds::default())
}

fn properties(bytes: &[u8]) -> Result<Object, DecodeError> {
    decode::properties(bytes, &Bounds::default())
}

#[test]
fn every_kind_is_recognised() {
    let reference = |id| Value::from(Reference { urn: "u".into(), id, package_version: "1.2.3".into() });
    let asset = |hash: Option<&str>, source| Value::from(Asset { hash: hash.map(Into::into), source });
    let archive = |hash: Option<&str>, source| Value::from(Archive { hash: hash.map(Into::into), source });
    let no_members = || ArchiveSource::Members(Object::new());
    for (json, expected) in [
        (json!(null), Value::Null),
        (json!(true), true.into()),
        (json!(1.5), 1.5.into()),
        (json!("é\u{0}🦀"), "é\u{0}🦀".into()),
        (json!([null, []]), vec![Value::Null, Value::from(vec![])].into()),
        (json!({ "a": {}, "": 1 }), Object::from([("a", Object::new().into()), ("", Value::from(1))]).into()),
        (json!({ "value": 1, "hash": "x" }), Object::from([("value", Value::from(1)), ("hash", "x".into())]).into()),
        // Secrets.
        (json!({ KEY: SECRET, "value": null }), Value::Null.secret()),
        (json!({ KEY: SECRET, "value": UNKNOWN }), Value::Unknown.secret()),
        (json!({ KEY: SECRET, "value": { KEY: SECRET, "value": 1 } }), Value::from(1).secret()),
        (
            json!({ KEY: SECRET, "value": { "a": { KEY: SECRET, "value": "x" } } }),
            Value::from(Object::from([("a", Value::from("x").secret())])).secret(),
        ),
        // Outputs.
        (json!({ KEY: OUTPUT }), Output::default().into()),
        (json!({ KEY: OUTPUT, "value": null, "secret": false, "dependencies": [] }), Output::known(Value::Null).into()),
        (
            json!({ KEY: OUTPUT, "value": 1, "secret": true, "dependencies": ["a", "b"] }),
            Output { value: Some(Box::new(1.into())), secret: true, dependencies: vec!["a".into(), "b".into()] }.into(),
        ),
        // References.
        (json!({ KEY: REFERENCE, "urn": "u", "packageVersion": "1.2.3" }), reference(None)),
        (
            json!({ KEY: REFERENCE, "urn": "u", "packageVersion": "1.2.3", "id": "i", "name": "n", "type": "t" }),
            reference(Some(ReferenceId::Known("i".into()))),
        ),
        (
            json!({ KEY: REFERENCE, "urn": "u", "packageVersion": "1.2.3", "id": "" }),
            reference(Some(ReferenceId::Unknown)),
        ),
        (
            json!({ KEY: REFERENCE, "urn": "u", "packageVersion": "1.2.3", "id": UNKNOWN }),
            reference(Some(ReferenceId::Unknown)),
        ),
        (
            json!({ KEY: REFERENCE, "urn": "u", "packageVersion": "1.2.3", "id": { KEY: OUTPUT, "value": "i" } }),
            reference(Some(ReferenceId::Known("i".into()))),
        ),
        (
            json!({ KEY: REFERENCE, "urn": "u", "packageVersion": "1.2.3", "id": { KEY: OUTPUT } }),
            reference(Some(ReferenceId::Unknown)),
        ),
        // Engines leave out what isn't known, and leave this of it.
        (json!({ KEY: SECRET }), Value::Unknown.secret()),
        // Bytes.
        (json!({ KEY: BYTES, "value": "//4=" }), Value::Bytes(vec![0xff, 0xfe])),
        (json!({ KEY: BYTES, "value": "" }), Value::Bytes(vec![])),
        // Assets.
        (json!({ KEY: ASSET, "hash": "ab", "text": "t" }), asset(Some("ab"), AssetSource::Text("t".into()))),
        (json!({ KEY: ASSET, "text": "t" }), asset(None, AssetSource::Text("t".into()))),
        (json!({ KEY: ASSET, "hash": "ab", "path": "./p" }), asset(Some("ab"), AssetSource::Path("./p".into()))),
        (
            json!({ KEY: ASSET, "hash": "ab", "uri": "https://u" }),
            asset(Some("ab"), AssetSource::Uri("https://u".into())),
        ),
        (json!({ KEY: ASSET, "hash": "ab" }), Asset::elided("ab").into()),
        (json!({ KEY: ASSET, "hash": "ab", "text": "", "path": "", "uri": "" }), Asset::elided("ab").into()),
        (json!({ KEY: ASSET, "hash": Asset::EMPTY_HASH }), Asset::text("").into()),
        (json!({ KEY: ASSET, "hash": "", "text": "" }), asset(None, AssetSource::Text(String::new()))),
        (json!({ KEY: ASSET }), asset(None, AssetSource::Text(String::new()))),
        (json!({ KEY: ASSET, "text": "", "path": "./p" }), asset(None, AssetSource::Path("./p".into()))),
        // Archives.
        (json!({ KEY: ARCHIVE, "hash": "ab", "path": "./p" }), archive(Some("ab"), ArchiveSource::Path("./p".into()))),
        (json!({ KEY: ARCHIVE, "uri": "file:///u.zip" }), archive(None, ArchiveSource::Uri("file:///u.zip".into()))),
        (json!({ KEY: ARCHIVE, "hash": "ab" }), Archive::elided("ab").into()),
        (json!({ KEY: ARCHIVE, "hash": "ab", "assets": {} }), Archive::elided("ab").into()),
        (json!({ KEY: ARCHIVE, "hash": Archive::EMPTY_HASH }), archive(Some(Archive::EMPTY_HASH), no_members())),
        (json!({ KEY: ARCHIVE, "assets": {} }), archive(None, no_members())),
        (
            json!({ KEY: ARCHIVE, "assets": { "a": { KEY: ASSET, "text": "t" }, "b": { KEY: ARCHIVE, "hash": "ab" } } }),
            Archive::members([("a", asset(None, AssetSource::Text("t".into()))), ("b", Archive::elided("ab").into())])
                .into(),
        ),
    ] {
        assert_eq!(value(&json).unwrap(), expected, "{json}");
    }
}

#[test]
fn all_seven_sentinels_are_unknown() {
    for sentinel in [
        "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
        "030794c1-ac77-496b-92df-f27374a8bd58",
        "e48ece36-62e2-4504-bad9-02848725956a",
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
    ] {
        assert_eq!(value(&json!(sentinel)).unwrap(), Value::Unknown);
        let shouted = sentinel.to_uppercase();
        assert_eq!(value(&json!(shouted)).unwrap(), shouted.as_str().into());
    }
}

#[test]
fn the_signatures_are_those_of_the_protocol() {
    let signed = |signature: &str, member: &str, held: Json| {
        value(&json!({ "4dabf18193072939515e22adb298388d": signature, member: held })).unwrap()
    };
    assert_eq!(signed("1b47061264138c4ac30d75fd1eb44270", "value", json!(1)), Value::from(1).secret());
    assert_eq!(signed("c44067f5952c0a294b673a41bacd8c17", "hash", json!("ab")), Asset::elided("ab").into());
    assert_eq!(signed("0def7320c3a5731c473e5ecbe6d01bc7", "hash", json!("ab")), Archive::elided("ab").into());
    assert_eq!(signed("d0e6a833031e9bbcd3f4e8bde6ca49a4", "value", json!(1)), Output::known(1).into());
    assert_eq!(signed("803fd3297a5875dc03ca845dda5d2a98", "value", json!("//4=")), Value::Bytes(vec![0xff, 0xfe]));
    let reference = Reference { urn: "u".into(), id: None, package_version: String::new() };
    assert_eq!(signed("5cf8f73096256a8f31e491e813e4eb8e", "urn", json!("u")), reference.into());
}

#[test]
fn numbers_keep_every_bit() {
    for number in
        [-0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1.797e308, 9_007_199_254_740_993_i64 as f64]
    {
        let bytes = [vec![0x11], number.to_le_bytes().to_vec()].concat();
        let decoded = decode::value(&bytes, &Bounds::default()).unwrap().as_number().unwrap();
        assert_eq!(decoded.to_bits(), number.to_bits());
    }
}

#[test]
fn malformed_kinds_are_errors_that_name_the_property() {
    let signature = "the object's signature is of no known kind; hint: `4dabf18193072939515e22adb298388d` can't be a key of a plain object";
    let stray = |found| format!("a member of an archive must be an asset or an archive, this one is {found}");
    for (json, place, problem) in [
        (json!({ KEY: "bogus" }), "p", signature.to_owned()),
        (json!({ KEY: 1 }), "p", signature.to_owned()),
        (json!({ KEY: UNKNOWN }), "p", signature.to_owned()),
        (json!({ KEY: null, "value": 1 }), "p", signature.to_owned()),
        (json!([1, { "x.y": { KEY: "" } }]), r#"p[1]["x.y"]"#, signature.to_owned()),
        (
            json!({ KEY: OUTPUT, "secret": "yes" }),
            "p",
            "in an output, `secret` is a string instead of a boolean".into(),
        ),
        (
            json!({ KEY: OUTPUT, "dependencies": {} }),
            "p",
            "in an output, `dependencies` is an object instead of a list".into(),
        ),
        (
            json!({ KEY: OUTPUT, "dependencies": [1] }),
            "p",
            "in an output, `dependencies` is a number instead of a string".into(),
        ),
        (json!({ KEY: REFERENCE, "id": "i" }), "p", "in a resource reference, `urn` is missing".into()),
        (
            json!({ KEY: REFERENCE, "urn": UNKNOWN }),
            "p",
            "in a resource reference, `urn` is an unknown value instead of a string".into(),
        ),
        (
            json!({ KEY: REFERENCE, "urn": "u", "id": null }),
            "p",
            "in a resource reference, `id` is null instead of a string".into(),
        ),
        (
            json!({ KEY: REFERENCE, "urn": "u", "packageVersion": 1 }),
            "p",
            "in a resource reference, `packageVersion` is a number instead of a string".into(),
        ),
        (json!({ KEY: BYTES }), "p", "in a byte string, `value` is missing".into()),
        (json!({ KEY: BYTES, "value": 1 }), "p", "in a byte string, `value` is a number instead of a string".into()),
        (json!({ KEY: BYTES, "value": "//4" }), "p", "in a byte string, `value` isn't base64".into()),
        (json!({ KEY: ASSET, "text": "t", "path": "p" }), "p", "in an asset, both `text` and `path` are given".into()),
        (json!({ KEY: ASSET, "path": "p", "uri": "u" }), "p", "in an asset, both `path` and `uri` are given".into()),
        (json!({ KEY: ASSET, "text": 1 }), "p", "in an asset, `text` is a number instead of a string".into()),
        (json!({ KEY: ASSET, "hash": {} }), "p", "in an asset, `hash` is an object instead of a string".into()),
        (
            json!({ KEY: ARCHIVE, "assets": { "a": { KEY: ASSET } }, "uri": "u" }),
            "p",
            "in an archive, both `assets` and `uri` are given".into(),
        ),
        (json!({ KEY: ARCHIVE, "assets": [] }), "p", "in an archive, `assets` is a list instead of an object".into()),
        (
            json!({ KEY: ARCHIVE, "assets": { KEY: ASSET } }),
            "p",
            "in an archive, `assets` is an asset instead of an object".into(),
        ),
        (json!({ KEY: ARCHIVE, "assets": { "a/b": 1 } }), r#"p["a/b"]"#, stray("a number")),
        (
            json!({ KEY: ARCHIVE, "assets": { "a": { KEY: ARCHIVE, "assets": { "b": {} } } } }),
            "p.a.b",
            stray("an object"),
        ),
    ] {
        let error = properties(&bytes(&json!({ "p": json }))).unwrap_err();
        assert_eq!(error.to_string(), format!("decode property `{place}`: {problem}"), "{json}");
        assert_eq!(error.path.to_string(), place);
    }
}

#[test]
fn the_properties_as_a_whole_are_a_plain_object() {
    assert_eq!(properties(&[]), Ok(Object::new()));
    let error = |json| properties(&bytes(&json)).unwrap_err().to_string();
    assert_eq!(
        error(json!({ KEY: SECRET, "value": {} })),
        "decode the value: the properties are a secret instead of an object"
    );
    assert!(error(json!({ KEY: "bogus" })).starts_with("decode the value: the object's signature is of no known kind"));
}

#[test]
fn errors_show_nothing_of_a_secret() {
    for json in [
        json!({ KEY: SECRET, "value": { "canary": [{ KEY: "canary" }] } }),
        json!({ KEY: OUTPUT, "secret": true, "value": { "canary": { KEY: ASSET, "text": ["canary"] } } }),
        json!({ KEY: SECRET, "value": { KEY: BYTES, "value": "canary" } }),
        json!({ KEY: "canary", "value": "canary" }),
    ] {
        let error = properties(&bytes(&json!({ "a": [json] }))).unwrap_err();
        assert_eq!(error.path.to_string(), "a[0]");
        assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
    }
}

#[test]
fn a_signature_counts_wherever_it_stands_among_the_members() {
    let text = |name: &str, text: &str| member(name, &field(3, text.as_bytes()));
    for parts in [[text("value", "x"), text(KEY, SECRET)], [text(KEY, SECRET), text("value", "x")]] {
        let secret = member("p", &field(5, &parts.concat()));
        assert_eq!(properties(&secret), Ok(Object::from([("p", Value::from("x").secret())])));
    }
    let last_wins = member("p", &field(5, &[text(KEY, "bogus"), text("value", "x"), text(KEY, SECRET)].concat()));
    assert_eq!(properties(&last_wins), Ok(Object::from([("p", Value::from("x").secret())])));
}

/// VAL-04. Whoever sends an object writes its members as its own maps have them.
#[test]
fn members_are_read_in_any_order_and_elements_in_theirs() {
    let text = |text: &str| field(3, text.as_bytes());
    let list = |elements: [&str; 2]| field(6, &elements.map(|element| field(1, &text(element))).concat());
    let parts = |elements| [member("p", &text("x")), member("q", &list(elements)), member("a", &[0x20, 1])];
    let [p, q, a] = parts(["y", "z"]);
    let expected = properties(&[p.clone(), q.clone(), a.clone()].concat()).unwrap();
    assert_eq!(expected["q"], vec![Value::from("y"), "z".into()].into());
    for order in [[&q, &a, &p], [&a, &p, &q], [&p, &a, &q]] {
        assert_eq!(properties(&order.map(Vec::as_slice).concat()), Ok(expected.clone()));
    }
    let [p, turned, a] = parts(["z", "y"]);
    assert_ne!(properties(&[p, turned, a].concat()), Ok(expected));
}

#[test]
fn of_what_is_given_twice_the_last_counts() {
    let text = |text: &str| field(3, text.as_bytes());
    let twice = [member("p", &text("x")), member("q", &text("z")), member("p", &text("y"))].concat();
    assert_eq!(properties(&twice), Ok(Object::from([("p", "y"), ("q", "z")])));
    let two_kinds = member("p", &[text("x"), vec![0x20, 1]].concat());
    assert_eq!(properties(&two_kinds), Ok(Object::from([("p", true)])));
    let two_keys = field(1, &[field(1, b"p"), field(1, b"q"), field(2, &text("x"))].concat());
    assert_eq!(properties(&two_keys), Ok(Object::from([("q", "x")])));
}

#[test]
fn fields_of_a_later_definition_are_skipped() {
    let later = [field(9, b"later"), vec![0x78, 0x80, 1], vec![0x71; 9], vec![0x7d, 0, 0, 0, 0]].concat();
    let text = [later.clone(), field(3, b"x"), later.clone()].concat();
    let list = [later.clone(), field(1, &text), later.clone()].concat();
    let entry = [later.clone(), field(1, b"p"), later.clone(), field(2, &field(6, &list)), later.clone()].concat();
    let bytes = [later.clone(), field(1, &entry), later].concat();
    assert_eq!(properties(&bytes), Ok(Object::from([("p", Value::from(vec!["x".into()]))])));
}

#[test]
fn a_member_without_a_name_has_the_empty_one() {
    assert_eq!(properties(&field(1, &field(2, &[0x20, 1]))), Ok(Object::from([("", true)])));
}

#[test]
fn broken_bytes_are_errors_that_name_the_property() {
    let cut = "the message is cut short";
    let no_kind = "the value has no kind; hint: null is a kind of its own";
    let wrong_type = "a field has the wrong wire type";
    let number = "a field has an invalid number";
    let long = "an integer in the message is too long";
    let utf8 = "a string isn't UTF-8; hint: such strings are sent as byte strings";
    for (name, value, problem) in [
        ("nothing", vec![], no_kind),
        ("only a field of a later definition", field(9, b"x"), no_kind),
        ("a tag and no more", vec![0x1a], cut),
        ("a length beyond the end", vec![0x1a, 5, b'x'], cut),
        ("a length of nearly 2^64", [vec![0x1a], varint(u64::MAX)].concat(), cut),
        ("half a double", vec![0x11, 0, 0, 0, 0], cut),
        ("half a varint", vec![0x20, 0x80], cut),
        ("a varint of 70 bits", [vec![0x20], vec![0xff; 9], vec![2]].concat(), long),
        ("a varint of eleven bytes", [vec![0x20], vec![0x80; 10], vec![0]].concat(), long),
        ("a tag of more than 32 bits", varint(1 << 32 | 2), number),
        ("field number 0", vec![0x02, 0], number),
        ("a string as a varint", vec![0x18, 1], wrong_type),
        ("a double as bytes", field(2, &[0; 8]), wrong_type),
        ("an object as a double", [vec![0x29], vec![0; 8]].concat(), wrong_type),
        ("a group", vec![0x4b, 0x4c], wrong_type),
        ("wire type 7", vec![0x4f], wrong_type),
        ("Latin-1", field(3, &[b'a', 0xe9]), utf8),
        ("a surrogate", field(3, &[0xed, 0xa0, 0x80]), utf8),
    ] {
        let error = properties(&member("p", &value)).unwrap_err();
        assert_eq!(error.to_string(), format!("decode property `p`: {problem}"), "{name}");
        let nested = properties(&member("p", &field(6, &[field(1, &[8, 0]), field(1, &value)].concat()))).unwrap_err();
        assert_eq!(nested.to_string(), format!("decode property `p[1]`: {problem}"), "{name}");
    }
    assert_eq!(properties(&member("p", &[])).unwrap_err().to_string(), format!("decode property `p`: {no_kind}"));
    let no_value = field(1, &field(1, b"p"));
    assert_eq!(properties(&no_value).unwrap_err().to_string(), format!("decode property `p`: {no_kind}"));
    let key = field(1, &[field(1, &[0xff]), field(2, &[8, 0])].concat());
    assert_eq!(properties(&key).unwrap_err().to_string(), format!("decode the value: {utf8}"));
    let inside = member("p", &field(5, &key));
    assert_eq!(properties(&inside).unwrap_err().to_string(), format!("decode property `p`: {utf8}"));
    assert_eq!(properties(&[0x0a, 9]).unwrap_err().to_string(), format!("decode the value: {cut}"));
}

#[test]
fn the_longest_varints_are_read() {
    for (truth, expected) in [(vec![0xff; 9], true), (vec![0x80; 9], false)] {
        let last = u8::from(expected);
        let value = member("p", &[vec![0x20], truth, vec![last]].concat());
        assert_eq!(properties(&value), Ok(Object::from([("p", expected)])));
    }
}
