//! Numbers in texts. The native provider reads them with Go's library, which takes more than digits: `1_000` is a thousand there,
//! and `0x1p4` sixteen.

/// The number that a text stands for, if it is finite.
pub(super) fn number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let hexadecimal = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"));
    if !separates_digits(hexadecimal.unwrap_or(unsigned), hexadecimal.is_some()) {
        return None;
    }
    let number = match hexadecimal {
        Some(digits) => {
            let magnitude = with_exponent(&digits.replace('_', "").to_ascii_lowercase())?;
            if text.starts_with('-') { -magnitude } else { magnitude }
        }
        None => text.replace('_', "").parse().ok()?,
    };
    number.is_finite().then_some(number)
}

/// Whether each underscore stands between two digits, or between the prefix of hexadecimal ones and the first.
fn separates_digits(digits: &str, is_hexadecimal: bool) -> bool {
    let radix = if is_hexadecimal { 16 } else { 10 };
    let is_digit = |character: char| character.is_digit(radix);
    let mut parts = digits.split('_').enumerate().peekable();
    while let Some((place, part)) = parts.next() {
        let begins = part.starts_with(is_digit) || place == 0;
        let ends = part.ends_with(is_digit) || (is_hexadecimal && place == 0 && part.is_empty());
        if !begins || (!ends && parts.peek().is_some()) {
            return false;
        }
    }
    true
}

/// Hexadecimal digits, a point among them perhaps, times the power of two that follows them.
fn with_exponent(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let behind_point = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    Some(value * 2f64.powi(exponent.checked_sub(behind_point)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_go_reads_them() {
        // As the native provider 4.22.0 took them.
        for (text, expected) in [
            ("12", 12.0),
            ("+4", 4.0),
            ("12.", 12.0),
            (".5e1", 5.0),
            ("1e+1", 10.0),
            ("1_000_000", 1_000_000.0),
            ("-1_0", -10.0),
            ("0_1", 1.0),
            ("1e1_0", 10_000_000_000.0),
            ("1_0.5e1", 105.0),
            ("0x1p4", 16.0),
            ("0X1P4", 16.0),
            ("0x_1p4", 16.0),
            ("0x1_0p0", 16.0),
            ("-0xAp0", -10.0),
            ("+0x1p2", 4.0),
            ("0x1.8p1", 3.0),
            ("0x.8p4", 8.0),
            ("0x1p-1", 0.5),
        ] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_go_refuses_is_no_number() {
        for text in [
            "", "x", " 5", "5 ", "+-5", "--5", "_1", "1_", "1__0", "1_.0", "1._0", "1_e1", "0x10", "0x1p", "0xp1",
            "0x.p1", "0_x1p4", "0x1_p4", "0x1p+-4", "0b11", "0o17", "inf", "+Inf", "nan", "1e400", "٣",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
