//! Numbers as properties. A value has doubles only, so integers are those that a double holds exactly.

use super::{FromLiteral, Misfit, Property, Value};
use crate::schema::{TypeSpec, Types};

/// The greatest integer that is told apart from its successor in a double.
const GREATEST: i64 = (1 << 53) - 1;

/// The integer, if it is one between two bounds.
fn whole(value: Value, least: i64, greatest: i64) -> Result<i64, Misfit> {
    let number = match value.into_plain() {
        Value::Number(number) => number,
        other => return Err(Misfit::expected("a whole number", &other)),
    };
    // What is no number has no fraction either.
    if number.fract() != 0.0 || number.is_nan() {
        return Err(Misfit::new("must be a whole number"));
    }
    // What is too large becomes the largest, and is refused as such.
    let integer = number as i64;
    if integer < least || integer > greatest {
        return Err(Misfit::new(format!("must be between {least} and {greatest}")));
    }
    Ok(integer)
}

macro_rules! integer {
    ($($integer:ty: $least:expr, $greatest:expr;)*) => {$(
        impl Property for $integer {
            const BOUNDS: Option<(i64, i64)> = Some(($least, $greatest));

            fn type_spec(_: &mut Types) -> TypeSpec {
                TypeSpec::primitive("integer")
            }

            fn from_value(value: Value) -> Result<Self, Misfit> {
                Ok(whole(value, $least, $greatest)? as $integer)
            }

            fn to_value(&self) -> Result<Value, Misfit> {
                match i64::try_from(*self) {
                    Ok(integer) if ($least..=$greatest).contains(&integer) => Ok(Value::Number(integer as f64)),
                    _ => Err(Misfit::new("is larger than the integers that a value can carry")),
                }
            }
        }

        impl FromLiteral<$integer> for $integer {
            fn from_literal(literal: $integer) -> Self {
                literal
            }
        }
    )*};
}

integer! {
    i8: i8::MIN as i64, i8::MAX as i64;
    i16: i16::MIN as i64, i16::MAX as i64;
    i32: i32::MIN as i64, i32::MAX as i64;
    i64: -GREATEST, GREATEST;
    u8: 0, u8::MAX as i64;
    u16: 0, u16::MAX as i64;
    u32: 0, u32::MAX as i64;
    u64: 0, GREATEST;
}

macro_rules! float {
    ($($float:ty),*) => {$(
        impl Property for $float {
            fn type_spec(_: &mut Types) -> TypeSpec {
                TypeSpec::primitive("number")
            }

            fn from_value(value: Value) -> Result<Self, Misfit> {
                match value.into_plain() {
                    Value::Number(number) => Ok(number as $float),
                    other => Err(Misfit::expected("a number", &other)),
                }
            }

            fn to_value(&self) -> Result<Value, Misfit> {
                Ok(Value::Number((*self).into()))
            }
        }

        impl FromLiteral<$float> for $float {
            fn from_literal(literal: $float) -> Self {
                literal
            }
        }
    )*};
}

float!(f32, f64);
