//! What is drawn without a seed must be unpredictable: passwords and keys come from here. The host's randomness is asked
//! once per resource, for the key of a cryptographic generator, however much is drawn.

use std::num::NonZeroU64;

use rand::{
    Rng, RngExt, SeedableRng,
    rngs::{StdRng, SysRng},
};

use crate::draw::Draw;

/// The host gave no randomness.
#[derive(Debug, thiserror::Error)]
#[error("get randomness from the host")]
pub struct NoEntropy(#[source] <SysRng as rand::TryRng>::Error);

/// A cryptographic generator with a key of its own.
pub struct Entropy(StdRng);

impl Entropy {
    /// A generator that nobody else's results tell anything about.
    pub fn new() -> Result<Self, NoEntropy> {
        StdRng::try_from_rng(&mut SysRng).map(Self).map_err(NoEntropy)
    }

    /// As many bytes.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.0.fill_bytes(&mut bytes);
        bytes
    }

    /// An array of bytes, as long as its type says.
    pub fn array<const LENGTH: usize>(&mut self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        self.0.fill_bytes(&mut bytes);
        bytes
    }
}

impl Draw for Entropy {
    fn below(&mut self, bound: NonZeroU64) -> u64 {
        self.0.random_range(..bound.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_generators_give_the_same() {
        let draw = || Entropy::new().unwrap().array::<16>();
        assert_ne!(draw(), draw());
    }

    #[test]
    fn ranges_are_kept_and_filled() {
        let mut entropy = Entropy::new().unwrap();
        let six = NonZeroU64::new(6).unwrap();
        let mut counts = [0_u32; 6];
        for _ in 0..6_000 {
            counts[entropy.below(six) as usize] += 1;
        }
        // Each count is 1,000 ± 29 (one standard deviation); ten of them are less likely than a broken machine.
        assert!(counts.iter().all(|count| (710..1290).contains(count)), "{counts:?}");
    }
}
