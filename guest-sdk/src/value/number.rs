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
    // True of infinities too, and of what is no number.
    if number.fract() != 0.0 {
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
            type Plain = Self;
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
    ($($float:ident: $read:expr, $written:expr;)*) => {$(
        impl Property for $float {
            type Plain = Self;

            fn type_spec(_: &mut Types) -> TypeSpec {
                TypeSpec::primitive("number")
            }

            fn from_value(value: Value) -> Result<Self, Misfit> {
                match value.into_plain() {
                    Value::Number(number) => $read(number),
                    other => Err(Misfit::expected("a number", &other)),
                }
            }

            fn to_value(&self) -> Result<Value, Misfit> {
                Ok(Value::Number($written(*self)))
            }
        }

        impl FromLiteral<$float> for $float {
            fn from_literal(literal: $float) -> Self {
                literal
            }
        }
    )*};
}

float! {
    f32: single, double;
    f64: Ok, f64::from;
}

/// The nearest number of half the size, if there is one.
fn single(number: f64) -> Result<f32, Misfit> {
    let single = number as f32;
    if number.is_finite() && !single.is_finite() {
        return Err(Misfit::new(format!("must be between {:e} and {:e}", f32::MIN, f32::MAX)));
    }
    Ok(single)
}

/// The double that is written like the number: of what was given as `0.1` it is `0.1` again, and not the `0.10000000149011612` that half of
/// its bits are.
fn double(number: f32) -> f64 {
    let written = number.to_string().parse().ok().filter(|double| *double as f32 == number);
    written.unwrap_or_else(|| number.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn integers_come_back(number in -GREATEST..=GREATEST) {
            prop_assert_eq!(i64::from_value(number.to_value().unwrap()).unwrap(), number);
        }

        #[test]
        fn no_double_becomes_another_integer(bits in any::<u64>()) {
            let number = f64::from_bits(bits);
            if let Ok(integer) = i64::from_value(Value::Number(number)) {
                prop_assert_eq!(integer as f64, number);
            }
        }
    }

    #[test]
    fn what_is_given_in_half_the_bits_is_recorded_as_it_was_given() {
        for number in [0.1, -0.7, 16_777_216.0, 1e-45, 3.4e38, 0.0, f64::INFINITY] {
            let single = f32::from_value(number.into()).unwrap();
            let written = single.to_value().unwrap();
            assert_eq!(f32::from_value(written.clone()).unwrap(), single);
            assert_eq!(written, number.into());
        }
        assert_eq!(refusal::<f32>(1e39), "the value must be between -3.4028235e38 and 3.4028235e38");
    }

    fn refusal<T: Property>(value: impl Into<Value>) -> String {
        T::from_value(value.into()).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn what_isnt_exact_is_refused() {
        assert_eq!(refusal::<u8>(256), "the value must be between 0 and 255");
        assert_eq!(refusal::<i8>(-129), "the value must be between -128 and 127");
        assert_eq!(refusal::<u32>(0.5), "the value must be a whole number");
        assert_eq!(refusal::<u32>(f64::NAN), "the value must be a whole number");
        assert_eq!(refusal::<u32>(f64::INFINITY), "the value must be a whole number");
        assert_eq!(refusal::<u64>(1e300), "the value must be between 0 and 9007199254740991");
        assert_eq!(refusal::<u32>("1"), "the value must be a whole number, not a string");
        let written = (1_i64 << 53).to_value().unwrap_err();
        assert_eq!(written.to_string(), "the value is larger than the integers that a value can carry");
        assert!(u64::MAX.to_value().is_err());
    }
}
