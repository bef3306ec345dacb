//! `google.protobuf.Struct` from JSON, by prost; and by hand, for what no encoder writes.

use prost::Message;
use prost_types::{ListValue, Struct, Value as Proto, value::Kind};
use serde_json::Value as Json;

/// The `Value` that stands for this JSON.
pub(crate) fn proto(json: &Json) -> Proto {
    let kind = match json {
        Json::Null => Kind::NullValue(0),
        Json::Bool(truth) => Kind::BoolValue(*truth),
        Json::Number(number) => Kind::NumberValue(number.as_f64().unwrap()),
        Json::String(text) => Kind::StringValue(text.clone()),
        Json::Array(items) => Kind::ListValue(ListValue { values: items.iter().map(proto).collect() }),
        Json::Object(_) => Kind::StructValue(structure(json)),
    };
    Proto { kind: Some(kind) }
}

/// The `Struct` that stands for this JSON object.
pub(crate) fn structure(json: &Json) -> Struct {
    let fields = json.as_object().unwrap();
    Struct { fields: fields.iter().map(|(name, value)| (name.clone(), proto(value))).collect() }
}

/// The bytes of that `Struct`.
pub(crate) fn bytes(json: &Json) -> Vec<u8> {
    structure(json).encode_to_vec()
}

/// A varint.
pub(crate) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A length-delimited field.
pub(crate) fn field(number: u64, content: &[u8]) -> Vec<u8> {
    [varint(number << 3 | 2), varint(content.len() as u64), content.to_vec()].concat()
}

/// A `Struct` with one member, whose `Value` has this content.
pub(crate) fn member(name: &str, value: &[u8]) -> Vec<u8> {
    field(1, &[field(1, name.as_bytes()), field(2, value)].concat())
}
