//! Numbers drawn from a seed and a place.

use bulkhead_value::PropertyPath;
use chacha20::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// What is drawn for one place.
pub(super) struct Draw(ChaCha8Rng);

impl Draw {
    pub(super) fn new(seed: u64, place: &PropertyPath) -> Self {
        let mut key = Sha256::new();
        key.update(b"bulkhead sample 1\0");
        key.update(seed.to_be_bytes());
        key.update(place.to_string());
        Self(ChaCha8Rng::from_seed(key.finalize().into()))
    }

    /// A number from 0 up to, and without, a bound; 0 if the bound is. Small bounds only: the odds aren't exactly even.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.0.next_u64() % bound).unwrap_or_default()
    }

    /// One of several, if there are any.
    pub(super) fn among<'t, T>(&mut self, candidates: &'t [T]) -> Option<&'t T> {
        let index = self.below(candidates.len());
        candidates.get(index)
    }

    /// What is drawn from, for what draws by itself.
    pub(super) fn source(&mut self) -> &mut impl Rng {
        &mut self.0
    }
}
