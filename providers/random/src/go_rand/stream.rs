//! Between a seed and a number in a range lie choices that a result depends on: the checksum that turns text into a
//! seed, and how numbers are narrowed to a range without bias.

use std::num::NonZeroU64;

use crc::{CRC_64_GO_ISO, Crc};

use super::source::Source;
use crate::draw::Draw;

/// The numbers that belong to a user's seed.
pub struct Stream(Source);

impl Stream {
    /// The stream of a seed.
    pub fn new(seed: &str) -> Self {
        let checksum = Crc::<u64>::new(&CRC_64_GO_ISO).checksum(seed.as_bytes());
        Self(Source::new(checksum.cast_signed()))
    }

    /// A number of the given width below a bound.
    fn narrowed(&mut self, bits: u32, bound: NonZeroU64) -> u64 {
        let mut draw = || (self.0.next() & (u64::MAX >> 1)) >> (63 - bits);
        if bound.is_power_of_two() {
            return draw() & (bound.get() - 1);
        }
        // Numbers from the last, incomplete run of remainders would favour small results.
        let complete = (1_u64 << bits) - (1_u64 << bits) % bound;
        loop {
            let number = draw();
            if number < complete {
                return number % bound;
            }
        }
    }
}

impl Draw for Stream {
    fn below(&mut self, bound: NonZeroU64) -> u64 {
        // Small ranges use the upper 31 of 63 bits.
        let bits = if bound.get() < 1 << 31 { 31 } else { 63 };
        self.narrowed(bits, bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ranges that [`RESULTS`] were drawn from: the lowest and the highest result.
    const RANGES: [(i64, i64); 8] = [
        (1, 1),
        (1, 6),
        (0, 255),
        (-1000, 1000),
        (0, 2_147_483_646),
        (0, 2_147_483_647),
        (-9_007_199_254_740_991, 9_007_199_254_740_991),
        (0, 6_442_450_941),
    ];

    /// From Go 1.26.8: `rand.New(rand.NewSource(crc64(seed, ISO))).Intn(max + 1 - min) + min`, a fresh stream for each range.
    const RESULTS: [(&str, [i64; 8]); 5] = [
        ("a", [1, 5, 14, -549, 1_647_085_582, 1_292_098_073, 3_527_294_723_546_018, 1_340_728_535]),
        ("0", [1, 2, 247, 843, 783_505_399, 1_133_910_528, 5_444_744_059_951_803, 31_100_746]),
        ("12345", [1, 6, 67, -632, 1_445_272_643, 344_422_541, 1_438_449_316_362_726, 4_418_936_379]),
        ("my-seed", [1, 2, 131, -132, 707_904_643, 619_423_607, 5_001_144_290_748_448, 1_563_296_465]),
        ("Grüße", [1, 3, 126, 601, 315_385_214, 526_863_527, -5_517_905_019_581_197, 5_242_344_441]),
    ];

    #[test]
    fn ranges_give_what_go_gives() {
        for (seed, results) in RESULTS {
            for ((min, max), expected) in RANGES.into_iter().zip(results) {
                let bound = NonZeroU64::new((max - min + 1).unsigned_abs()).unwrap();
                let result = Stream::new(seed).below(bound).cast_signed() + min;
                assert_eq!(result, expected, "seed {seed:?} from {min} to {max}");
            }
        }
    }

    /// From Go 1.26.8: `rand.New(rand.NewSource(crc64(seed, ISO))).Perm(20)`.
    const ORDERS: [(&str, [usize; 20]); 3] = [
        ("a", [4, 1, 11, 3, 10, 15, 13, 6, 16, 17, 2, 9, 7, 12, 18, 0, 19, 8, 14, 5]),
        ("12345", [4, 5, 15, 12, 7, 2, 13, 17, 1, 3, 16, 18, 19, 8, 0, 14, 11, 10, 9, 6]),
        ("Grüße", [5, 9, 16, 14, 17, 15, 0, 19, 7, 18, 1, 8, 12, 4, 10, 13, 11, 6, 2, 3]),
    ];

    #[test]
    fn orders_are_those_that_go_gives() {
        for (seed, order) in ORDERS {
            assert_eq!(Stream::new(seed).permutation(20), order, "seed {seed:?}");
        }
    }
}
