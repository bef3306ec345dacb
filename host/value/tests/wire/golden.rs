//! Property bags as the CLI, v3.259.0, sent them to a provider over a run of up, refresh, changed up and destroy.

use bulkhead_value::{Archive, Asset, AssetSource, Bounds, Object, Reference, ReferenceId, Value, wire};
use prost::Message;
use prost_types::Struct;
use serde_json::Value as Json;

use crate::structs::{bytes, structure};

/// Each distinct bag, with the method and the field that it came in.
fn bags() -> Vec<(String, Json)> {
    let lines = include_str!("../golden/properties.jsonl").lines();
    let bags = lines.map(|line| serde_json::from_str::<Json>(line).unwrap());
    bags.map(|bag| (format!("{} {}", bag["rpc"], bag["field"]), bag["properties"].clone())).collect()
}

#[test]
fn what_the_cli_sends_is_sent_back_the_same() {
    for (name, json) in bags() {
        let decoded = wire::decode::properties(&bytes(&json), &Bounds::default()).unwrap();
        let encoded = wire::encode::properties(&decoded, &wire::Capabilities::ALL).unwrap();
        assert_eq!(Struct::decode(encoded.as_slice()).unwrap(), structure(&json), "{name}");
    }
}

#[test]
fn what_the_cli_sends_decodes_to_the_right_kinds() {
    let big = |number: f64| {
        Value::from(Object::from([
            ("big", Value::from(number)),
            ("empty", Object::new().into()),
            ("none", Value::from(vec![])),
        ]))
    };
    let pad = |asset: Value, file: Value, archive: Value, number: f64| {
        let deep = vec![1.into(), Value::Null, true.into(), "x".into()];
        let reference = Reference {
            urn: "urn:pulumi:dev::gold::mini:index:Thing::a".into(),
            id: Some(ReferenceId::Known("id-1".into())),
            package_version: String::new(),
        };
        Value::from(vec![
            Value::from("abc").secret(),
            Value::from(Object::from([("deep", Value::from(deep))])).secret(),
            asset,
            file,
            archive,
            reference.into(),
            big(number),
        ])
    };
    let file = "98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4";
    let members = "dc1dcb2eed76020092a20fc54999704188004517f20d6b075e04a906d1c2fadd";
    let full = pad(
        Asset::text("hello").into(),
        Asset { hash: Some(file.into()), source: AssetSource::Path("./f.txt".into()) }.into(),
        Archive { hash: Some(members.into()), ..Archive::members([("one", Asset::text("1"))]) }.into(),
        9_007_199_254_740_992.0,
    );
    let elided = pad(
        Asset::text("hello").without_contents().into(),
        Asset::elided(file).into(),
        Archive::elided(members).into(),
        9_007_199_254_740_992.0,
    );
    let found = |bag: usize| wire::decode::properties(&bytes(&bags()[bag].1), &Bounds::default()).unwrap();
    assert_eq!(found(2), Object::from([("length", 1.into()), ("pad", full)]), "news of a check");
    let olds = [("length", 1.into()), ("pad", elided), ("result", Value::from("abc").secret())];
    assert_eq!(found(5), Object::from(olds), "olds of a diff");
}
