//! What is sent to receivers that take more or less.

use bulkhead_value::{
    Archive, ArchiveSource, Asset, AssetSource, Object, Output, Reference, ReferenceId, Value,
    signature::{ARCHIVE, ASSET, BYTES, KEY, OUTPUT, REFERENCE, SECRET, UNKNOWN, UNKNOWN_OBJECT},
    wire::{Capabilities, EncodeError, encode},
};
use prost::Message;
use prost_types::Struct;
use serde_json::{Value as Json, json};

use crate::structs::structure;

const ALL: Capabilities = Capabilities::ALL;
const PLAIN: Capabilities = Capabilities { unknowns: true, ..Capabilities::NONE };

fn encode(value: Value, capabilities: Capabilities) -> Result<Struct, EncodeError> {
    let bytes = encode::properties(&Object::from([("p", value)]), &capabilities)?;
    Ok(Struct::decode(bytes.as_slice()).unwrap())
}

fn reference(urn: &str, id: Option<ReferenceId>) -> Value {
    Reference { urn: urn.into(), id, package_version: "1.2.3".into() }.into()
}

#[test]
fn a_receiver_gets_the_kinds_it_takes() {
    let urn = "urn:pulumi:s::p::a:b:C$d:e:F::n";
    let x = || Value::from("x");
    let output = |value: Option<Value>, secret: bool| {
        Value::from(Output { value: value.map(Box::new), secret, dependencies: vec!["u".into(), "v".into()] })
    };
    let secrets = Capabilities { secrets: true, ..PLAIN };
    let resources = Capabilities { resources: true, ..PLAIN };
    let rows: Vec<(Value, Capabilities, Json)> = vec![
        (Value::Null, PLAIN, json!(null)),
        (vec![true.into(), 1.5.into(), x(), vec![].into()].into(), PLAIN, json!([true, 1.5, "x", []])),
        (Object::from([("b", Value::Null), ("a", Object::new().into())]).into(), PLAIN, json!({ "a": {}, "b": null })),
        (Value::Unknown, PLAIN, json!(UNKNOWN)),
        // Secrets.
        (vec![x().secret()].into(), ALL, json!([{ KEY: SECRET, "value": "x" }])),
        (vec![x().secret()].into(), PLAIN, json!(["x"])),
        (Value::from(vec![x().secret(), Value::Unknown]).secret(), PLAIN, json!(["x", UNKNOWN])),
        (Value::Unknown.secret(), secrets, json!({ KEY: SECRET, "value": UNKNOWN })),
        // Outputs.
        (Output::known("x").into(), ALL, json!({ KEY: OUTPUT, "value": "x" })),
        (
            output(Some(x()), true),
            ALL,
            json!({ KEY: OUTPUT, "value": "x", "secret": true, "dependencies": ["u", "v"] }),
        ),
        (output(None, false), ALL, json!({ KEY: OUTPUT, "dependencies": ["u", "v"] })),
        (output(None, true), ALL, json!({ KEY: OUTPUT, "secret": true, "dependencies": ["u", "v"] })),
        (output(Some(x()), false), secrets, json!("x")),
        (output(Some(x()), true), secrets, json!({ KEY: SECRET, "value": "x" })),
        (output(Some(x().secret()), true), secrets, json!({ KEY: SECRET, "value": "x" })),
        (output(Some(x().secret()), false), secrets, json!({ KEY: SECRET, "value": "x" })),
        (output(None, false), secrets, json!(UNKNOWN)),
        (output(None, true), secrets, json!({ KEY: SECRET, "value": UNKNOWN })),
        (output(Some(vec![x()].into()), true), PLAIN, json!(["x"])),
        (output(None, true), PLAIN, json!(UNKNOWN)),
        // References.
        (
            reference(urn, Some(ReferenceId::new("i"))),
            resources,
            json!({ KEY: REFERENCE, "urn": urn, "id": "i", "packageVersion": "1.2.3", "name": "n", "type": "d:e:F" }),
        ),
        (
            reference("odd", Some(ReferenceId::Unknown)),
            resources,
            json!({ KEY: REFERENCE, "urn": "odd", "id": "", "packageVersion": "1.2.3" }),
        ),
        (reference("odd", None), resources, json!({ KEY: REFERENCE, "urn": "odd", "packageVersion": "1.2.3" })),
        (reference(urn, Some(ReferenceId::new("i"))), PLAIN, json!("i")),
        (reference(urn, Some(ReferenceId::Unknown)), PLAIN, json!(UNKNOWN)),
        (reference(urn, None), PLAIN, json!(urn)),
        // Bytes.
        (Value::Bytes(vec![0xff, 0xfe]), ALL, json!({ KEY: BYTES, "value": "//4=" })),
        // Assets and archives, which everybody takes.
        (
            Asset { hash: Some("ab".into()), source: AssetSource::Path("./p".into()) }.into(),
            PLAIN,
            json!({ KEY: ASSET, "hash": "ab", "path": "./p" }),
        ),
        (
            Asset { hash: None, source: AssetSource::Uri("https://u".into()) }.into(),
            PLAIN,
            json!({ KEY: ASSET, "uri": "https://u" }),
        ),
        (Asset::elided("ab").into(), PLAIN, json!({ KEY: ASSET, "hash": "ab" })),
        (Asset::text("").into(), PLAIN, json!({ KEY: ASSET, "hash": Asset::EMPTY_HASH })),
        (
            Asset { hash: None, source: AssetSource::Text(String::new()) }.into(),
            PLAIN,
            json!({ KEY: ASSET, "text": "" }),
        ),
        (
            Archive { hash: Some("cd".into()), ..Archive::members([("a", Archive::elided("ab"))]) }.into(),
            PLAIN,
            json!({ KEY: ARCHIVE, "assets": { "a": { KEY: ARCHIVE, "hash": "ab" } }, "hash": "cd" }),
        ),
        (Archive::members(Object::new()).into(), PLAIN, json!({ KEY: ARCHIVE, "assets": {} })),
        (
            Archive { hash: Some("ab".into()), source: ArchiveSource::Path("./p".into()) }.into(),
            PLAIN,
            json!({ KEY: ARCHIVE, "hash": "ab", "path": "./p" }),
        ),
        (
            Archive { hash: None, source: ArchiveSource::Uri("u".into()) }.into(),
            PLAIN,
            json!({ KEY: ARCHIVE, "uri": "u" }),
        ),
    ];
    for (value, capabilities, json) in rows {
        let name = format!("{json}");
        assert_eq!(encode(value, capabilities), Ok(structure(&json!({ "p": json }))), "{name}");
    }
}

