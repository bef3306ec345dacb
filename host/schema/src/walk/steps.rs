//! Steps that several comparisons share.
//!
//! One comparison is bounded by itself. Whoever decides how many there are, as a guest does that lists or registers, would have any number of them.

use super::shape::{STEPS, Shapes};
use crate::model::Package;

/// How many steps a number of comparisons has, and has left.
#[derive(Debug)]
pub struct Steps {
    left: usize,
}

impl Steps {
    /// As many as so many comparisons may take that know of no other.
    pub fn of(comparisons: usize) -> Self {
        Self { left: STEPS.saturating_mul(comparisons) }
    }

    #[cfg(test)]
    pub(crate) fn exactly(left: usize) -> Self {
        Self { left }
    }

    /// Whether there are none left, so that nothing more is compared.
    pub fn are_spent(&self) -> bool {
        self.left == 0
    }

    /// Compares something within what is left, and no longer than any other comparison.
    pub(crate) fn spend<'a, T>(&mut self, package: &'a Package, compare: impl FnOnce(&mut Shapes<'a>) -> T) -> T {
        let most = self.left.min(STEPS);
        let mut shapes = Shapes::within(package, most);
        let outcome = compare(&mut shapes);
        self.left -= most.saturating_sub(shapes.left());
        outcome
    }
}
