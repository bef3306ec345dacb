use proptest::prelude::*;

use super::*;
use crate::wit::bindings::exports::config::ConfigureRequest;

fn tree(nodes: Vec<Node>) -> Tree {
    Tree { nodes }
}

fn refused(nodes: Vec<Node>) -> String {
    value_from_tree(tree(nodes), &TreeLimits::default()).unwrap_err().to_string()
}

#[test]
fn every_way_to_break_a_tree_is_named() {
    let field = |name: &str, value| Field { name: name.into(), value };
    assert_eq!(refused(vec![]), "a value tree without nodes");
    assert_eq!(
        refused(vec![Node::Items(vec![0])]),
        "a value tree whose node 0 names node 0, which doesn't come before it"
    );
    assert_eq!(
        refused(vec![Node::Null, Node::Items(vec![7])]),
        "a value tree whose node 1 names node 7, which doesn't come before it"
    );
    assert_eq!(refused(vec![Node::Null, Node::Items(vec![0, 0])]), "a value tree that uses node 0 twice");
    assert_eq!(refused(vec![Node::Null, Node::Null, Node::Null]), "a value tree that leaves 2 of its nodes unused");
    let twice = vec![Node::Null, Node::Null, Node::Fields(vec![field("a", 0), field("a", 1)])];
    assert_eq!(refused(twice), "a value tree whose node 2 names a field twice");
    let members = values::Archive { hash: None, source: values::ArchiveSource::Members(vec![field("a", 0)]) };
    let archive = vec![Node::Null, Node::Archive(members)];
    assert_eq!(refused(archive), "a value tree whose archive at node 1 has a member that is neither asset nor archive");
    let opaque = values::Opaque { signature: "s".into(), fields: vec![] };
    assert_eq!(refused(vec![Node::Opaque(opaque)]), "a value tree with a node of a later contract, at 0");
    let text = object_from_tree(tree(vec![Node::Text("x".into())]), &TreeLimits::default()).unwrap_err();
    assert_eq!(text.to_string(), "a value tree whose root isn't an object");
}

#[test]
fn what_names_a_file_that_nobody_gave_is_found_by_its_property() {
    let field = |name: &str, value| Field { name: name.into(), value };
    let file = || Node::Asset(values::Asset { hash: None, source: values::AssetSource::Path("f".into()) });
    let members = |fields| values::Archive { hash: None, source: values::ArchiveSource::Members(fields) };
    let output = |value| values::Output { value: Some(value), secret: true, dependencies: vec![] };
    let nodes = vec![
        Node::Null,
        Node::Null,
        file(),
        Node::Archive(members(vec![field("x", 1), field("y.z", 2)])),
        Node::Secret(3),
        Node::Null,
        Node::Items(vec![5, 4]),
        Node::Output(output(6)),
        Node::Fields(vec![field("other", 0), field("files", 7)]),
    ];
    let request = ConfigureRequest { inputs: tree(vec![Node::Fields(vec![])]), replay: false };
    let limits = TreeLimits { places: Places::of(&request), ..TreeLimits::default() };
    let error = |nodes| value_from_tree(tree(nodes), &limits).unwrap_err().to_string();
    assert_eq!(
        error(nodes),
        r#"a value tree in which property `files[1]["y.z"]` names a file or an address that nobody gave it"#
    );
    assert_eq!(error(vec![file()]), "a value tree in which the value names a file or an address that nobody gave it");
}

