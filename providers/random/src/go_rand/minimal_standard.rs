//! Registers of 607 values must be filled from seeds of 31 bits. The multiplicative congruential generator known as the
//! minimal standard (Park and Miller) does it, both for the table and for each seed. It is weak, and used for nothing else.

/// The modulus; seeds count modulo it.
const PRIME: i64 = (1 << 31) - 1;
/// The multiplier.
const MULTIPLIER: u64 = 48_271;
/// What a seed that is a multiple of the modulus, and would stay zero for ever, is replaced with.
const FALLBACK: u64 = 89_482_311;
/// How many numbers are thrown away before the first is used.
const WARM_UP: usize = 20;

/// The generator after its warm-up.
pub(super) struct MinimalStandard(u64);

impl MinimalStandard {
    pub(super) fn new(seed: i64) -> Self {
        let seed = seed.rem_euclid(PRIME).unsigned_abs();
        let mut generator = Self(if seed == 0 { FALLBACK } else { seed });
        for _ in 0..WARM_UP {
            generator.next();
        }
        generator
    }

    /// Three numbers laid over each other, each `shift` bits below the one before.
    pub(super) fn overlay(&mut self, shift: u32) -> u64 {
        (0..3).fold(0, |sum, _| (sum << shift) ^ self.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0 * MULTIPLIER % PRIME.unsigned_abs();
        self.0
    }
}
