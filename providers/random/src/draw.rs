//! Ranges, choices and orders are drawn alike from both kinds of randomness there are: the host's, and a seed's.

use std::num::NonZeroU64;

/// A source of numbers in ranges, all equally likely.
pub trait Draw {
    /// A number below a bound of at most 2⁶³ − 1.
    fn below(&mut self, bound: NonZeroU64) -> u64;

    /// One of several; nothing of none.
    fn choose<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        let bound = NonZeroU64::new(choices.len() as u64)?;
        choices.get(self.below(bound) as usize)
    }

    /// The numbers below `length`, in any order.
    fn permutation(&mut self, length: usize) -> Vec<usize> {
        let mut order = Vec::with_capacity(length);
        for (last, bound) in (1..=length as u64).filter_map(NonZeroU64::new).enumerate() {
            order.push(last);
            order.swap(last, self.below(bound) as usize);
        }
        order
    }
}
