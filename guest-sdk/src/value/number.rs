//! Numbers as properties. A value has doubles only, so integers are those that a double holds exactly.

use super::{FromLiteral, Misfit, Property, Value};
use crate::schema::{TypeSpec, Types};

/// The first integer that isn't told apart from its successor: 2^53.
const LIMIT: f64 = 9_007_199_254_740_992.0;

/// The number, if it is an integer between two bounds.
fn whole(value: Value, least: f64, greatest: f64) -> Result<f64, Misfit> {
    match value.into_plain() {
        Value::Number(number) if number.fract() != 0.0 || !number.is_finite() => {
            Err(Misfit::new("must be a whole number"))
        }
        Value::Number(number) if number < least || number > greatest => {
            Err(Misfit::new(format!("must be between {least} and {greatest}")))
        }
        Value::Number(number) => Ok(number),
        other => Err(Misfit::expected("a whole number", &other)),
    }
}

macro_rules! integer {
    ($($integer:ty: $least:expr, $greatest:expr;)*) => {$(
        impl Property for $integer {
            const BOUNDS: Option<(f64, f64)> = Some(($least, $greatest));

            fn type_spec(_: &mut Types) -> TypeSpec {
                TypeSpec::primitive("integer")
            }

            fn from_value(value: Value) -> Result<Self, Misfit> {
                Ok(whole(value, $least, $greatest)? as $integer)
            }

            fn to_value(&self) -> Result<Value, Misfit> {
                let number = *self as f64;
                if number < $least || number > $greatest {
                    return Err(Misfit::new("is larger than the integers that a value can carry"));
                }
                Ok(Value::Number(number))
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
    i8: i8::MIN as f64, i8::MAX as f64;
    i16: i16::MIN as f64, i16::MAX as f64;
    i32: i32::MIN as f64, i32::MAX as f64;
    i64: 1.0 - LIMIT, LIMIT - 1.0;
    u8: 0.0, u8::MAX as f64;
    u16: 0.0, u16::MAX as f64;
    u32: 0.0, u32::MAX as f64;
    u64: 0.0, LIMIT - 1.0;
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
