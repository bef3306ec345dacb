//! What is as good as nothing.

use bulkhead_value::Value;

use super::is_foreign;
use crate::model::Property;

/// Whether a value is as good as none: null, or empty where the property says that this means the same. An object whose
/// members are null, or belong to others, is empty too.
pub(crate) fn is_absent(property: &Property, value: &Value) -> bool {
    let value = value.plain();
    value.is_null() || (property.facts.empty_is_absent && is_empty(value))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::List(list) => list.is_empty(),
        Value::Object(object) => object.iter().all(|(name, member)| is_foreign(name, None) || member.plain().is_null()),
        _ => false,
    }
}
