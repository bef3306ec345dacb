//! How calls went lately: whoever held up the thread that answers everybody begins elsewhere for a while.
//!
//! Nobody knows of a call how long it will hold the thread that it begins on. But one that held it for long isn't the last of its
//! kind. So what a kind of call has taken of everybody's time it has to stay away for, a hundred times over, and twice as long as
//! the last time: whatever guests do, it is at most a hundredth of the time. A kind whose calls mostly go on to compute begins among
//! those that do, and so does one that was in the middle of an instruction for long, such as one that fills what memory it had: it can't
//! be moved there then. A call that loses one instance more, after others did, is told so a little later, which keeps whoever calls it again
//! and again from having the host make instances all the time, and nobody else from anything. Kinds are told apart by what is
//! called, so that one that takes long isn't the others' loss.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a call may compute on the thread that it begins on without consequences. Most are done in a tenth of it, and to go on
/// elsewhere costs another. What an instance has kept can be filled at 30 GB a second, so that much is written in little time.
pub(super) const LONG: Duration = Duration::from_micros(500);
/// What a lost instance counts as, which takes others' time too: there have to be new ones.
const LOSS: Duration = Duration::from_millis(2);
/// A call that has computed for no longer when it returns isn't one of those that compute.
const LITTLE: Duration = Duration::from_millis(2);
/// How much longer its kind stays away.
const TIMES: u32 = 100;
/// The longest that any stays away. Then it may try again.
const LONGEST: Duration = Duration::from_secs(600);
/// What computes for longer without being interrupted can't be. Guests are interrupted every other tick at the latest, in which
/// they compute for 20 ms.
const STUCK: Duration = Duration::from_millis(25);
/// How much longer its kind begins among those that compute. Less than above: quick calls of its kind have to wait there for long ones.
const AFTERWARDS: u32 = 20;
/// So many are no exceptions any more.
const SOME: i32 = 2;
/// How far those that compute, or don't, may be ahead of the others: more than that of the past doesn't count.
const AHEAD: i32 = 4;
/// By how much each instance that is lost in a row makes the answer later, and the latest.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(50));
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
    /// Until when they begin among those that compute.
    stuck: Option<Instant>,
    /// For how long they begin elsewhere, the last time.
    stayed: Duration,
    /// How many more went on to compute than didn't.
    computed: i32,
    /// How many in a row lost their instance.
    lost: u32,
}

/// The pace of the calls of one kind. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Paced {
    pace: Arc<Pace>,
    place: usize,
}

/// Where a call begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begins {
    /// Where it is awaited.
    Here,
    /// Among those that wait.
    Waiting,
    /// Among those that compute.
    Computing,
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

    /// Where a call begins.
    pub(super) fn begins(&self) -> Begins {
        let mut kind = self.kind();
        kind.until = kind.until.filter(|until| Instant::now() < *until);
        kind.stuck = kind.stuck.filter(|until| Instant::now() < *until);
        match (kind.stuck, kind.until) {
            (None, None) => Begins::Here,
            (None, Some(_)) if kind.computed < SOME => Begins::Waiting,
            _ => Begins::Computing,
        }
    }

    /// Notes for how long a call computed on the thread that it began on.
    pub(super) fn held(&self, duration: Duration) {
        if duration <= LONG {
            // It is forgiven, but not at once.
            self.kind().stayed /= 2;
            return;
        }
        self.away(duration);
        self.uninterrupted(duration);
    }

    /// Notes for how long a call computed on any thread until it was interrupted, or waited.
    pub(super) fn uninterrupted(&self, duration: Duration) {
        if duration >= STUCK {
            self.kind().stuck = Some(Instant::now() + duration.min(LONGEST / AFTERWARDS) * AFTERWARDS);
        }
    }

    /// Notes that a call went on to compute.
    pub(super) fn computes(&self) {
        let mut kind = self.kind();
        kind.computed = kind.computed.saturating_add(1).min(AHEAD);
    }

    /// Notes that a call returned, after it had computed for so long.
    pub(super) fn returned(&self, computed: Duration) {
        let mut kind = self.kind();
        kind.lost = 0;
        if computed <= LITTLE {
            kind.computed = kind.computed.saturating_sub(1).max(-AHEAD);
        }
    }

    /// Notes that a call lost its instance. The next one needs a new one, which takes some time, and then loses that. So this one's
    /// answer has to wait for a while.
    pub(super) fn lost(&self) -> Duration {
        self.away(LOSS);
        let mut kind = self.kind();
        let before = kind.lost;
        kind.lost = before.saturating_add(1);
        PAUSE.0.saturating_mul(before).min(PAUSE.1)
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
        assert_eq!(paced.begins(), Begins::Here);
        paced.held(LONG * 2);
        assert_eq!(paced.begins(), Begins::Waiting);
        let once = stays_away(&paced);
        assert!(once <= LONG * 2 * TIMES && once > LONG * TIMES, "{once:?}");
        paced.held(LONG * 2);
        assert!(stays_away(&paced) > once, "the second time is held against it");
        paced.held(Duration::from_secs(3_600));
        assert!(stays_away(&paced) <= LONGEST, "everybody may try again some time");
    }

    #[test]
    fn who_loses_one_instance_after_the_other_stays_away_and_is_told_later_and_later() {
        let paced = Paced::of(&Arc::default(), &"a");
        paced.held(Duration::ZERO);
        assert_eq!(paced.lost(), Duration::ZERO, "anybody may crash");
        assert!(paced.begins() == Begins::Waiting && stays_away(&paced) > LOSS * TIMES / 2);
        let once = paced.lost();
        assert!(once > Duration::ZERO && paced.lost() > once);
        for _ in 0..1_000 {
            assert!(paced.lost() <= PAUSE.1, "nobody waits for ever");
        }
        assert_eq!(paced.lost(), PAUSE.1);
        paced.returned(Duration::ZERO);
        assert_eq!(paced.lost(), Duration::ZERO);
    }

    #[test]
    fn who_computes_time_and_again_begins_among_those_that_compute() {
        let paced = Paced::of(&Arc::default(), &"a");
        let computes = || {
            paced.held(LONG * 2);
            paced.computes();
            paced.returned(LITTLE * 10);
        };
        computes();
        assert_eq!(paced.begins(), Begins::Waiting, "once is an exception");
        computes();
        assert_eq!(paced.begins(), Begins::Computing);
        for _ in 0..100 {
            paced.returned(LITTLE);
        }
        computes();
        computes();
        assert_eq!(paced.begins(), Begins::Waiting, "most of them don't");
    }

    #[test]
    fn who_was_in_the_middle_of_an_instruction_for_long_begins_among_those_that_compute() {
        let paced = Paced::of(&Arc::default(), &"a");
        paced.uninterrupted(STUCK / 2);
        assert_eq!(paced.begins(), Begins::Here, "a tick is no fault");
        paced.uninterrupted(STUCK);
        assert_eq!(paced.begins(), Begins::Computing);
        paced.returned(Duration::ZERO);
        assert_eq!(paced.begins(), Begins::Computing, "others of its kind may do the same");
        let paced = Paced::of(&Arc::default(), &"b");
        paced.held(STUCK);
        assert_eq!(paced.begins(), Begins::Computing, "where it was awaited, too");
    }

    #[test]
    fn other_calls_begin_where_they_did() {
        let pace = Arc::default();
        Paced::of(&pace, &"a").held(LONG * 2);
        // One of them may share its place.
        assert!(
            ["b", "c", "d", "e"].iter().filter(|called| Paced::of(&pace, called).begins() != Begins::Here).count() <= 1
        );
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
