//! From text to values.

use std::borrow::Cow;

use bulkhead_value::{Object, Value, signature};

use crate::{
    model::{Package, Primitive, Type},
    number::is_spelt_exactly,
    parse::{self, Json},
    spelling,
    walk::{Shapes, rewrapped},
};

/// The configuration with every value as the schema types it: where a string stands for something else, and is its JSON,
/// what it stands for. Secret strings become secret values, unless marks within them say what of them is secret; text that marks
/// a secret or an output is decoded whatever the type, and any JSON where any value may stand. No text at all, where none is
/// wanted, is nothing: so bridged providers write it. What can't be decoded, or isn't declared, stays as it is, but for scalars
/// in another spelling where a variable [`coerces`](crate::typed()).
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
    if text.is_empty() && !is_text(package, ty) && !Shapes::new(package).fits(ty, value) {
        return Some(rewrapped(value, Value::Null));
    }
    let keeps_text = is_text(package, ty) && Shapes::new(package).fits(ty, value);
    // SDKs write what isn't a plain string as JSON, whatever its type.
    if keeps_text && !text.contains(signature::KEY) && !text.starts_with('"') {
        return None;
    }
    let json = Json::parse(text.as_bytes()).ok()?;
    if keeps_text && marked(&json).is_none() && !is_quoted(ty, &json) {
        return None;
    }
    // The program gave text, and means what it says: a number nearby is another one.
    if let (Type::Integer, Json::Number(number)) = (ty, &json)
        && number.fract() == 0.0
        && !is_spelt_exactly(*number, text.trim())
    {
        return None;
    }
    let meant = from_json(&json);
    if !Shapes::new(package).fits(ty, &meant) && Shapes::new(package).fits(ty, value) {
        return None;
    }
    match value {
        // A check makes a text secret as a whole where something within it is. What that is, its own marks say.
        Value::Secret(text) if matches!(text.inner(), Value::String(_)) && meant.contains_secret() => Some(meant),
        _ => Some(rewrapped(value, meant)),
    }
}

/// Whether a text is the JSON of the string that is meant: SDKs put quotes around documents, and some around what may be one of
/// an enum. A document that is a string itself has no list and no object in it, and no value of an enum's union has quotes.
fn is_quoted(ty: &Type, json: &Json<'_>) -> bool {
    let Some(inner) = json.as_str() else { return false };
    match ty {
        Type::Json => matches!(Json::parse(inner.as_bytes()), Ok(Json::Array(_) | Json::Object(_))),
        Type::Union(union) => union.variants.iter().any(|variant| matches!(variant, Type::Enum(_))),
        _ => false,
    }
}

/// That a text should be the JSON of a list or an object, and is no JSON at all. Where it breaks is told, and not what stands there: it may
/// be secret.
pub(super) fn unread(package: &Package, name: &str, given: &Value) -> Option<String> {
    let kind = match package.configuration.properties.get(name)?.ty {
        Type::Array(_) => "a list",
        Type::Map(_) | Type::Object(_) => "an object",
        _ => return None,
    };
    let error = Json::parse(given.plain().as_str()?.as_bytes()).err()?;
    Some(format!(
        "expected {kind} as JSON, and the text isn't valid JSON: it breaks at line {}, column {}",
        error.line(),
        error.column()
    ))
}

/// Whether a string can only stand for itself. What may be any value may be one of which there is the JSON.
fn is_text(package: &Package, ty: &Type) -> bool {
    match ty {
        Type::String | Type::Json | Type::Resource(_) => true,
        Type::Enum(token) => package.enum_type(token).is_some_and(|ty| ty.underlying == Primitive::String),
        Type::Union(union) => union.variants.iter().all(|variant| is_text(package, variant)),
        _ => false,
    }
}

fn from_json(json: &Json<'_>) -> Value {
    match json {
        Json::Array(elements) => Value::from(elements.iter().map(from_json).collect::<Vec<_>>()),
        Json::Object(members) => marked(json)
            .unwrap_or_else(|| Value::Object(members.iter().map(|(name, json)| (name, from_json(json))).collect())),
        Json::String(text) if signature::is_unknown(text) => Value::Unknown,
        json => parse::value(json),
    }
}

/// The value that an object stands for, if it is marked as something that JSON has no word for: a secret, or an output,
/// whose dependencies mean nothing in a configuration.
fn marked(json: &Json<'_>) -> Option<Value> {
    let value = || json.get("value").map(from_json);
    match json.get(signature::KEY).and_then(Json::as_str)? {
        signature::SECRET => Some(value().unwrap_or(Value::Null).secret()),
        signature::OUTPUT => {
            let value = value().unwrap_or(Value::Unknown);
            let is_secret = json.get("secret").and_then(Json::as_bool).unwrap_or_default();
            Some(if is_secret { value.secret() } else { value })
        }
        _ => None,
    }
}
