//! Numbers in texts, as Go's library reads them: native providers take their defaults from the environment with it.

/// A number: decimal, or hexadecimal with an exponent of two (`0x1.8p3`), with single underscores between digits. What isn't finite can't
/// be an input.
pub(super) fn number(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    let unsigned = lower.strip_prefix(['+', '-']).unwrap_or(&lower);
    let (digits, is_hexadecimal) = match unsigned.strip_prefix("0x") {
        Some(digits) => (digits, true),
        None => (unsigned, false),
    };
    if !separates_digits(digits, is_hexadecimal) {
        return None;
    }
    let digits = digits.replace('_', "");
    let magnitude = match is_hexadecimal {
        true => hexadecimal(&digits)?,
        // A second sign would be read as the first one.
        false => digits.parse().ok().filter(|_| !digits.starts_with(['+', '-']))?,
    };
    let number: f64 = if lower.starts_with('-') { -magnitude } else { magnitude };
    number.is_finite().then_some(number)
}

/// Whether each underscore stands between two digits, or after the prefix.
fn separates_digits(digits: &str, is_hexadecimal: bool) -> bool {
    let is_digit = |byte: Option<&u8>| {
        byte.is_some_and(|byte| if is_hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() })
    };
    let bytes = digits.as_bytes();
    bytes.iter().enumerate().filter(|(_, byte)| **byte == b'_').all(|(place, _)| {
        let before = place.checked_sub(1);
        before.map_or(is_hexadecimal, |before| is_digit(bytes.get(before)))
            && is_digit(bytes.get(place.saturating_add(1)))
    })
}

/// The digits, a point among them perhaps, times the power of two that follows them.
#[expect(clippy::cast_precision_loss, reason = "the digits are rounded to what a double has, as upstream does")]
fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once('p')?;
    let mut exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut mantissa: u64 = 0;
    for (place, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(digit.to_digit(16)?);
        let after_point = place >= whole.len();
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | digit;
            exponent = exponent.saturating_sub(if after_point { 4 } else { 0 });
        } else {
            // Too far behind to be kept; but what is exactly half without it isn't with it.
            mantissa |= u64::from(digit != 0);
            exponent = exponent.saturating_add(if after_point { 0 } else { 4 });
        }
    }
    // In two steps: a small power of two alone would be nothing already.
    let half = exponent.div_euclid(2);
    Some(mantissa as f64 * 2f64.powi(half) * 2f64.powi(exponent.saturating_sub(half)))
}

/// An integer of 64 bits: with a prefix that says its base (`0x`, `0o`, `0b`, or the zero of older octal numbers), with
/// single underscores between digits, without fraction and exponent.
#[expect(clippy::cast_precision_loss, reason = "the wire has doubles, which upstream rounds to as well")]
pub(super) fn integer(text: &str) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => (text.get(..1).unwrap_or_default(), digits),
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
    use super::{integer, number};

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

    #[test]
    fn numbers_are_spelt_as_in_go() {
        for (text, expected) in [
            ("1", Some(1.0)),
            ("-1.5", Some(-1.5)),
            ("+.5", Some(0.5)),
            ("1.", Some(1.0)),
            ("1e3", Some(1000.0)),
            ("1E-2", Some(0.01)),
            ("010", Some(10.0)),
            ("1_0", Some(10.0)),
            ("1_0.2_5e1_0", Some(10.25e10)),
            ("0x1p-1", Some(0.5)),
            ("-0X1.8P3", Some(-12.0)),
            ("0x_ffp0", Some(255.0)),
            ("0x.8p1", Some(1.0)),
            ("0x1p-1074", Some(5e-324)),
            ("0x1.fffffffffffffp1023", Some(f64::MAX)),
            ("0x123456789abcdef01p0", Some(20_988_295_479_420_645_000.0)),
            ("0x10000000000000800p0", Some(18_446_744_073_709_551_616.0)),
            ("0x10000000000000801p0", Some(18_446_744_073_709_555_712.0)),
            ("0x1p1024", None),
            ("0x10", None),
            ("0xp1", None),
            ("0x1p", None),
            ("0x-1p1", None),
            ("1e400", None),
            ("_1", None),
            ("1_", None),
            ("1__0", None),
            ("1_.5", None),
            ("1_e5", None),
            ("--1", None),
            ("+-1", None),
            ("inf", None),
            ("NaN", None),
            ("", None),
            ("1 0", None),
            ("é", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }
}