#[test]
fn assets_and_archives_have_their_hash_whoever_forgot_it() {
    let file = |hash: Option<&str>, path: &str| {
        Value::from(Asset { hash: hash.map(str::to_owned), source: AssetSource::Path(path.to_owned()) })
    };
    let packed = |hash: Option<&str>, uri: &str| {
        Value::from(Archive { hash: hash.map(str::to_owned), source: ArchiveSource::Uri(uri.to_owned()) })
    };
    let plain = |text: &str| Value::from(Asset { hash: None, source: AssetSource::Text(text.to_owned()) });
    let list = |values: [Value; 5]| Object::from([("all".to_owned(), Value::List(values.to_vec().into()))]);
    // Of the same place there may be something older on record.
    let given =
        list([file(Some("f1"), "f"), packed(Some("f2"), "u"), file(Some("old"), "f"), file(None, "g"), Value::Null]);
    let request = ConfigureRequest { inputs: tree_from_object(&given), replay: false };
    let limits = TreeLimits { places: Places::of(&request), ..TreeLimits::default() };
    let told = |object: &Object| object_from_tree(tree_from_object(object), &limits).unwrap();

    let members = || Archive::members([("a", plain("hello"))]);
    let hash = "aae7be6f39c5b5f8deaedeea71b980ae06b3f1c252913d37c766ba6d257eb82c".to_owned();
    let within = Archive { hash: Some(hash.clone()), ..Archive::members([("a", Value::from(Asset::text("hello")))]) };
    let made = list([
        plain("hello").secret(),
        Value::from(members()),
        file(None, "f"),
        packed(None, "u"),
        Value::from(Asset { hash: Some("own".to_owned()), source: AssetSource::Path("f".to_owned()) }),
    ]);
    let expected = list([
        Value::from(Asset::text("hello")).secret(),
        Value::from(within.clone()),
        file(Some("f1"), "f"),
        packed(Some("f2"), "u"),
        file(Some("own"), "f"),
    ]);
    assert_eq!(told(&made), expected);
    assert_eq!(told(&expected), expected);
    // Of an update that failed, nobody knows whether it came to the new contents: they aren't taken for those that are there.
    let left = object_from_tree(tree_from_object(&made), &limits.undone()).unwrap();
    let files = |object: &Object| match &object["all"] {
        Value::List(list) => [2, 3].map(|file| list[file].clone()),
        other => panic!("{other:?}"),
    };
    assert_eq!(files(&left), [file(Some("old"), "f"), packed(Some("f2"), "u")]);
    let unknown = list([file(None, "g"), Value::Null, Value::Null, Value::Null, Value::Null]);
    assert_eq!(told(&unknown), unknown, "what came without one");

    // All by itself, and with another one inside, which is part of it.
    let root = value_from_tree(tree_from_value(&Value::from(members())), &limits).unwrap();
    assert_eq!(root, Value::from(within));
    let nested =
        value_from_tree(tree_from_value(&Value::from(Archive::members([("n", Value::from(members()))]))), &limits);
    let Value::Archive(outer) = nested.unwrap() else { panic!("an archive") };
    let ArchiveSource::Members(inner) = &outer.source else { panic!("of members") };
    assert!(outer.hash.is_some() && outer.hash != Some(hash));
    assert!(matches!(&inner["n"], Value::Archive(inner) if inner.hash.is_none()));
}

/// A guest gives hundreds of values at once, each of which it takes seconds to hash.
#[test]
fn archives_of_one_answer_are_hashed_up_to_a_limit_together() {
    let members: Object = (0..30_000).map(|member| (format!("{member}"), Value::from(Asset::text("")))).collect();
    let archive = tree_from_value(&Value::from(Archive::members(members)));
    let hashed = |limits: &TreeLimits| match value_from_tree(archive.clone(), limits) {
        Ok(Value::Archive(archive)) => archive.hash.is_some(),
        other => panic!("{other:?}"),
    };
    let limits = TreeLimits::default();
    let places = TreeLimits { places: Places::default(), ..limits.clone() };
    assert_eq!([&limits, &places, &limits].map(hashed), [true, false, false], "of 50,000 members");
    assert!(hashed(&TreeLimits::default()), "of another answer");
}

#[test]
fn size_and_depth_are_bounded() {
    let nested = |levels: u32| {
        let mut nodes = vec![Node::Null];
        nodes.extend((0..levels - 1).map(|child| Node::Items(vec![child])));
        tree(nodes)
    };
    assert!(value_from_tree(nested(1_024), &TreeLimits::default()).is_ok());
    let deep = value_from_tree(nested(10_000), &TreeLimits::default()).unwrap_err();
    assert_eq!(deep.to_string(), "a value tree deeper than 1024 levels");
    let many = value_from_tree(nested(20), &TreeLimits { depth: 100, nodes: 19, ..TreeLimits::default() }).unwrap_err();
    assert_eq!(many.to_string(), "a value tree of more than 19 nodes");
}

fn values() -> impl Strategy<Value = Value> {
    let asset = ("[0-9a-f]{4}", "[a-z]{0,4}")
        .prop_map(|(hash, text)| Value::from(Asset { hash: Some(hash), source: AssetSource::Text(text) }));
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(Value::Number),
        ".{0,8}".prop_map(Value::String),
        proptest::collection::vec(any::<u8>(), 0..8).prop_map(Value::Bytes),
        Just(Value::Unknown),
        asset,
        Just(Value::from(Reference {
            urn: "u".into(),
            id: Some(ReferenceId::Unknown),
            package_version: String::new()
        })),
    ];
    leaf.prop_recursive(6, 64, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(|items| Value::List(items.into())),
            proptest::collection::btree_map(".{0,3}", inner.clone(), 0..5)
                .prop_map(|fields| Value::Object(fields.into())),
            inner.clone().prop_map(Value::secret),
            (proptest::option::of(inner), any::<bool>()).prop_map(|(value, secret)| {
                Value::from(Output { value: value.map(Box::new), secret, dependencies: vec!["u".into()] })
            }),
        ]
    })
}

proptest! {
    #[test]
    fn values_survive_the_way_through_a_tree(fields in proptest::collection::btree_map(".{0,3}", values(), 0..5)) {
        let object: Object = fields.into();
        let back = object_from_tree(tree_from_object(&object), &TreeLimits::default()).unwrap();
        prop_assert_eq!(back, object);
    }

    #[test]
    fn no_tree_makes_the_host_panic(children in proptest::collection::vec(proptest::collection::vec(0u32..12, 0..4), 0..12)) {
        let nodes = children.into_iter().map(Node::Items).collect();
        let _ = value_from_tree(tree(nodes), &TreeLimits::default());
    }
}
