//! Whether an output shows what was given, though its type is another.
//!
//! Generated schemas have types of their own for what comes back: a string where an enum is given, the id of a resource, an
//! object with more members for each variant of a union. What is recorded in such an output can be compared with what was
//! given. Before there is one it promises less: scalars that are of its type too, and objects where it is told which of its
//! variants they come back as.
//!
//! An output that may be anything, as of a type of another package, can show what was given, or something else. Its value tells.

use bulkhead_value::Value;

use super::{Shape, Shapes};
use crate::model::{Primitive, Type};

/// Whether what is given as an input of this type, or of one of its variants, can be seen in an output of that one. Objects are
/// compared member by member where there is a value.
pub(crate) fn is_seen_in(shapes: &mut Shapes<'_>, input: &Type, output: &Type) -> bool {
    input == output || is_told(shapes, input, output, true)
}

/// The same of this value of the output: if the output's type doesn't say so, it has to be of the input's.
pub(crate) fn is_seen_as<'a>(shapes: &mut Shapes<'a>, input: &'a Type, output: &Type, value: &'a Value) -> bool {
    let is_told_by_types = input == output || is_told(shapes, input, output, false);
    is_told_by_types || (is_told(shapes, input, output, true) && shapes.fits(input, value))
}

/// Whether this value, given as an input of the one type, comes back in an output of the other: the types are the same, or all
/// scalars of the value are of the output's type as well, as they are. Objects are compared member by member.
pub(crate) fn comes_back_as<'a>(shapes: &mut Shapes<'a>, input: &'a Type, output: &'a Type, value: &'a Value) -> bool {
    if input == output {
        return true;
    }
    if !is_told(shapes, input, output, false) {
        return false;
    }
    let mut open = vec![(input, output, value)];
    while let Some((input, output, value)) = open.pop() {
        let value = value.plain();
        if input == output || value.is_unknown() || value.is_null() {
            continue;
        }
        match (shapes.of(input, value), shapes.of(output, value)) {
            (Ok(Shape::Fields(..)), Ok(Shape::Fields(..))) if shapes.is_said(output, value) => {}
            (Ok(Shape::Items(list, input)), Ok(Shape::Items(_, output))) => {
                open.extend(list.iter().map(|element| (input, output, element)));
            }
            (Ok(Shape::Entries(object, input)), Ok(Shape::Entries(_, output))) => {
                open.extend(object.values().map(|entry| (input, output, entry)));
            }
            (Ok(Shape::Leaf), Ok(Shape::Leaf)) if is_same_scalar(shapes, input, output, value) => {}
            _ => return false,
        }
    }
    true
}

/// Whether a value is a scalar of the same primitive to both types.
fn is_same_scalar<'a>(shapes: &mut Shapes<'a>, input: &'a Type, output: &'a Type, value: &'a Value) -> bool {
    let [input, output] = [input, output].map(|ty| shapes.variant(ty, value).ok().and_then(|ty| scalar(shapes, ty)));
    input.is_some() && input == output
}

/// The recursion is bounded by that of the document. Once all steps are taken, nothing is seen any more.
fn is_told(shapes: &mut Shapes<'_>, input: &Type, output: &Type, by_anything: bool) -> bool {
    if !shapes.take(1) {
        return false;
    }
    match (input, output) {
        (Type::Any, Type::Any) => true,
        (Type::Any, _) | (_, Type::Any) => by_anything,
        (Type::Array(input), Type::Array(output)) | (Type::Map(input), Type::Map(output)) => {
            is_told(shapes, input, output, by_anything)
        }
        (Type::Union(input), output) => {
            input.variants.iter().any(|variant| is_told(shapes, variant, output, by_anything))
        }
        (input, Type::Union(output)) => {
            output.variants.iter().any(|variant| is_told(shapes, input, variant, by_anything))
        }
        (Type::Object(_), Type::Object(_))
        | (Type::Resource(_), Type::String | Type::Resource(_))
        | (Type::String, Type::Resource(_)) => true,
        (input, output) => match (scalar(shapes, input), scalar(shapes, output)) {
            (Some(input), Some(output)) => input == output,
            _ => matches!(
                (input, output),
                (Type::Asset, Type::Asset) | (Type::Archive, Type::Archive) | (Type::Json, Type::Json)
            ),
        },
    }
}

/// What the values of a type are made of, if they are scalars. An integer is a number.
fn scalar(shapes: &Shapes<'_>, ty: &Type) -> Option<Primitive> {
    let primitive = match ty {
        Type::Boolean => Primitive::Boolean,
        Type::Integer | Type::Number => Primitive::Number,
        Type::String => Primitive::String,
        Type::Enum(token) => shapes.package.enum_type(token)?.underlying,
        _ => return None,
    };
    Some(if primitive == Primitive::Integer { Primitive::Number } else { primitive })
}
