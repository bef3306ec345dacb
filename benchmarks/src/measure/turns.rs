//! Who is measured when.

use crate::contender::{Contender, Pair};

/// One figure, or whatever was measured, for each side of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sides<T> {
    /// Under Bulkhead.
    pub(super) ours: T,
    /// Native.
    pub(super) theirs: T,
}

impl<T> Sides<T> {
    /// Another figure for each side.
    pub(super) fn map<U>(&self, mut each: impl FnMut(&T) -> U) -> Sides<U> {
        Sides { ours: each(&self.ours), theirs: each(&self.theirs) }
    }

    /// The side that was measured.
    pub(super) fn side(&mut self, side: Side) -> &mut T {
        match side {
            Side::Ours => &mut self.ours,
            Side::Theirs => &mut self.theirs,
        }
    }
}

impl Sides<f64> {
    /// Ours to theirs.
    pub(super) fn ratio(&self) -> f64 {
        self.ours / self.theirs
    }
}

/// A side of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Under Bulkhead.
    Ours,
    /// Native.
    Theirs,
}

/// The contenders of a pair in the order of a round.
pub(super) fn turns(pair: &Pair, round: usize) -> [(Side, &Contender); 2] {
    let [ours, theirs] = pair.both();
    let mut turns = [(Side::Ours, ours), (Side::Theirs, theirs)];
    if round % 2 == 1 {
        turns.reverse();
    }
    turns
}
