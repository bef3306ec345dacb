use crate::{Asset, Kind, Object, Output, PropertyPath, Reference, ReferenceId, Secret, Segment, Value};

fn reference(id: Option<ReferenceId>) -> Value {
    Reference { urn: "urn".into(), id, package_version: String::new() }.into()
}

#[test]
fn a_value_is_small() {
    // Every element of a list costs as much, and large values should stay in the caches.
    assert!(size_of::<Value>() <= 32, "{} bytes", size_of::<Value>());
}

#[test]
fn kinds_read_well_in_a_sentence() {
    for (value, kind, words) in [
        (Value::Null, Kind::Null, "null"),
        (true.into(), Kind::Bool, "a boolean"),
        (1.into(), Kind::Number, "a number"),
        ("x".into(), Kind::String, "a string"),
        (Value::Bytes(vec![]), Kind::Bytes, "a byte string"),
        (Value::from(vec![]), Kind::List, "a list"),
        (Object::new().into(), Kind::Object, "an object"),
        (Asset::text("").into(), Kind::Asset, "an asset"),
        (crate::Archive::elided("").into(), Kind::Archive, "an archive"),
        (Value::Unknown, Kind::Unknown, "an unknown value"),
        (Value::Null.secret(), Kind::Secret, "a secret"),
        (Output::default().into(), Kind::Output, "an output"),
        (reference(None), Kind::Reference, "a resource reference"),
    ] {
        assert_eq!((value.kind(), value.kind().to_string().as_str()), (kind, words));
    }
}

#[test]
fn a_secret_of_a_secret_is_one_secret() {
    let once = Value::from("x").secret();
    assert_eq!(once.clone().secret(), once);
    assert_eq!(Secret::new(once.clone()).into_inner(), "x".into());
    let inner = Object::from([("inner", once.clone())]);
    let nested = Value::from(inner.clone()).secret();
    assert_eq!(nested.plain(), &Value::from(inner), "secrets deeper inside stay");
}

#[test]
fn plain_takes_the_wrapping_from_the_top_only() {
    let wrapped = Value::from(Output::known(Value::from(Output::known(vec![Value::from(1).secret()])).secret()));
    let held = Value::from(vec![Value::from(1).secret()]);
    assert_eq!(wrapped.plain(), &held);
    assert_eq!(wrapped.into_plain(), held);

    let unknown = Value::from(Output { value: None, secret: true, dependencies: vec!["a".into()] });
    assert_eq!(unknown.clone().secret().into_plain(), unknown);
    assert!(unknown.is_unknown());
    assert!(!unknown.secret().is_unknown());
}

#[test]
fn without_secrets_reaches_every_depth_and_keeps_the_rest() {
    let archive = crate::Archive::members([("a", Asset::text("x"))]);
    let value = Object::from([
        ("list", Value::from(vec![Value::from(1).secret()]).secret()),
        (
            "output",
            Output { value: Some(Box::new(Value::from(2).secret())), secret: true, dependencies: vec![] }.into(),
        ),
        ("archive", archive.clone().into()),
        ("unknown", Value::Unknown.secret()),
    ]);
    let revealed = Object::from([
        ("list", Value::from(vec![Value::from(1)])),
        ("output", Output::known(2).into()),
        ("archive", archive.into()),
        ("unknown", Value::Unknown),
    ]);
    assert!(value.contains_secret() && !revealed.contains_secret());
    assert_eq!(value.clone().without_secrets(), revealed);
    assert_eq!(Value::from(value).without_secrets(), revealed.into());
}

#[test]
fn the_first_unknown_is_found_in_order_and_named_up_to_a_secret() {
    let nested = |value: Value| Object::from([("z", Value::Unknown), ("a", vec![Value::Null, value].into())]);
    let known = Value::from(Object::from([("b", reference(Some(ReferenceId::Known("i".into()))))]));
    for (value, place) in [
        (known, "z"),
        (Value::Unknown, "a[1]"),
        (Output::default().into(), "a[1]"),
        (reference(Some(ReferenceId::Unknown)), "a[1]"),
        (Object::from([("x.y", Value::Unknown)]).into(), r#"a[1]["x.y"]"#),
        (Value::Unknown.secret(), "a[1]"),
        (Value::from(Object::from([("hidden", Value::Unknown)])).secret(), "a[1]"),
        (Output::known(vec![Value::Unknown]).into(), "a[1]"),
    ] {
        let object = nested(value);
        let found = object.first_unknown().unwrap();
        assert_eq!(found.to_string(), place, "{object:?}");
        assert!(object.contains_unknown());
        let value = Value::from(object);
        assert_eq!(value.first_unknown(), Some(found.clone()));
        assert!(found.get(&value).unwrap().contains_unknown());
    }
    assert_eq!(Value::Unknown.first_unknown(), Some(PropertyPath::root()));
    assert_eq!(Object::from([("a", Value::Null)]).first_unknown(), None);
    assert_eq!(vec![Value::Null, Value::Unknown].into_iter().collect::<crate::List>().len(), 2);
    assert_eq!(Value::from(vec![Value::Unknown]).first_unknown(), Some(vec![Segment::Index(0)].into()));
}

#[test]
fn depth_and_nodes_count_every_value() {
    for (value, depth, nodes) in [
        (Value::Null, 1, 1),
        (Value::from(vec![]), 1, 1),
        (vec![Value::Null, vec![Value::Null].into()].into(), 3, 4),
        (Value::Null.secret(), 2, 2),
        (Output::default().into(), 1, 1),
        (crate::Archive::members([("a", Asset::text("x"))]).into(), 2, 2),
    ] {
        assert_eq!((value.depth(), value.nodes()), (depth, nodes), "{value:?}");
    }
}

#[test]
fn integers_become_the_nearest_double() {
    assert_eq!(Value::from(9_007_199_254_740_991_i64).as_number(), Some(9_007_199_254_740_991.0));
    assert_eq!(Value::from(9_007_199_254_740_993_i64).as_number(), Some(9_007_199_254_740_992.0));
}

#[test]
fn accessors_answer_for_their_kind_only() {
    let mut list = Value::from(vec![Value::from("x")]);
    list.as_list_mut().unwrap().push(true.into());
    assert_eq!(list.as_list().unwrap().get(1).and_then(Value::as_bool), Some(true));
    assert_eq!(list.as_list().unwrap().first().and_then(Value::as_str), Some("x"));
    let mut object = Value::from(Object::new());
    object.as_object_mut().unwrap().insert("a".into(), Value::Null);
    assert!(object.as_object().unwrap().get("a").is_some_and(Value::is_null));
    let secret = object.secret();
    assert!(secret.as_object().is_none() && secret.as_list().is_none() && secret.as_str().is_none());
    assert!(secret.plain().as_object().is_some());
}

#[test]
fn a_reference_stands_for_its_id_or_its_urn() {
    for (id, value) in [
        (None, Value::from("urn")),
        (Some(ReferenceId::new("i-1")), "i-1".into()),
        (Some(ReferenceId::new("")), Value::Unknown),
        (Some(ReferenceId::Known(String::new())), Value::Unknown),
    ] {
        let Value::Reference(reference) = reference(id) else { unreachable!() };
        assert_eq!(reference.downgraded(), value);
    }
}
