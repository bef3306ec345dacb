//! Scalars in another spelling.
//!
//! Programs without types of their own write `version: 1` where the schema says string, and `"12"` where it says integer;
//! native providers that were bridged have always taken both. A property can say that it does too (`coerces`). What was
//! given is still never changed: an engine gets it back and compares it. Only where a value is used, by a comparison, a
//! preview or a guest, it is what the schema types it as.

use std::borrow::Cow;

use bulkhead_value::{Object, Value};

use crate::{
    model::{ObjectType, Package, Primitive, Type},
    number,
    walk::{Edits, Shape, Shapes, Step, Walk, can_hold, is_foreign, rewrapped},
};

/// The inputs with every scalar as its type has it, wherever a property `coerces`; the very inputs if there is nothing to
/// change. This is what a guest gets.
///
/// A boolean or a number where a string is wanted becomes `true`, `false` or its shortest decimal form, without an
/// exponent. A string where a number is wanted is read as a decimal number, and as an integer only if there is this very one:
/// nothing is rounded; where a boolean is wanted, `true` and `false` are read. Everything else stays as it is, and a check
/// refuses it.
pub fn typed<'v>(package: &Package, ty: &ObjectType, given: &'v Object) -> Cow<'v, Object> {
    if !package.coerces {
        return Cow::Borrowed(given);
    }
    let edits = edits(package, ty, given);
    if edits.is_empty() {
        return Cow::Borrowed(given);
    }
    let mut typed = given.clone();
    edits.apply(&mut typed);
    Cow::Owned(typed)
}

/// A value that was given.
struct Given<'a> {
    value: &'a Value,
    ty: &'a Type,
    coerces: bool,
}

fn edits<'a>(package: &'a Package, ty: &'a ObjectType, given: &'a Object) -> Edits<'a> {
    let mut shapes = Shapes::new(package);
    let mut walk = Walk::new();
    let mut edits = Edits::default();
    fields(&mut shapes, &mut walk, ty, given);
    while let Some(Given { value: given, ty, coerces }) = walk.next() {
        let value = given.plain();
        if value.is_unknown() {
            continue;
        }
        match shapes.of(ty, value) {
            Ok(Shape::Items(list, ty)) => {
                for (index, value) in list.iter().enumerate() {
                    walk.push(Step::Index(index), Given { value, ty, coerces });
                }
            }
            Ok(Shape::Entries(object, ty)) => {
                for (name, value) in object.iter().filter(|(name, _)| !is_foreign(name, None)) {
                    walk.push(Step::Key(name), Given { value, ty, coerces });
                }
            }
            Ok(Shape::Fields(object, ty)) => fields(&mut shapes, &mut walk, ty, object),
            Ok(Shape::Leaf) => {}
            Err(_) if coerces => {
                if let Some(meant) = respelt(&mut shapes, ty, value) {
                    edits.replace(&walk, rewrapped(given, meant));
                }
            }
            Err(_) => {}
        }
    }
    edits
}

fn fields<'a>(shapes: &mut Shapes<'a>, walk: &mut Walk<'a, Given<'a>>, ty: &'a ObjectType, object: &'a Object) {
    for (name, value) in object {
        if let Some(property) = ty.properties.get(name)
            && (property.facts.coerces || can_hold(shapes, &property.ty, |property| property.facts.coerces))
        {
            walk.push(Step::Field(name), Given { value, ty: &property.ty, coerces: property.facts.coerces });
        }
    }
}

/// What a scalar that isn't of a type means as one of it, if it can mean anything.
pub(crate) fn respelt<'a>(shapes: &mut Shapes<'a>, ty: &'a Type, value: &Value) -> Option<Value> {
    match ty {
        Type::Boolean => scalar(Primitive::Boolean, value),
        Type::Integer => scalar(Primitive::Integer, value),
        Type::Number => scalar(Primitive::Number, value),
        Type::String => scalar(Primitive::String, value),
        Type::Enum(token) => {
            let enumeration = shapes.package.enum_type(token)?;
            let meant = scalar(enumeration.underlying, value)?;
            let allowed = enumeration.values.is_empty() || enumeration.has(&meant);
            allowed.then_some(meant)
        }
        // Unions are nested only as deep as the document.
        Type::Union(union) => union.variants.iter().find_map(|variant| respelt(shapes, variant, value)),
        _ => None,
    }
}

fn scalar(wanted: Primitive, value: &Value) -> Option<Value> {
    match (wanted, value) {
        (Primitive::String, Value::Bool(truth)) => Some(Value::String(truth.to_string())),
        // No exponent, whatever the size, and the shortest digits that lead back to the same number.
        (Primitive::String, Value::Number(number)) if number.is_finite() => Some(Value::String(number.to_string())),
        (Primitive::Boolean, Value::String(text)) => match text.as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        (Primitive::Number, Value::String(text)) => decimal(text).map(Value::Number),
        (Primitive::Integer, Value::String(text)) => {
            decimal(text).filter(|number| number::is_spelt_exactly(*number, text)).map(Value::Number)
        }
        _ => None,
    }
}

/// A decimal number, with a sign, a fraction and an exponent or without: no names of numbers, no other bases.
fn decimal(text: &str) -> Option<f64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let number = text.parse::<f64>().ok().filter(|_| is_decimal)?;
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests;
