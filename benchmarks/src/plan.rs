//! How long and how often everything is measured.

use std::time::Duration;

/// How many calls are under way at once.
pub(crate) const CONCURRENCIES: [usize; 3] = [1, 8, 32];

/// The plan of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Starts of each contender.
    pub(crate) starts: usize,
    /// Fresh processes of each contender per measurement of calls, values and memory.
    pub(crate) rounds: usize,
    /// How long one kind of call is repeated.
    pub(crate) slice: Duration,
    /// How long a process is under load before its memory is read.
    pub(crate) memory_load: Duration,
    /// How many nodes values have.
    pub(crate) nodes: &'static [usize],
    /// How many hostile calls are under way at once.
    pub(crate) attackers: &'static [usize],
    /// How many well-behaved calls are under way at once meanwhile.
    pub(crate) attacked_callers: &'static [usize],
    /// Fresh processes that are attacked.
    pub(crate) attacked_rounds: usize,
    /// How long calls are made quietly, and under each attack.
    pub(crate) attacked_slice: Duration,
}

impl Plan {
    /// What is quoted.
    pub(crate) const FULL: Self = Self {
        starts: 25,
        rounds: 3,
        slice: Duration::from_millis(1_500),
        memory_load: Duration::from_secs(4),
        nodes: &[10, 100, 1_000, 10_000, 100_000],
        attackers: &[1, 8],
        attacked_callers: &[1, 8],
        attacked_rounds: 3,
        attacked_slice: Duration::from_millis(500),
    };
    /// What shows that something is far off.
    pub(crate) const QUICK: Self = Self {
        starts: 8,
        rounds: 1,
        slice: Duration::from_millis(500),
        memory_load: Duration::from_secs(1),
        nodes: &[10, 1_000, 100_000],
        attackers: &[8],
        attacked_callers: &[1],
        attacked_rounds: 1,
        attacked_slice: Duration::from_millis(500),
    };
}
