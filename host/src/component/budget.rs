//! What a provider's calls may compute where calls wait.
//!
//! A call that fills much memory in one instruction holds its thread until that is done, and has taken the time when anybody
//! notices. If most calls of its kind are quick, its kind is no one that computes (`pace.rs`), and goes on where calls wait and have
//! precedence. So what calls of a provider take there in one go is charged to the provider, a hundred times over: as long as it owes
//! more than a little, its calls are among those that compute, whatever they are called. It owes nothing for those that can be
//! interrupted, which are moved when they are: quick calls of its own would have to wait for theirs. Calls that begin where they are
//! awaited are none of this.
//!
//! Nor does it owe anything for calls that take as little at a time as most do, as long as they take half a processor together. Some
//! that compute for less than half a millisecond and then wait for next to nothing would have all of them: none of them computes, by
//! what is known of it, and yet they do.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::pace::LONG;

/// What a provider may owe: two ticks, which is what a call that computes has before it is moved.
const LITTLE: Duration = Duration::from_millis(20);
/// What calls may have computed a little at a time, beyond their half of a processor.
const LITTLE_BY_LITTLE: Duration = Duration::from_millis(20);
/// In how many times that it is paid off.
const TIMES: u32 = 100;
/// The most that any owes. Then its calls may try again.
const MOST: Duration = Duration::from_secs(6);

/// The budget of one provider. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Budget(Arc<Mutex<Account>>);

#[derive(Debug, Default)]
struct Account {
    owed: Duration,
    /// What was computed a little at a time, beyond half a processor.
    little: Duration,
    /// When that much was owed.
    at: Option<Instant>,
}

impl Budget {
    /// Charges what a call computed in one go.
    pub(super) fn charge(&self, duration: Duration) {
        self.with(|account| {
            let charged = if duration > LONG {
                duration
            } else {
                account.little = account.little.saturating_add(duration);
                if account.little <= LITTLE_BY_LITTLE {
                    return;
                }
                // So that it is overdrawn by that.
                std::mem::take(&mut account.little) + LITTLE
            };
            account.owed = account.owed.saturating_add(charged).min(MOST);
        });
    }

    /// Whether more is owed than may be.
    pub(super) fn is_overdrawn(&self) -> bool {
        self.with(|account| account.owed > LITTLE)
    }

    fn with<R>(&self, then: impl FnOnce(&mut Account) -> R) -> R {
        let mut account = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = account.at.replace(Instant::now()) {
            let elapsed = at.elapsed();
            account.owed = account.owed.saturating_sub(elapsed / TIMES);
            account.little = account.little.saturating_sub(elapsed / 2);
        }
        then(&mut account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_takes_little_at_a_time_owes_nothing_unless_it_has_more_than_half_a_processor() {
        let budget = Budget::default();
        for _ in 0..50 {
            budget.charge(LONG);
            std::thread::sleep(LONG * 2);
        }
        assert!(!budget.is_overdrawn(), "they have to wait for others much longer");
        for _ in 0..LITTLE_BY_LITTLE.as_micros() / LONG.as_micros() {
            budget.charge(LONG);
        }
        assert!(!budget.is_overdrawn(), "many may come at once");
        for _ in 0..1_000 {
            budget.charge(LONG);
        }
        assert!(budget.is_overdrawn());
        std::thread::sleep(LITTLE_BY_LITTLE * 2);
        assert!(budget.is_overdrawn(), "it is paid off as the rest is");
    }

    #[test]
    fn what_calls_take_in_one_go_adds_up() {
        let budget = Budget::default();
        budget.charge(LITTLE / 2);
        assert!(!budget.is_overdrawn(), "that happens to anybody");
        for _ in 0..4 {
            budget.clone().charge(LITTLE / 2);
        }
        assert!(budget.is_overdrawn());
    }

    #[test]
    fn debts_are_paid_off() {
        let budget = Budget::default();
        budget.charge(LITTLE + LONG);
        assert!(budget.is_overdrawn());
        std::thread::sleep(LONG * TIMES * 2);
        assert!(!budget.is_overdrawn());
        budget.charge(Duration::from_secs(3_600));
        assert!(budget.with(|account| account.owed <= MOST), "everybody may try again some time");
    }
}
