//! Durations as programs spell them in options: `1h30m`, `2.5s`, `100ms`.
//!
//! They pass through the host as texts, on their way from a program to a component and from a component to an engine. One that nobody can
//! read would be found by the engine alone, at the resource that it ended at; here it is found where it came from.

use std::time::Duration;

use super::{CustomTimeouts, Error, ErrorKind};

/// The units, in nanoseconds. The micro sign and the Greek letter look alike, and both are written.
const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];
/// The longest that engines can count, nanoseconds: some 292 years.
const LONGEST: u128 = i64::MAX as u128;
/// Digits behind the point that make a difference, to the nanosecond of an hour.
const DIGITS: usize = 18;

/// Why a text is no duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// It is below zero.
    #[error("it is negative")]
    Negative,
    /// A unit stands alone, or something else does.
    #[error("a number is missing")]
    NoNumber,
    /// A number stands alone.
    #[error("a unit is missing after a number")]
    NoUnit,
    /// No such unit.
    #[error("it has a unit that there isn't")]
    UnknownUnit,
    /// More than engines can count.
    #[error("it is longer than 292 years")]
    TooLong,
}

/// Reads a duration: numbers with units, one after the other, in any order. `0` needs no unit.
///
/// # Errors
/// What isn't one, a negative one among it.
pub fn duration(text: &str) -> Result<Duration, DurationError> {
    let mut rest = match text.strip_prefix('-') {
        Some(_) => return Err(DurationError::Negative),
        None => text.strip_prefix('+').unwrap_or(text),
    };
    match rest {
        "" => return Err(DurationError::Empty),
        "0" => return Ok(Duration::ZERO),
        _ => {}
    }
    let mut nanoseconds: u128 = 0;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return Err(DurationError::NoNumber);
        }
        let end = after.find(|next: char| next == '.' || next.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        if unit.is_empty() {
            return Err(DurationError::NoUnit);
        }
        let known = UNITS.iter().find(|(name, _)| *name == unit);
        let unit = u128::from(known.ok_or(DurationError::UnknownUnit)?.1);
        let part = number(whole)?.checked_mul(unit).ok_or(DurationError::TooLong)?;
        // Cut off, as engines do.
        let digits = fraction.get(..DIGITS).unwrap_or(fraction);
        let scale = digits.bytes().fold(1_u128, |scale, _| scale * 10);
        nanoseconds = nanoseconds.saturating_add(part).saturating_add(number(digits)? * unit / scale);
        if nanoseconds > LONGEST {
            return Err(DurationError::TooLong);
        }
        rest = after;
    }
    u64::try_from(nanoseconds).map(Duration::from_nanos).map_err(|_| DurationError::TooLong)
}

/// The digits that a text begins with, and what follows.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|next: char| !next.is_ascii_digit()).unwrap_or(text.len()))
}

/// A number; no digits are zero.
fn number(digits: &str) -> Result<u128, DurationError> {
    if digits.is_empty() {
        return Ok(0);
    }
    digits.parse::<u64>().map(u128::from).map_err(|_| DurationError::TooLong)
}

impl CustomTimeouts {
    /// Holds each that is set to being a duration.
    ///
    /// # Errors
    /// The first that is none, by its name.
    pub fn check(&self) -> Result<(), Error> {
        let Self { create, update, delete, read } = self;
        for (operation, timeout) in [("create", create), ("update", update), ("delete", delete), ("read", read)] {
            if !timeout.is_empty()
                && let Err(error) = duration(timeout)
            {
                let message = format!("the option `customTimeouts.{operation}` is no duration: {error}");
                let error = Error::new(ErrorKind::InvalidRequest, message);
                return Err(error.hint("write it like `1h30m`, with the units h, m, s, ms, us and ns"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// COMP-08.
    #[test]
    fn durations_are_read_as_engines_read_them() {
        for (text, nanoseconds) in [
            ("0", 0),
            ("+0", 0),
            ("0s", 0),
            ("5s", 5_000_000_000),
            ("+5s", 5_000_000_000),
            ("1478s", 1_478_000_000_000),
            ("5.0s", 5_000_000_000),
            ("5.6s", 5_600_000_000),
            ("5.s", 5_000_000_000),
            (".5s", 500_000_000),
            ("1.004s", 1_004_000_000),
            ("100.00100s", 100_001_000_000),
            ("10ns", 10),
            ("11us", 11_000),
            ("12\u{b5}s", 12_000),
            ("12\u{3bc}s", 12_000),
            ("13ms", 13_000_000),
            ("15m", 900_000_000_000),
            ("16h", 57_600_000_000_000),
            ("3h30m", 12_600_000_000_000),
            ("30m3h", 12_600_000_000_000),
            ("10.5s4m", 250_500_000_000),
            ("2h3m4s5ms6us7ns", 7_384_005_006_007),
            ("0.3333333333333333333h", 1_199_999_999_999),
            ("0.9ns", 0),
            ("9223372036854775807ns", 9_223_372_036_854_775_807),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_nanos(nanoseconds)), "{text}");
        }
    }

    /// COMP-08.
    #[test]
    fn what_is_no_duration_says_why() {
        for (text, error) in [
            ("", DurationError::Empty),
            ("+", DurationError::Empty),
            ("-5s", DurationError::Negative),
            ("-0", DurationError::Negative),
            ("3", DurationError::NoUnit),
            ("1h30", DurationError::NoUnit),
            ("s", DurationError::NoNumber),
            (".", DurationError::NoNumber),
            (".s", DurationError::NoNumber),
            (" 5s", DurationError::NoNumber),
            ("forever", DurationError::NoNumber),
            ("1h-5m", DurationError::UnknownUnit),
            ("5 s", DurationError::UnknownUnit),
            ("5s ", DurationError::UnknownUnit),
            ("1d", DurationError::UnknownUnit),
            ("1S", DurationError::UnknownUnit),
            ("1..5s", DurationError::NoUnit),
            ("9223372036854775808ns", DurationError::TooLong),
            ("3000000h", DurationError::TooLong),
            ("99999999999999999999s", DurationError::TooLong),
        ] {
            assert_eq!(duration(text), Err(error), "{text}");
        }
    }

    #[test]
    fn only_what_is_set_is_looked_at() {
        let unset = CustomTimeouts::default();
        unset.check().expect("nothing is set");
        let error = CustomTimeouts { delete: "10 minutes".to_owned(), ..unset }.check().expect_err("it is no duration");
        assert_eq!(
            error.to_string(),
            "the option `customTimeouts.delete` is no duration: it has a unit that there isn't\n\
             hint: write it like `1h30m`, with the units h, m, s, ms, us and ns"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_a_duration_or_an_error(text in "[-+0-9.a-z\u{b5} ]{0,40}") {
            let _ = duration(&text);
        }
    }
}
