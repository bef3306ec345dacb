//! Property values pass through a message unread: byte for byte, however deep, and told apart from absent ones.

#![expect(clippy::unwrap_used, reason = "a test whose premises don't hold has failed")]

use bulkhead_proto::provider::{CheckRequest, ConfigureRequest, ConstructRequest};
use bulkhead_proto::raw::{Struct, Value};
use bytes::Bytes;
use proptest::prelude::*;
use prost::Message;

/// `CheckRequest` as plain prost would have it: decoded, by recursion.
#[derive(Clone, PartialEq, Message)]
struct DecodedCheckRequest {
    #[prost(message, optional, tag = "3")]
    news: Option<prost_types::Struct>,
}

fn text(value: &str) -> prost_types::Value {
    prost_types::Value { kind: Some(prost_types::value::Kind::StringValue(value.to_owned())) }
}

fn properties() -> prost_types::Struct {
    let inner = prost_types::Struct { fields: [("deep".to_owned(), text("värde"))].into() };
    let inner = prost_types::Value { kind: Some(prost_types::value::Kind::StructValue(inner)) };
    prost_types::Struct { fields: [("nested".to_owned(), inner), ("length".to_owned(), text("8"))].into() }
}

fn check(news: Option<Struct>) -> CheckRequest {
    CheckRequest { news, ..CheckRequest::default() }
}

/// `{"a": {"a": … {}}}`, `depth` structs within one another. Built from the inside out, thus backwards.
fn nested(depth: usize) -> Bytes {
    let mut reversed = Vec::new();
    let wrap = |key: u8, reversed: &mut Vec<u8>| {
        let mut prefix = vec![key];
        prost::encoding::encode_varint(u64::try_from(reversed.len()).unwrap(), &mut prefix);
        reversed.extend(prefix.iter().rev());
    };
    for _ in 1..depth {
        wrap(0x2a, &mut reversed); // Value.struct_value
        wrap(0x12, &mut reversed); // the entry's value
        reversed.extend(b"a\x01\x0a"); // the entry's key
        wrap(0x0a, &mut reversed); // Struct.fields
    }
    reversed.reverse();
    reversed.into()
}

#[test]
fn a_struct_survives_a_message_byte_for_byte() {
    let canonical = properties().encode_to_vec();
    let entry = |name: &str| prost_types::Struct { fields: [(name.to_owned(), text(name))].into() }.encode_to_vec();
    let unsorted_with_duplicates = [entry("z"), entry("a"), entry("z")].concat();
    // An entry with a field of its own kind, and one with its value before its key: no encoder we know writes them, peers may.
    let unusual = [b"\x0a\x05\x0a\x01k\x18\x07".as_slice(), b"\x0a\x06\x12\x01\x00\x0a\x01k"].concat();

    for bytes in [canonical, unsorted_with_duplicates, unusual] {
        let request = check(Some(Struct::from_bytes(bytes.clone())));
        let decoded = CheckRequest::decode(request.encode_to_vec().as_slice()).unwrap();
        assert_eq!(decoded, request);
        assert_eq!(decoded.news.unwrap().as_bytes(), bytes);
    }
}

#[test]
fn messages_read_and_write_what_plain_prost_does() {
    let plain = DecodedCheckRequest { news: Some(properties()) };
    let raw = CheckRequest::decode(plain.encode_to_vec().as_slice()).unwrap();
    assert_eq!(prost_types::Struct::decode(raw.news.clone().unwrap().into_bytes().as_slice()).unwrap(), properties());
    assert_eq!(DecodedCheckRequest::decode(raw.encode_to_vec().as_slice()).unwrap(), plain);
}

#[test]
fn ten_thousand_levels_pass_where_plain_prost_gives_up() {
    let bytes = nested(10_000);
    let encoded = check(Some(Struct::from_bytes(bytes.clone()))).encode_to_vec();
    assert_eq!(CheckRequest::decode(encoded.as_slice()).unwrap().news.unwrap().into_bytes(), bytes);
    let error = DecodedCheckRequest::decode(encoded.as_slice()).unwrap_err().to_string();
    assert!(error.contains("recursion limit reached"), "{error}");
}

