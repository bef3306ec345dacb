//! Which doubles are integers.

/// The greatest magnitude up to which every integer is a double: 2^53.
pub(crate) const EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether a number has no fraction and is exact.
pub(crate) fn is_integer(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= EXACT
}

/// Whether a number is the very integer that the decimal text says which it was read from: a double may have taken the place of
/// one nearby, or lost a fraction.
pub(crate) fn is_spelt_exactly(number: f64, text: &str) -> bool {
    match text.parse::<i64>() {
        Ok(said) => format!("{number:.0}").parse() == Ok(said),
        // 2^53 itself is what the next one is read as, too.
        Err(_) => is_integer(number) && number.abs() < EXACT && is_integral(text),
    }
}

/// Whether a decimal text has no fraction, once its exponent has moved the point.
fn is_integral(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (whole, fraction) = (whole.trim_start_matches(['+', '-']), fraction.trim_end_matches('0'));
    let Ok(exponent) = exponent.parse::<i64>() else { return false };
    let moved = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
    match (whole.trim_end_matches('0'), fraction) {
        ("", "") => true,
        (digits, "") => exponent >= 0 || moved <= whole.len().saturating_sub(digits.len()),
        (_, fraction) => exponent >= 0 && fraction.len() <= moved,
    }
}
