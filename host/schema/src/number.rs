//! Which doubles are integers.

/// The greatest magnitude up to which every integer is a double: 2^53.
pub(crate) const EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether a number has no fraction and is exact.
pub(crate) fn is_integer(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= EXACT
}
