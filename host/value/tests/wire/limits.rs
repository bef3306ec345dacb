//! Values that are deep, wide or large.

use std::thread;

use bulkhead_value::{Bounds, Object, PropertyPath, Segment, Value, wire};

use crate::structs::field;

const ALL: wire::Capabilities = wire::Capabilities::ALL;

/// Lists in each other, with a total depth of so many levels.
fn lists(depth: usize) -> Value {
    (1..depth).fold(Value::Null, |value, _| vec![value].into())
}

fn bags(depth: usize) -> Object {
    let mut object = Object::new();
    for _ in 1..depth {
        object = Object::from([("a", Value::from(object))]);
    }
    object
}

fn no_limit() -> Bounds {
    Bounds { depth: usize::MAX, nodes: usize::MAX, bytes: usize::MAX }
}

#[test]
fn a_thousand_levels_pass() {
    for object in [Object::from([("a", lists(999))]), bags(1_000), Object::from([("a", lists(1_023))]), bags(1_024)] {
        let bytes = wire::encode::properties(&object, &ALL).unwrap();
        assert_eq!(wire::decode::properties(&bytes, &Bounds::default()), Ok(object));
    }
}

#[test]
fn one_level_too_many_is_an_error_and_so_are_ten_thousand() {
    for depth in [1_024, 10_000] {
        let bytes = wire::encode::properties(&Object::from([("deep", lists(depth))]), &ALL).unwrap();
        let error = wire::decode::properties(&bytes, &Bounds::default()).unwrap_err();
        let mut place = PropertyPath::field("deep");
        (0..1_023).for_each(|_| place.push(Segment::Index(0)));
        assert_eq!(error.path, place);
        let message = error.to_string();
        assert!(message.starts_with("decode property `deep[0][0][0]"), "{message}");
        assert!(
            message
                .ends_with("[0][0…`: it is nested more than 1024 levels deep; hint: this is fixed: pass what is so deep as a text, such as JSON"),
            "{message}"
        );
        assert!(message.len() < 300, "{message}");
    }
}

#[test]
fn a_long_name_in_an_error_is_cut() {
    let name = "n".repeat(100_000);
    let value = Object::from([(name.as_str(), Value::from(Object::from([("x", Value::Unknown)])))]);
    let error = wire::encode::properties(&value, &wire::Capabilities::NONE).unwrap_err().to_string();
    assert!(error.starts_with("encode property `nnn") && error.contains("n…`: an unknown value"), "{error}");
    assert!(error.len() < 300);
}

#[test]
fn a_hundred_thousand_levels_take_no_stack() {
    let run = || {
        let secret = |depth| Value::from(vec![lists(depth)]).secret();
        for value in [lists(100_000), bags(100_000).into(), secret(100_000)] {
            let bytes = wire::encode::value(&value, &ALL).unwrap();
            assert!(wire::decode::value(&bytes, &no_limit()) == Ok(value));
            assert!(wire::decode::value(&bytes, &Bounds::default()).is_err());
        }
        let unknown = (0..100_000).fold(Value::Unknown, |value, _| vec![value].into());
        let error = wire::encode::value(&unknown, &wire::Capabilities::NONE).unwrap_err();
        assert_eq!(error.path.segments().len(), 100_000);
    };
    thread::Builder::new().stack_size(128 << 10).spawn(run).unwrap().join().unwrap();
}

#[test]
fn values_are_counted_and_refused_past_the_limit() {
    let value = Value::from(vec![Value::Null; 9]);
    let bytes = wire::encode::value(&value, &ALL).unwrap();
    let bounds = |nodes| Bounds { nodes, ..Bounds::default() };
    assert_eq!(wire::decode::value(&bytes, &bounds(10)), Ok(value));
    let error = wire::decode::value(&bytes, &bounds(9)).unwrap_err().to_string();
    assert_eq!(
        error,
        "decode property `[8]`: there are more than 9 values; hint: this is fixed: pass so many as an asset, or as a text"
    );

    // At four bytes each, it is the limit and not the bytes that holds memory back.
    let many = field(6, &[0x0a, 0x02, 0x08, 0x00].repeat(2_000_000));
    let error = wire::decode::value(&many, &Bounds::default()).unwrap_err();
    assert_eq!(error.fault, wire::decode::Fault::TooManyNodes { limit: 2_000_000 });
}

#[test]
fn bytes_are_counted_and_refused_past_the_limit() {
    let value = Value::from("x".repeat(100));
    let bytes = wire::encode::value(&value, &ALL).unwrap();
    let bounds = |bytes| Bounds { bytes, ..Bounds::default() };
    assert_eq!(wire::decode::value(&bytes, &bounds(102)), Ok(value));
    let error = wire::decode::value(&bytes, &bounds(101)).unwrap_err().to_string();
    assert_eq!(
        error,
        "decode the value: it has 102 bytes, more than 101; hint: this is fixed: pass large contents as an asset"
    );
    let error = wire::decode::properties(&bytes, &bounds(0)).unwrap_err().to_string();
    assert_eq!(
        error,
        "decode the value: it has 102 bytes, more than 0; hint: this is fixed: pass large contents as an asset"
    );
}

#[test]
fn a_string_of_64_mib_passes() {
    let object = Object::from([("p", "é".repeat(32 << 20))]);
    let bytes = wire::encode::properties(&object, &ALL).unwrap();
    assert!(wire::decode::properties(&bytes, &Bounds::default()) == Ok(object));
}

#[test]
fn a_hundred_thousand_members_pass() {
    let members = |i: i32| Object::from([("id", Value::from(i)), ("tags", vec!["x".into(), Value::Null].into())]);
    let object: Object = (0..20_000).map(|i| (format!("member {i}"), Value::from(members(i)))).collect();
    let bytes = wire::encode::properties(&object, &ALL).unwrap();
    assert_eq!(Value::from(object.clone()).nodes(), 100_001);
    assert!(wire::decode::properties(&bytes, &Bounds::default()) == Ok(object));
}
