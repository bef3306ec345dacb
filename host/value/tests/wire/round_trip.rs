//! What is written is read back the same, by this decoder and by another.

use bulkhead_value::{Bounds, Object, Value, wire};
use proptest::prelude::*;
use prost::Message;
use prost_types::{ListValue, Struct, Value as Proto, value::Kind};

use crate::arbitrary::{plain, properties, value};

const ALL: wire::Capabilities = wire::Capabilities::ALL;

fn same_bits(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.to_bits() == b.to_bits(),
        (Value::List(a), Value::List(b)) => a.iter().zip(b).all(|(a, b)| same_bits(a, b)),
        (Value::Object(a), Value::Object(b)) => a.values().zip(b.values()).all(|(a, b)| same_bits(a, b)),
        (a, b) => a == b,
    }
}

/// What the definition says a plain value is.
fn proto(value: &Value) -> Proto {
    let kind = match value {
        Value::Null => Kind::NullValue(0),
        Value::Bool(truth) => Kind::BoolValue(*truth),
        Value::Number(number) => Kind::NumberValue(*number),
        Value::String(text) => Kind::StringValue(text.clone()),
        Value::List(items) => Kind::ListValue(ListValue { values: items.iter().map(proto).collect() }),
        Value::Object(object) => Kind::StructValue(structure(object)),
        other => panic!("{} isn't plain", other.kind()),
    };
    Proto { kind: Some(kind) }
}

fn structure(object: &Object) -> Struct {
    Struct { fields: object.iter().map(|(name, value)| (name.clone(), proto(value))).collect() }
}

proptest! {
    #[test]
    fn values_are_read_back_the_same(value in value()) {
        let bytes = wire::encode::value(&value, &ALL).unwrap();
        let decoded = wire::decode::value(&bytes, &Bounds::default()).unwrap();
        prop_assert_eq!(&decoded, &value);
        prop_assert!(decoded.clone() == value);
        prop_assert_eq!(wire::encode::value(&decoded, &ALL).unwrap(), bytes, "written the same again");
    }

    #[test]
    fn properties_are_read_back_the_same(object in properties()) {
        let bytes = wire::encode::properties(&object, &ALL).unwrap();
        prop_assert_eq!(wire::decode::properties(&bytes, &Bounds::default()).unwrap(), object);
    }

    #[test]
    fn another_decoder_reads_what_is_written(object in properties()) {
        let bytes = wire::encode::properties(&object, &ALL).unwrap();
        let copied = Struct::decode(bytes.as_slice()).unwrap().encode_to_vec();
        prop_assert_eq!(wire::decode::properties(&copied, &Bounds::default()).unwrap(), object);
    }

    #[test]
    fn plain_values_are_what_the_definition_says(value in plain()) {
        let bytes = proto(&value).encode_to_vec();
        let decoded = wire::decode::value(&bytes, &Bounds::default()).unwrap();
        prop_assert!(same_bits(&decoded, &value));
        let written = wire::encode::value(&decoded, &wire::Capabilities::NONE).unwrap();
        prop_assert_eq!(Proto::decode(written.as_slice()).unwrap().encode_to_vec(), bytes);
    }

    #[test]
    fn a_receiver_of_nothing_gets_nothing_it_does_not_take(object in properties()) {
        match wire::encode::properties(&object, &wire::Capabilities::NONE) {
            Ok(bytes) => {
                let decoded = wire::decode::properties(&bytes, &Bounds::default()).unwrap();
                prop_assert!(!decoded.contains_secret() && !decoded.contains_unknown());
                prop_assert!(!object.contains_unknown());
            }
            Err(error) => prop_assert!(error.path.first_name().is_some_and(|name| object.contains_key(name))),
        }
    }

    #[test]
    fn a_value_without_unknowns_is_equivalent_to_itself_without_secrets(value in value()) {
        let revealed = value.clone().without_secrets();
        prop_assert!(!revealed.contains_secret());
        prop_assert_eq!(value.contains_unknown(), value.first_unknown().is_some());
        if !value.contains_unknown() {
            prop_assert!(bulkhead_value::equivalent(&value, &revealed));
        }
    }

    #[test]
    fn equality_is_symmetric(a in value(), b in value()) {
        prop_assert_eq!(a == b, b == a);
        prop_assert_eq!(bulkhead_value::equivalent(&a, &b), bulkhead_value::equivalent(&b, &a));
    }
}
