//! Values in the schema: defaults, constants, enum values.

use bulkhead_value::{List, Object, Value};

use super::{
    json::Json,
    node::{Node, kind},
    scope::Scope,
};
use crate::{
    model::{Primitive, Type, Union},
    number,
};

/// The first magnitude that an integer of 32 bits doesn't have.
const NARROW: f64 = 2_147_483_648.0;

/// The value that JSON writes. The recursion is bounded by that of the JSON parser.
pub(crate) fn value(json: &Json<'_>) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => Value::Number(*number),
        Json::String(text) => Value::String(text.clone().into_owned()),
        Json::Array(elements) => Value::List(elements.iter().map(value).collect::<List>()),
        Json::Object(members) => {
            Value::Object(members.iter().map(|(name, json)| (name, value(json))).collect::<Object>())
        }
    }
}

/// A primitive of this type, or a problem.
pub(super) fn primitive(node: &Node<'_>, expected: Primitive, scope: &mut Scope<'_>) -> Option<Value> {
    let value = value(node.json);
    if is_given(&value, expected) {
        return Some(value);
    }
    let got = if is_primitive(&value, expected) { "one that doesn't fit 32 bits" } else { kind(node.json) };
    scope.report(node, format!("expected {expected}, got {got}"));
    None
}

/// A default of a type, or a problem. Only primitives, enums and unions with some have one. What a type of another package
/// is, isn't known: it may be an enum.
pub(super) fn default(node: &Node<'_>, ty: &Type, is_foreign: bool, scope: &mut Scope<'_>) -> Option<Value> {
    let value = value(node.json);
    let is_assignable = match ty {
        _ if is_foreign => matches!(value, Value::Bool(_) | Value::Number(_) | Value::String(_)),
        Type::Union(Union { underlying: Some(underlying), .. }) => is_given(&value, *underlying),
        Type::Union(union) => union.variants.iter().any(|variant| is_default(variant, &value, scope)),
        ty => is_default(ty, &value, scope),
    };
    assigned(node, value, is_assignable, scope)
}

/// A constant of a type, or a problem. Only primitives have one.
pub(super) fn constant(node: &Node<'_>, ty: &Type, scope: &mut Scope<'_>) -> Option<Value> {
    let value = value(node.json);
    let is_assignable = primitive_of(ty).is_some_and(|primitive| is_given(&value, primitive));
    assigned(node, value, is_assignable, scope)
}

fn assigned(node: &Node<'_>, value: Value, is_assignable: bool, scope: &mut Scope<'_>) -> Option<Value> {
    if is_assignable {
        return Some(value);
    }
    let hint = match value {
        Value::Number(number) if number::is_integer(number) && number.abs() >= NARROW => {
            "integers in a schema have 32 bits, as in the languages of programs"
        }
        _ => "only booleans, numbers and strings can be given, and only to a property of their type",
    };
    scope.report_with(node, format!("{} can't be assigned to the property's type", kind(node.json)), hint);
    None
}

fn is_default(ty: &Type, value: &Value, scope: &Scope<'_>) -> bool {
    match ty {
        Type::Enum(token) => scope.underlying(token).is_some_and(|underlying| is_given(value, underlying)),
        // Unions are nested only as deep as the document.
        Type::Union(union) => union.variants.iter().any(|variant| is_default(variant, value, scope)),
        ty => primitive_of(ty).is_some_and(|primitive| is_given(value, primitive)),
    }
}

fn primitive_of(ty: &Type) -> Option<Primitive> {
    match ty {
        Type::Boolean => Some(Primitive::Boolean),
        Type::Integer => Some(Primitive::Integer),
        Type::Number => Some(Primitive::Number),
        Type::String => Some(Primitive::String),
        _ => None,
    }
}

/// Whether a value is of a primitive type, as it stands in a schema: programs have integers of 32 bits there.
fn is_given(value: &Value, primitive: Primitive) -> bool {
    let is_wide = matches!((primitive, value), (Primitive::Integer, Value::Number(number)) if !(-NARROW..NARROW).contains(number));
    is_primitive(value, primitive) && !is_wide
}

/// Whether a value could be of a type, as far as can be told before the types are read: of lists and objects, only the
/// kind.
pub(super) fn is_plausible(ty: &Type, value: &Value, scope: &Scope<'_>) -> bool {
    match (ty, value) {
        (Type::Any | Type::Json, _)
        | (Type::Array(_), Value::List(_))
        | (Type::Map(_) | Type::Object(_), Value::Object(_)) => true,
        (Type::Union(union), value) => union.variants.iter().any(|variant| is_plausible(variant, value, scope)),
        (ty, value) => accepts(ty, value, scope),
    }
}

fn accepts(ty: &Type, value: &Value, scope: &Scope<'_>) -> bool {
    match ty {
        Type::Boolean => is_primitive(value, Primitive::Boolean),
        Type::Integer => is_primitive(value, Primitive::Integer),
        Type::Number => is_primitive(value, Primitive::Number),
        Type::String => is_primitive(value, Primitive::String),
        Type::Enum(token) => scope.underlying(token).is_some_and(|underlying| is_primitive(value, underlying)),
        Type::Union(union) => union.variants.iter().any(|variant| accepts(variant, value, scope)),
        Type::Any | Type::Json => matches!(value, Value::Bool(_) | Value::Number(_) | Value::String(_)),
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
