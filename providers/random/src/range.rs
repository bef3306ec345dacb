//! A range includes both its ends, and its width is one more than their distance, which 64 bits don't always hold.

use std::num::NonZeroU64;

use crate::draw::Draw;

/// Why nothing can be drawn from a range.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// It is empty.
    #[error("the lowest value must not be above the highest")]
    Empty,
    /// It has 2⁶³ values or more.
    #[error("the range has 2^63 values or more")]
    TooWide,
}

/// A number between two others, either of which it may equal.
pub fn between(min: i64, max: i64, draw: &mut impl Draw) -> Result<i64, RangeError> {
    if max < min {
        return Err(RangeError::Empty);
    }
    let width = max.checked_sub(min).and_then(|distance| distance.checked_add(1)).ok_or(RangeError::TooWide)?;
    let width = NonZeroU64::new(width.unsigned_abs()).ok_or(RangeError::Empty)?;
    Ok(min.wrapping_add_unsigned(draw.below(width)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{entropy::Entropy, go_rand::Stream};

    /// The ranges that [`NATIVE`] was drawn from.
    const RANGES: [(i64, i64); 9] = [
        (1, 1),
        (1, 6),
        (0, 255),
        (1, 50_000),
        (-1000, 1000),
        (0, 2_147_483_646),
        (0, 2_147_483_647),
        (-9_007_199_254_740_991, 9_007_199_254_740_991),
        (0, 6_442_450_941),
    ];

    /// What the native provider 4.22.0 created as `RandomInteger` of each seed and range.
    #[rustfmt::skip]
    const NATIVE: [(&str, [i64; 9]); 6] = [
        ("a", [1, 5, 14, 35_583, -549, 1_647_085_582, 1_292_098_073, 3_527_294_723_546_018, 1_340_728_535]),
        ("0", [1, 2, 247, 5_400, 843, 783_505_399, 1_133_910_528, 5_444_744_059_951_803, 31_100_746]),
        ("12345", [1, 6, 67, 22_644, -632, 1_445_272_643, 344_422_541, 1_438_449_316_362_726, 4_418_936_379]),
        ("my-seed", [1, 2, 131, 4_644, -132, 707_904_643, 619_423_607, 5_001_144_290_748_448, 1_563_296_465]),
        ("Grüße", [1, 3, 126, 35_215, 601, 315_385_214, 526_863_527, -5_517_905_019_581_197, 5_242_344_441]),
        (
            "a much longer seed, with spaces and commas",
            [1, 4, 255, 4_880, -457, 564_954_879, 1_820_559_093, 3_526_131_315_869_564, 2_573_832_265],
        ),
    ];

    #[test]
    fn seeds_give_what_the_native_provider_gives() {
        for (seed, results) in NATIVE {
            for ((min, max), expected) in RANGES.into_iter().zip(results) {
                let result = between(min, max, &mut Stream::new(seed));
                assert_eq!(result, Ok(expected), "seed {seed:?}, from {min} to {max}");
            }
        }
    }

    #[test]
    fn both_ends_are_reached() {
        let mut entropy = Entropy::new().unwrap();
        let drawn: Vec<i64> = (0..200).map(|_| between(-1, 1, &mut entropy).unwrap()).collect();
        for expected in [-1, 0, 1] {
            assert!(drawn.contains(&expected), "{expected}");
        }
        assert!(drawn.iter().all(|number| (-1..=1).contains(number)));
    }

    #[test]
    fn impossible_ranges_are_refused() {
        let draw = |min, max| between(min, max, &mut Stream::new("a")).map_err(|error| error.to_string());
        assert_eq!(draw(5, 4), Err("the lowest value must not be above the highest".into()));
        let wide = Err("the range has 2^63 values or more".into());
        assert_eq!(draw(i64::MIN, i64::MAX), wide);
        assert_eq!(draw(0, i64::MAX), wide);
        assert!(draw(1, i64::MAX).is_ok());
    }
}
