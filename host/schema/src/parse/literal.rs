//! Values in the schema: defaults, constants, enum values.

use bulkhead_value::{List, Object, Value};
use serde_json::Value as Json;

use super::{
    node::{Node, kind},
    scope::Scope,
};
use crate::{
    model::{Primitive, Type},
    number,
};

/// The value that JSON writes. The recursion is bounded by that of the JSON parser.
pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
        Json::String(text) => Value::String(text.clone()),
        Json::Array(elements) => Value::List(elements.iter().map(value).collect::<List>()),
        Json::Object(members) => {
            Value::Object(members.iter().map(|(name, json)| (name.clone(), value(json))).collect::<Object>())
        }
    }
}

/// A primitive of this type, or a problem.
pub(super) fn primitive(node: &Node<'_>, expected: Primitive, scope: &mut Scope<'_>) -> Option<Value> {
    let value = value(node.json);
    if is_primitive(&value, expected) {
        return Some(value);
    }
    scope.report(node, format!("expected {expected}, got {}", kind(node.json)));
    None
}

/// A default or a constant of a type, or a problem. Only primitives have them.
pub(super) fn assignable(node: &Node<'_>, ty: &Type, scope: &mut Scope<'_>) -> Option<Value> {
    let value = value(node.json);
    if accepts(ty, &value, scope) {
        return Some(value);
    }
    let hint = "only booleans, numbers and strings can be given, and only to a property of their type";
    scope.report_with(node, format!("{} can't be assigned to the property's type", kind(node.json)), hint);
    None
}

/// Whether a value could be of a type, as far as can be told before the types are read: of lists and objects, only the
/// kind.
pub(super) fn is_plausible(ty: &Type, value: &Value, scope: &Scope<'_>) -> bool {
    match (ty, value) {
        (Type::Any, _) | (Type::Array(_), Value::List(_)) | (Type::Map(_) | Type::Object(_), Value::Object(_)) => true,
        (Type::Union(union), value) => union.variants.iter().any(|variant| is_plausible(variant, value, scope)),
        (ty, value) => accepts(ty, value, scope),
    }
}

fn accepts(ty: &Type, value: &Value, scope: &Scope<'_>) -> bool {
    match ty {
        Type::Boolean => is_primitive(value, Primitive::Boolean),
        Type::Integer => is_primitive(value, Primitive::Integer),
        Type::Number => is_primitive(value, Primitive::Number),
        Type::String | Type::Json => is_primitive(value, Primitive::String),
        Type::Enum(token) => scope.underlying(token).is_some_and(|underlying| is_primitive(value, underlying)),
        Type::Union(union) => union.variants.iter().any(|variant| accepts(variant, value, scope)),
        Type::Any => matches!(value, Value::Bool(_) | Value::Number(_) | Value::String(_)),
        Type::Array(_) | Type::Map(_) | Type::Object(_) | Type::Asset | Type::Archive | Type::Resource(_) => false,
    }
}

fn is_primitive(value: &Value, primitive: Primitive) -> bool {
    match (primitive, value) {
        (Primitive::Boolean, Value::Bool(_))
        | (Primitive::Number, Value::Number(_))
        | (Primitive::String, Value::String(_)) => true,
        (Primitive::Integer, Value::Number(number)) => number::is_integer(*number),
        _ => false,
    }
}
