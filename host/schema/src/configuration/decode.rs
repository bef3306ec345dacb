//! From text to values.

use std::borrow::Cow;

use bulkhead_value::{Object, Value};

use crate::{
    model::{Package, Primitive, Type},
    parse::{self, Json},
    spelling,
    walk::{Shapes, rewrapped},
};

/// The key that marks an object as a value that JSON has no word for, and the signature of a secret: SDKs write secrets
/// inside a list or map into its JSON.
const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// The configuration with every value as the schema types it: where a string stands for something else, and is its JSON,
/// what it stands for. Secret strings become secret values. What can't be decoded, or isn't declared, stays as it is, but
/// for scalars in another spelling where a variable [`coerces`](crate::typed()).
pub fn typed(package: &Package, given: &Object) -> Object {
    let members = given.iter().map(|(name, value)| {
        let property = package.configuration.properties.get(name);
        let decoded = property.and_then(|property| decoded(package, &property.ty, value));
        (name.clone(), decoded.unwrap_or_else(|| value.clone()))
    });
    let decoded: Object = members.collect();
    match spelling::typed(package, &package.configuration, &decoded) {
        Cow::Owned(typed) => typed,
        Cow::Borrowed(_) => decoded,
    }
}

fn decoded(package: &Package, ty: &Type, value: &Value) -> Option<Value> {
    let text = value.plain().as_str()?;
    let keeps_text = is_text(package, ty) && Shapes::new(package).fits(ty, value);
    let json = if keeps_text { return None } else { Json::parse(text.as_bytes()).ok()? };
    let meant = from_json(&json);
    if !Shapes::new(package).fits(ty, &meant) && Shapes::new(package).fits(ty, value) {
        return None;
    }
    Some(rewrapped(value, meant))
}

/// Whether a string can only stand for itself.
fn is_text(package: &Package, ty: &Type) -> bool {
    match ty {
        Type::String | Type::Json | Type::Resource(_) | Type::Any => true,
        Type::Enum(token) => package.enum_type(token).is_some_and(|ty| ty.underlying == Primitive::String),
        Type::Union(union) => union.variants.iter().all(|variant| is_text(package, variant)),
        _ => false,
    }
}

fn from_json(json: &Json<'_>) -> Value {
    match json {
        Json::Array(elements) => Value::from(elements.iter().map(from_json).collect::<Vec<_>>()),
        Json::Object(members) if members.get(SIGNATURE).and_then(Json::as_str) == Some(SECRET) => {
            members.get("value").map_or(Value::Null, from_json).secret()
        }
        Json::Object(members) => Value::Object(members.iter().map(|(name, json)| (name, from_json(json))).collect()),
        Json::String(text) if text == UNKNOWN => Value::Unknown,
        json => parse::value(json),
    }
}
