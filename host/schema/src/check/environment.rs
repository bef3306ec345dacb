//! Defaults from environment variables, which are text whatever the property's type.

mod numerals;

use bulkhead_value::Value;

use crate::{
    model::{Package, Primitive, Type},
    parse::{self, Json},
    walk::Shapes,
};

/// The value of a type that a text stands for, if it stands for one. Scalars are spelt as Pulumi's SDKs accept them, numbers
/// as in Go's source too; lists, maps and objects are JSON.
pub(super) fn value(package: &Package, ty: &Type, text: &str) -> Option<Value> {
    // A string stays one, even if it could be read as something else.
    if takes_text(package, ty) {
        let text = Value::from(text);
        if Shapes::new(package).fits(ty, &text) {
            return Some(text);
        }
    }
    let value = match ty {
        Type::Boolean => scalar(Primitive::Boolean, text)?,
        Type::Integer => scalar(Primitive::Integer, text)?,
        Type::Number => scalar(Primitive::Number, text)?,
        Type::Enum(token) => scalar(package.enum_type(token)?.underlying, text)?,
        // Unions are nested only as deep as the document.
        Type::Union(union) => return union.variants.iter().find_map(|variant| value(package, variant, text)),
        _ => parse::value(&Json::parse(text.as_bytes()).ok()?),
    };
    Shapes::new(package).fits(ty, &value).then_some(value)
}

fn takes_text(package: &Package, ty: &Type) -> bool {
    match ty {
        Type::String | Type::Json | Type::Any | Type::Resource(_) => true,
        Type::Enum(token) => package.enum_type(token).is_some_and(|ty| ty.underlying == Primitive::String),
        Type::Union(union) => union.variants.iter().any(|variant| takes_text(package, variant)),
        _ => false,
    }
}

fn scalar(wanted: Primitive, text: &str) -> Option<Value> {
    match wanted {
        Primitive::Boolean => truth(text).map(Value::Bool),
        Primitive::Integer => numerals::integer(text).map(Value::Number),
        Primitive::Number => numerals::number(text.trim()).map(Value::Number),
        Primitive::String => None,
    }
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}
