//! Values of every kind, as proptest makes them up.

use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, List, Object, Output, Reference, ReferenceId, Value};
use proptest::{collection, option, prelude::*};

/// Any value that the wire can carry as it is.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(6, 64, 5, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            collection::btree_map(name(), inner.clone(), 0..5).prop_map(|members| Object::from(members).into()),
            inner.clone().prop_map(Value::secret),
            (option::of(inner), any::<bool>(), collection::vec(name(), 0..3)).prop_map(
                |(value, secret, dependencies)| { Output { value: value.map(Box::new), secret, dependencies }.into() }
            ),
        ]
    })
}

/// Any properties that the wire can carry as they are.
pub(crate) fn properties() -> impl Strategy<Value = Object> {
    collection::btree_map(name(), value(), 0..5).prop_map(Object::from)
}

/// A value without anything that JSON has no words for.
pub(crate) fn plain() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 5, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..5).prop_map(|items| List::from(items).into()),
            collection::btree_map(name(), inner, 0..5).prop_map(|members| Object::from(members).into()),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,6}",
        ".{0,6}",
        Just("value".to_owned()),
        Just("assets".to_owned()),
        Just("__defaults".to_owned())
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(Value::Unknown),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        collection::vec(any::<u8>(), 0..8).prop_map(Value::Bytes),
        asset().prop_map(Value::from),
        archive().prop_map(Value::from),
        reference().prop_map(Value::from),
    ]
}

/// The hash isn't of the contents: the codec must not care.
fn hash() -> impl Strategy<Value = String> {
    "[0-9a-f]{8}"
}

fn asset() -> impl Strategy<Value = Asset> {
    let source = prop_oneof![
        ".{1,6}".prop_map(AssetSource::Text),
        ".{1,6}".prop_map(AssetSource::Path),
        ".{1,6}".prop_map(AssetSource::Uri),
    ];
    prop_oneof![
        (option::of(hash()), source).prop_map(|(hash, source)| Asset { hash, source }),
        hash().prop_map(Asset::elided),
        Just(Asset::text("")),
        Just(Asset { hash: None, source: AssetSource::Text(String::new()) }),
    ]
}

fn archive() -> impl Strategy<Value = Archive> {
    let leaf = prop_oneof![
        (option::of(hash()), ".{1,6}").prop_map(|(hash, path)| Archive { hash, source: ArchiveSource::Path(path) }),
        (option::of(hash()), ".{1,6}").prop_map(|(hash, uri)| Archive { hash, source: ArchiveSource::Uri(uri) }),
        hash().prop_map(Archive::elided),
        Just(Archive::members(Object::new())),
        Just(Archive { hash: Some(Archive::EMPTY_HASH.into()), ..Archive::members(Object::new()) }),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let member = prop_oneof![asset().prop_map(Value::from), inner.prop_map(Value::from)];
        (option::of(hash()), collection::btree_map(name(), member, 1..4))
            .prop_map(|(hash, members)| Archive { hash, source: ArchiveSource::Members(members.into()) })
    })
}

fn reference() -> impl Strategy<Value = Reference> {
    let urn = prop_oneof![".{0,8}", "urn:pulumi:[a-z]::[a-z]::[a-z:$]{0,6}::[a-z:]{0,4}"];
    let id = option::of(".{0,4}".prop_map(ReferenceId::new));
    (urn, id, ".{0,4}").prop_map(|(urn, id, package_version)| Reference { urn, id, package_version })
}
