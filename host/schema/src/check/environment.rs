//! Defaults from environment variables, which are text whatever the property's type.

use bulkhead_value::Value;

use crate::{
    model::{Package, Primitive, Type},
    parse::{self, Json},
    walk::Shapes,
};

/// The value of a type that a text stands for, if it stands for one. Scalars are spelt as Pulumi's SDKs accept them, integers
/// as in Go's source; lists, maps and objects are JSON.
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
        Primitive::Integer => integer(text).map(Value::Number),
        Primitive::Number => text.trim().parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Number),
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

/// An integer of 64 bits: with a prefix that says its base (`0x`, `0o`, `0b`, or the zero of older octal numbers), with
/// single underscores between digits, without fraction and exponent.
#[expect(clippy::cast_precision_loss, reason = "the wire has doubles, which upstream rounds to as well")]
fn integer(text: &str) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => (text.get(..1).filter(|sign| *sign == "-").unwrap_or_default(), digits),
        None => ("", text),
    };
    let lower = digits.to_ascii_lowercase();
    let (base, digits) = match lower.as_str() {
        "0" => (10, "0"),
        prefixed if prefixed.starts_with("0x") => (16, prefixed.get(2..)?),
        prefixed if prefixed.starts_with("0o") => (8, prefixed.get(2..)?),
        prefixed if prefixed.starts_with("0b") => (2, prefixed.get(2..)?),
        prefixed if prefixed.starts_with('0') => (8, prefixed.get(1..)?),
        digits => (10, digits),
    };
    // An underscore may follow a prefix, but not begin a number without one.
    let mut groups = digits.split('_');
    let starts = groups.next()?;
    let may_start_empty = base != 10 && digits.len() > 1;
    if (starts.is_empty() && !may_start_empty) || groups.any(str::is_empty) || digits.starts_with(['+', '-']) {
        return None;
    }
    i64::from_str_radix(&format!("{sign}{}", digits.replace('_', "")), base).ok().map(|number| number as f64)
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn integers_are_spelt_as_in_go() {
        for (text, expected) in [
            ("0", Some(0.0)),
            ("-0", Some(0.0)),
            ("42", Some(42.0)),
            ("+42", Some(42.0)),
            ("-42", Some(-42.0)),
            ("0x10", Some(16.0)),
            ("-0XfF", Some(-255.0)),
            ("0o17", Some(15.0)),
            ("0b1", Some(1.0)),
            ("010", Some(8.0)),
            ("00", Some(0.0)),
            ("1_000", Some(1000.0)),
            ("0x_f_f", Some(255.0)),
            ("0_7", Some(7.0)),
            ("9223372036854775807", Some(9_223_372_036_854_775_807.0)),
            ("9223372036854775808", None),
            ("08", None),
            ("0x", None),
            ("0_", None),
            ("_1", None),
            ("1_", None),
            ("1__0", None),
            ("--1", None),
            ("0x-1", None),
            ("+", None),
            ("", None),
            (" 1", None),
            ("1e3", None),
            ("1.0", None),
            ("é", None),
        ] {
            assert_eq!(integer(text), expected, "{text}");
        }
    }
}
