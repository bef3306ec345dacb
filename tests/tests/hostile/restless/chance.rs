//! Chance that comes again: equal seeds make equal programs.

use chacha20::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// A source of numbers.
pub(super) struct Chance(ChaCha8Rng);

impl Chance {
    pub(super) fn of_seed(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Less than a bound, which isn't 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    /// So many times in a hundred.
    pub(super) fn percent(&mut self, times: usize) -> bool {
        self.below(100) < times
    }

    pub(super) fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
