//! Defaults from environment variables, which are text whatever the property's type.

use bulkhead_value::Value;

use crate::{
    model::{Package, Primitive, Type},
    parse::{self, Json},
    walk::Shapes,
};

/// The value of a type that a text stands for, if it stands for one. Truth values are spelt as Pulumi's SDKs accept them;
/// lists, maps and objects are JSON.
pub(super) fn value(package: &Package, ty: &Type, text: &str) -> Option<Value> {
    let candidates = [
        truth(text).map(Value::Bool),
        text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::Number),
        Json::parse(text.as_bytes()).ok().map(|json| parse::value(&json)),
    ];
    let text = Value::from(text);
    // A string stays one, even if it could be read as something else.
    let as_text = takes_text(package, ty).then_some(text);
    let mut candidates = as_text.into_iter().chain(candidates.into_iter().flatten());
    candidates.find(|candidate| Shapes::new(package).fits(ty, candidate))
}

fn takes_text(package: &Package, ty: &Type) -> bool {
    match ty {
        Type::String | Type::Json | Type::Any | Type::Resource(_) => true,
        Type::Enum(token) => package.enum_type(token).is_some_and(|ty| ty.underlying == Primitive::String),
        Type::Union(union) => union.variants.iter().any(|variant| takes_text(package, variant)),
        _ => false,
    }
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}
