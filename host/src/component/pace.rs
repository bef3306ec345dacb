//! How calls went lately: whoever held up the thread that answers everybody begins elsewhere for a while.
//!
//! Nobody knows of a call how long it will hold the thread that it begins on. But one that held it for long isn't the last of its
//! kind. So what a kind of call has taken of everybody's time it has to stay away for, a hundred times over, and twice as long as
//! the last time: whatever guests do, it is at most a hundredth of the time. Kinds are told apart by what is called, so that one
//! that takes long isn't the others' loss.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a call may hold the thread that it begins on without consequences. Most are done in a tenth of it.
pub(super) const LONG: Duration = Duration::from_millis(2);
/// How much longer its kind stays away.
const TIMES: u32 = 100;
/// The longest that any stays away. Then it may try again.
const LONGEST: Duration = Duration::from_secs(600);
/// Kinds that are told apart. Others share their fate.
const KINDS: usize = 64;

/// How calls of one configuration went lately.
#[derive(Debug)]
pub(super) struct Pace([Mutex<Kind>; KINDS]);

/// How calls of one kind did.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    /// Until when they begin elsewhere.
    until: Option<Instant>,
    /// For how long they did, the last time.
    stayed: Duration,
}

/// The pace of the calls of one kind. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Paced {
    pace: Arc<Pace>,
    place: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }
}

impl Paced {
    /// That of calls which are called so.
    pub(super) fn of(pace: &Arc<Pace>, called: &impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        called.hash(&mut hasher);
        let place = usize::try_from(hasher.finish() % KINDS as u64).unwrap_or_default();
        Self { pace: Arc::clone(pace), place }
    }

    /// Whether a call has to begin elsewhere.
    pub(super) fn begins_elsewhere(&self) -> bool {
        let mut kind = self.kind();
        kind.until = kind.until.filter(|until| Instant::now() < *until);
        kind.until.is_some()
    }

    /// Notes for how long a call held the thread that it began on.
    pub(super) fn held(&self, duration: Duration) {
        if duration <= LONG {
            // It is forgiven, but not at once.
            self.kind().stayed /= 2;
            return;
        }
        self.away(duration);
    }

    /// Notes that a call lost its instance. The next one needs a new one, which takes some time, and then loses that.
    pub(super) fn lost(&self) {
        self.away(LONG);
    }

    fn away(&self, duration: Duration) {
        let mut kind = self.kind();
        kind.stayed = duration.saturating_mul(TIMES).max(kind.stayed.saturating_mul(2)).min(LONGEST);
        kind.until = Some(Instant::now() + kind.stayed);
    }

    fn kind(&self) -> MutexGuard<'_, Kind> {
        let [first, ..] = &self.pace.0;
        self.pace.0.get(self.place).unwrap_or(first).lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stays_away(paced: &Paced) -> Duration {
        let until = paced.kind().until;
        until.map(|until| until.saturating_duration_since(Instant::now())).unwrap_or_default()
    }

    #[test]
    fn who_held_up_everybody_stays_away_for_long_and_for_longer_each_time() {
        let paced = Paced::of(&Arc::default(), &"a");
        paced.held(LONG);
        assert!(!paced.begins_elsewhere());
        paced.held(LONG * 2);
        assert!(paced.begins_elsewhere());
        let once = stays_away(&paced);
        assert!(once <= LONG * 2 * TIMES && once > LONG * TIMES, "{once:?}");
        paced.held(LONG * 2);
        assert!(stays_away(&paced) > once, "the second time is held against it");
        paced.held(Duration::from_secs(3_600));
        assert!(stays_away(&paced) <= LONGEST, "everybody may try again some time");
    }

    #[test]
    fn who_loses_instances_stays_away_too() {
        let paced = Paced::of(&Arc::default(), &"a");
        paced.held(Duration::ZERO);
        paced.lost();
        assert!(paced.begins_elsewhere() && stays_away(&paced) > LONG * TIMES / 2);
    }

    #[test]
    fn other_calls_begin_where_they_did() {
        let pace = Arc::default();
        Paced::of(&pace, &"a").held(LONG * 2);
        // One of them may share its place.
        assert!(["b", "c", "d", "e"].iter().filter(|called| Paced::of(&pace, called).begins_elsewhere()).count() <= 1);
    }

    #[test]
    fn who_does_well_again_is_forgiven() {
        let paced = Paced::of(&Arc::default(), &"a");
        paced.held(LONG * 50);
        for _ in 0..40 {
            paced.held(LONG / 2);
        }
        paced.held(LONG * 2);
        assert!(stays_away(&paced) <= LONG * 2 * TIMES);
    }
}
