//! What counts as being in a request.

use proptest::prelude::*;

use super::*;
use crate::wit::{Places, tree_from_object};

fn held(inputs: Object) -> Held {
    let context = types::Context { token: "t".to_owned(), name: None, urn: None, timeout: None };
    Held::of(Arc::new(types::CreateRequest { context, inputs: tree_from_object(&inputs) }))
}

fn path(path: &str, hash: Option<&str>) -> values::Asset {
    values::Asset { hash: hash.map(str::to_owned), source: values::AssetSource::Path(path.to_owned()) }
}

fn file(path: &str, hash: Option<&str>) -> Value {
    Value::from(Asset { hash: hash.map(str::to_owned), source: bulkhead_value::AssetSource::Path(path.to_owned()) })
}

#[test]
fn only_what_is_there_is_found_hash_and_source_alike() {
    let inner = Object::from([("deep".to_owned(), file("a", Some("1")).secret())]);
    let held = held(Object::from([("outer".to_owned(), Value::Object(inner))]));
    assert!(held.asset(&path("a", Some("1"))).is_some());
    for other in [path("a", None), path("a", Some("2")), path("b", Some("1"))] {
        assert!(held.asset(&other).is_none(), "{other:?}");
    }
    let text = values::Asset { hash: Some("1".to_owned()), source: values::AssetSource::Text("a".to_owned()) };
    assert!(held.asset(&text).is_none());
    let uri = values::Asset { hash: Some("1".to_owned()), source: values::AssetSource::Uri("a".to_owned()) };
    assert!(held.asset(&uri).is_none());
}

#[test]
fn members_of_a_literal_archive_come_from_the_request() {
    let inner = Value::from(Archive::members(Object::from([("b".to_owned(), file("b", None))])));
    let members = Object::from([("a".to_owned(), file("a", None).secret()), ("inner".to_owned(), inner)]);
    let archive = Archive { hash: Some("2".to_owned()), source: ArchiveSource::Members(members) };
    let inputs = Object::from([("first".to_owned(), Value::Null), ("x".to_owned(), Value::from(archive.clone()))]);
    let held = held(inputs.clone());
    let tree = tree_from_object(&inputs);
    let node = tree.nodes.iter().rev().find_map(|node| match node {
        Node::Archive(archive) => Some(archive.clone()),
        _ => None,
    });
    let node = node.unwrap();
    assert_eq!(held.archive(&node), Some(archive));
    let mut forged = node.clone();
    if let values::ArchiveSource::Members(members) = &mut forged.source {
        members[0].value = 0;
    }
    assert_eq!(held.archive(&forged), None);
    assert_eq!(held.archive(&values::Archive { hash: None, ..node }), None);
}

proptest! {
    #[test]
    fn a_request_holds_each_of_its_assets_and_no_other(paths in proptest::collection::vec("[ab]{1,3}", 0..6), other in "[ab]{1,3}") {
        let inputs = paths.iter().enumerate().map(|(at, path)| (at.to_string(), file(path, None))).collect();
        let held = held(inputs);
        prop_assert!(paths.iter().all(|known| held.asset(&path(known, None)).is_some()));
        prop_assert_eq!(held.asset(&path(&other, None)).is_some(), paths.contains(&other));
    }
}

/// A guest is given them with their resource, and may show them again as they were, whatever has become of the rest.
#[test]
fn what_is_on_record_of_views_is_there_too() {
    let none = || tree_from_object(&Object::new());
    let state = tree_from_object(&Object::from([("logo".to_owned(), file("a", None))]));
    let view = types::View { token: "t".to_owned(), name: "v".to_owned(), parent: None, inputs: none(), state };
    let prior = types::Prior { id: "i".to_owned(), state: none(), inputs: None, views: vec![view] };
    let context = types::Context { token: "t".to_owned(), name: None, urn: None, timeout: None };
    let request = resources::DeleteRequest { context, prior };
    let named = |name: &str| Places::of(&request).allow(&Node::Asset(path(name, None)));
    assert!(named("a") && !named("b"));
    assert!(Held::of(Arc::new(request)).asset(&path("a", None)).is_some());
}