#[test]
fn what_cannot_be_sent_is_an_error_that_names_the_property() {
    let unknown = "an unknown value can't be sent here; hint: unknown values exist only in previews";
    let bytes = "the receiver takes no byte strings; hint: encode the bytes as text, for instance base64";
    let key = "an object can't have the key `4dabf18193072939515e22adb298388d`; hint: it is reserved, rename the key";
    let sentinel = "a string is one of those that stand for unknown values; hint: send an unknown value instead";
    let stray = "a member of an archive must be an asset or an archive, this one is a secret";
    let none = Capabilities::NONE;
    let known = Capabilities { unknowns: false, ..ALL };
    let nested = |value: Value| Value::from(vec![Value::Null, Object::from([("a.b", value)]).into()]);
    let held = |value: Value| Value::from(Object::from([("hidden", value)]));
    let rows: Vec<(Value, Capabilities, &str, &str)> = vec![
        (nested(Value::Unknown), none, r#"p[1]["a.b"]"#, unknown),
        (Output::default().into(), known, "p", unknown),
        (Output::default().into(), none, "p", unknown),
        (Output::known(Value::Unknown).into(), known, "p", unknown),
        (reference("u", Some(ReferenceId::Unknown)), known, "p", unknown),
        (reference("u", Some(ReferenceId::Unknown)), none, "p", unknown),
        (nested(held(Value::Unknown).secret()), known, r#"p[1]["a.b"]"#, unknown),
        (nested(held(Value::Unknown).secret()), none, r#"p[1]["a.b"]"#, unknown),
        (Output::known(held(Value::Unknown)).into(), none, "p", unknown),
        (nested(Value::Bytes(vec![0xff])), PLAIN, r#"p[1]["a.b"]"#, bytes),
        (nested(Value::Bytes(b"utf-8".to_vec())), PLAIN, r#"p[1]["a.b"]"#, bytes),
        (nested(Object::from([(KEY, "x")]).into()), ALL, r#"p[1]["a.b"]"#, key),
        (Archive::members([(KEY, Asset::text("x"))]).into(), ALL, "p", key),
        (UNKNOWN.into(), ALL, "p", sentinel),
        (vec![UNKNOWN_OBJECT.into()].into(), PLAIN, "p[0]", sentinel),
        (Asset::text(UNKNOWN).into(), ALL, "p", sentinel),
        (Archive::elided(UNKNOWN).into(), ALL, "p", sentinel),
        (Archive { hash: Some(UNKNOWN.into()), ..Archive::members(Object::new()) }.into(), ALL, "p", sentinel),
        (reference(UNKNOWN, None), ALL, "p", sentinel),
        (reference("u", Some(ReferenceId::Known(UNKNOWN.into()))), PLAIN, "p", sentinel),
        (Output { value: None, secret: false, dependencies: vec![UNKNOWN.into()] }.into(), ALL, "p", sentinel),
        (Archive::members([("m", Value::from("x").secret())]).into(), ALL, "p.m", stray),
        (
            Asset { hash: None, source: AssetSource::Elided }.into(),
            ALL,
            "p",
            "an asset has neither contents nor a hash",
        ),
        (
            Archive { hash: None, source: ArchiveSource::Path(String::new()) }.into(),
            ALL,
            "p",
            "an archive has neither contents nor a hash",
        ),
    ];
    for (value, capabilities, place, problem) in rows {
        let name = format!("{value:?}");
        let error = encode(value, capabilities).unwrap_err();
        assert_eq!(error.to_string(), format!("encode property `{place}`: {problem}"), "{name}");
        assert_eq!(error.path.to_string(), place);
    }
    let error = encode::properties(&Object::from([(KEY, SECRET)]), &ALL).unwrap_err();
    assert_eq!(error.to_string(), format!("encode the value: {key}"));
    let error = encode::value(&Value::Unknown, &Capabilities::NONE).unwrap_err();
    assert_eq!(error.to_string(), format!("encode the value: {unknown}"));
}

#[test]
fn the_bytes_are_those_of_the_definition() {
    let object = Object::from([("b", Value::from(vec![true.into()])), ("a", Value::from("é").secret())]);
    let secret = [
        b"\x0a\x46\x0a\x20".as_slice(),
        KEY.as_bytes(),
        b"\x12\x22\x1a\x20",
        SECRET.as_bytes(),
        b"\x0a\x0d\x0a\x05value\x12\x04\x1a\x02\xc3\xa9",
    ]
    .concat();
    let expected = [
        b"\x0a\x5e\x0a\x01a\x12\x59\x2a\x57".as_slice(),
        &secret,
        b"\x0a\x0b\x0a\x01b\x12\x06\x32\x04\x0a\x02\x20\x01",
    ]
    .concat();
    assert_eq!(encode::properties(&object, &ALL), Ok(expected));
    assert_eq!(encode::properties(&Object::new(), &ALL), Ok(vec![]));
    assert_eq!(encode::value(&Value::Null, &ALL), Ok(vec![0x08, 0]));
    let number = [vec![0x11], (-0.0_f64).to_le_bytes().to_vec()].concat();
    assert_eq!(encode::value(&(-0.0).into(), &ALL), Ok(number));
}
