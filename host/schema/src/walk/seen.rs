//! Whether an output shows what was given, though its type is another.
//!
//! Generated schemas have types of their own for what comes back: a string where an enum is given, the id of a resource, an
//! object with more members for each variant of a union. Such an output promises nothing before there is one, but what is
//! recorded can be compared with what was given.
//!
//! An output that may be anything, as of a type of another package, can show what was given, or something else. Its value tells.

use bulkhead_value::Value;

use super::Shapes;
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
