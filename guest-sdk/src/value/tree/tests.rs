use proptest::prelude::*;

use super::*;
use crate::error::ErrorKind;
use crate::fields;

fn asset() -> impl Strategy<Value = Asset> {
    let source = prop_oneof![
        any::<String>().prop_map(AssetSource::Text),
        any::<String>().prop_map(AssetSource::Path),
        any::<String>().prop_map(AssetSource::Uri),
        Just(AssetSource::Elided),
    ];
    (any::<Option<String>>(), source).prop_map(|(hash, source)| Asset { hash, source })
}

fn reference() -> impl Strategy<Value = Reference> {
    let id = prop_oneof![any::<String>().prop_map(ReferenceId::Known), Just(ReferenceId::Unknown)];
    (any::<String>(), proptest::option::of(id), any::<String>()).prop_map(|(urn, id, package_version)| Reference {
        urn,
        id,
        package_version,
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Boolean),
        (-1e300..1e300).prop_map(Value::Number),
        any::<String>().prop_map(Value::Text),
        any::<Vec<u8>>().prop_map(Value::Bytes),
        asset().prop_map(Value::Asset),
        reference().prop_map(Value::Reference),
        Just(Value::Unknown),
    ];
    leaf.prop_recursive(8, 64, 5, |inner| {
        let fields = proptest::collection::btree_map(any::<String>(), inner.clone(), 0..5);
        let archive = proptest::collection::btree_map(any::<String>(), asset().prop_map(Value::Asset), 0..3);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Items),
            fields.prop_map(Value::Fields),
            archive.prop_map(|members| {
                Value::Archive(Archive { hash: None, source: ArchiveSource::Members(members) })
            }),
            inner.clone().prop_map(Value::secret),
            (proptest::option::of(inner), any::<bool>(), any::<Vec<String>>()).prop_map(
                |(value, secret, dependencies)| {
                    Value::Output(Output { value: value.map(Box::new), secret, dependencies })
                }
            ),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_comes_back(value in value()) {
        prop_assert_eq!(decode(encode(value.clone())).unwrap(), value);
    }

    /// Whatever the links are, there is a value or an error, and each node is in the value once at most.
    #[test]
    fn no_tree_makes_it_panic(links in proptest::collection::vec(proptest::collection::vec(0_u32..12, 0..4), 0..10)) {
        let node = |links: Vec<u32>| if links.is_empty() { wit::Node::Null } else { wit::Node::Items(links) };
        let nodes: Vec<wit::Node> = links.into_iter().map(node).collect();
        let count = nodes.len();
        if let Ok(value) = decode(wit::Tree { nodes }) {
            prop_assert_eq!(size(&value), count);
        }
    }
}

fn size(value: &Value) -> usize {
    1 + value.as_items().unwrap_or_default().iter().map(size).sum::<usize>()
}

fn refusal(nodes: Vec<wit::Node>) -> String {
    let error = decode(wit::Tree { nodes }).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Bug(_)));
    error.to_string().rsplit_once(": ").unwrap().1.to_owned()
}

#[test]
fn malformed_trees_are_refused_whole() {
    let field = |name: &str, value| wit::Field { name: name.to_owned(), value };
    insta::assert_snapshot!(refusal(vec![]), @"it has no root");
    insta::assert_snapshot!(refusal(vec![wit::Node::Secret(0)]), @"a node names a child that isn't there");
    insta::assert_snapshot!(refusal(vec![wit::Node::Null, wit::Node::Items(vec![7])]), @"a node names a child that isn't there");
    insta::assert_snapshot!(refusal(vec![wit::Node::Null, wit::Node::Items(vec![0, 0])]), @"a node names a child that isn't there");
    insta::assert_snapshot!(refusal(vec![wit::Node::Null, wit::Node::Null]), @"a node belongs to nothing");
    let twice = wit::Node::Fields(vec![field("a", 0), field("a", 1)]);
    insta::assert_snapshot!(refusal(vec![wit::Node::Null, wit::Node::Null, twice]), @"a name occurs twice");
    let opaque = wit::Node::Opaque(wit::Opaque { signature: "later".to_owned(), fields: Vec::new() });
    insta::assert_snapshot!(refusal(vec![opaque]), @"it holds a kind of value from a later version");
}

#[test]
fn secrets_of_secrets_are_secrets() {
    let tree = wit::Tree { nodes: vec![wit::Node::Text("s".to_owned()), wit::Node::Secret(0), wit::Node::Secret(1)] };
    assert_eq!(decode(tree).unwrap(), Value::from("s").secret());
}

#[test]
fn the_root_of_a_request_is_an_object() {
    assert_eq!(decode_fields(encode(fields! { "a": 1 }.into())).unwrap(), fields! { "a": 1 });
    assert_eq!(decode_fields(encode(Value::from(fields! {}).secret())).unwrap(), fields! {});
    assert!(matches!(decode_fields(encode(Value::Null)).unwrap_err().kind(), ErrorKind::Bug(_)));
}

/// As deep as the host allows by default, on a stack as small as a component's.
#[test]
fn deep_values_fit_the_stack() {
    let work = || {
        let mut value = Value::Null;
        for _ in 0..1024 {
            value = Value::Items(vec![value]);
        }
        assert_eq!(decode(encode(value.clone())).unwrap(), value);
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}