#[test]
fn absent_and_empty_are_different() {
    let absent = check(None).encode_to_vec();
    let empty = check(Some(Struct::default())).encode_to_vec();
    assert_eq!(CheckRequest::decode(absent.as_slice()).unwrap().news, None);
    assert_eq!(CheckRequest::decode(empty.as_slice()).unwrap().news, Some(Struct::default()));
    assert_eq!(empty, b"\x1a\x00");
}

#[test]
fn a_value_keeps_scalars_too() {
    let trigger = prost_types::Value { kind: Some(prost_types::value::Kind::NumberValue(-0.5)) }.encode_to_vec();
    let request = ConstructRequest {
        replacement_trigger: Some(Value::from_bytes(trigger.clone())),
        ..ConstructRequest::default()
    };
    let decoded = ConstructRequest::decode(request.encode_to_vec().as_slice()).unwrap();
    assert_eq!(decoded.replacement_trigger.unwrap().as_bytes(), trigger);
    let null = prost_types::Value { kind: Some(prost_types::value::Kind::NullValue(0)) }.encode_to_vec();
    assert_eq!(Value::decode(null.as_slice()).unwrap().into_bytes(), null);
}

#[test]
fn truncated_messages_are_errors() {
    let encoded = check(Some(Struct::from_bytes(properties().encode_to_vec()))).encode_to_vec();
    for end in 1..encoded.len() {
        assert!(CheckRequest::decode(&encoded[..end]).is_err(), "the first {end} of {} bytes", encoded.len());
    }
}

#[test]
fn malformed_structs_are_errors() {
    let cases: [(&str, &[u8], &str); 6] = [
        ("an entry longer than its struct", b"\x1a\x03\x0a\x05a", "buffer underflow"),
        ("an entry of 16 EiB", b"\x1a\x0b\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "buffer underflow"),
        ("an entry that ends after its struct", b"\x1a\x03\x0a\x02ab\x00", "delimited length exceeded"),
        ("a group", b"\x1a\x02\x0b\x0c", "invalid wire type: StartGroup"),
        ("a number without an end", b"\x1a\x02\x08\xff", "invalid varint"),
        ("half a double", b"\x1a\x03\x11\x00\x00", "buffer underflow"),
    ];
    for (case, bytes, expected) in cases {
        let error = CheckRequest::decode(bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{case}: {error}");
        assert!(error.contains("CheckRequest.news"), "{case}: {error}");
    }
}

#[test]
fn debug_output_holds_no_values() {
    let secret = "hunter2";
    let news = prost_types::Struct { fields: [("password".to_owned(), text(secret))].into() }.encode_to_vec();
    let length = news.len();
    let shown = format!("{:?}", check(Some(Struct::from_bytes(news))));
    assert!(shown.contains(&format!("Struct({length} bytes)")) && !shown.contains(secret), "{shown}");

    let variables = [("aws:secretKey".to_owned(), secret.to_owned())].into();
    let shown = format!("{:?}", ConfigureRequest { variables, ..ConfigureRequest::default() });
    assert_eq!(shown, "ConfigureRequest { .. }");
}

proptest! {
    /// A peer chooses these bytes. What is accepted once is kept: a second pass through the wire changes nothing.
    #[test]
    fn whatever_is_accepted_stays_as_it_is(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(kept) = Struct::decode(bytes.as_slice()) {
            let request = check(Some(kept));
            prop_assert_eq!(CheckRequest::decode(request.encode_to_vec().as_slice()).unwrap(), request);
        }
    }

    /// Cloned bytes are shared: decoding into one holder never changes what another holds.
    #[test]
    fn merging_appends_and_leaves_clones_alone(names in proptest::collection::vec("[a-z]{1,9}", 1..9)) {
        let mut all = Struct::default();
        let mut expected = Vec::new();
        for name in &names {
            let entry = prost_types::Struct { fields: [(name.clone(), text(name))].into() }.encode_to_vec();
            let (before, seen) = (all.clone(), expected.clone());
            all.merge(entry.as_slice()).unwrap();
            expected.extend(entry);
            prop_assert_eq!(before.as_bytes(), seen);
            prop_assert_eq!(all.as_bytes(), expected.as_slice());
        }
    }
}
