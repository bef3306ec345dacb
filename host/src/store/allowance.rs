//! How much of something one call may still use up: what it sends, what it writes.
//!
//! Neither a request nor a stream knows of the others, and only all of them together say how much leaves a sandbox. So they take
//! from one allowance, before they pass anything on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::shortages::{Shortage, Shortages};

/// Bytes that are left to a call. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowance(Arc<Account>);

#[derive(Debug)]
struct Account {
    limit: u64,
    left: AtomicU64,
    shortages: Shortages,
    met: fn(u64) -> Shortage,
}

impl Allowance {
    /// So many bytes, and what is said when they don't do.
    pub(crate) fn new(limit: u64, shortages: &Shortages, met: fn(u64) -> Shortage) -> Self {
        Self(Arc::new(Account { limit, left: AtomicU64::new(limit), shortages: shortages.clone(), met }))
    }

    /// Takes some. Where there isn't as much, nothing is taken, and the call's error will say so.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let less = |left: u64| left.checked_sub(bytes);
        let taken = self.0.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok();
        if !taken {
            self.0.shortages.met((self.0.met)(self.0.limit));
        }
        taken
    }

    /// All that there was.
    pub(crate) fn limit(&self) -> u64 {
        self.0.limit
    }
}

/// Of a call that isn't under way: nothing.
impl Default for Account {
    fn default() -> Self {
        Self { limit: 0, left: AtomicU64::new(0), shortages: Shortages::default(), met: Shortage::Sent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_take_from_one_allowance_and_what_is_too_much_takes_nothing() {
        let shortages = Shortages::default();
        let allowance = Allowance::new(10, &shortages, Shortage::Written);
        let clone = allowance.clone();
        assert!(allowance.take(6) && clone.take(2) && shortages.all().is_empty());
        assert!(!allowance.take(3), "two are left");
        assert!(!clone.take(usize::MAX));
        assert_eq!(shortages.all(), [Shortage::Written(10)]);
        assert!(clone.take(2) && !clone.take(1) && clone.take(0));
        assert!(!Allowance::default().take(1));
    }
}
