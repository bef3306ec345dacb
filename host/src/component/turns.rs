//! Turns of guests: providers take turns, however many calls each has under way.
//!
//! Threads for guests are few, and whoever has many calls would have most of their time if calls took turns: an honest call would
//! wait for each of a thousand hostile ones. So a call waits in its provider's own line first, and only so many of each line
//! wait for a thread or have one.
//!
//! A turn is a tick of the clock long, unless a guest is in the middle of an instruction, such as one that fills all of its memory.
//! Whoever waits behind one of those has a thread that is kept for that.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, SemaphorePermit};

/// When no turn has begun or ended for so long, somebody is in the middle of something: two ticks.
const OVERDUE: Duration = Duration::from_millis(20);

/// The turns of one process. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Turns(Arc<Threads>);

#[derive(Debug)]
struct Threads {
    /// How many of one line wait for a thread or have one.
    places: usize,
    /// Those that are there for turns.
    all: Semaphore,
    /// Those that are kept.
    kept: Semaphore,
    /// When a turn of the former began or ended.
    latest: Mutex<Instant>,
}

/// The calls of one provider, one after the other. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Line(Arc<OnceLock<Semaphore>>);

/// A turn, until it is dropped.
pub(super) struct Turn<'a> {
    /// None if its thread is one of those that are kept.
    of: Option<&'a Threads>,
    _thread: SemaphorePermit<'a>,
    _place: SemaphorePermit<'a>,
}

impl Turns {
    /// Of so many threads, and of others that are kept; so many places for each provider.
    pub(super) fn new(threads: usize, kept: usize, places: usize) -> Self {
        let (all, kept) = (Semaphore::new(threads), Semaphore::new(kept));
        Self(Arc::new(Threads { places, all, kept, latest: Mutex::new(Instant::now()) }))
    }

    /// Waits for the next turn of a provider. None if there are no more.
    pub(super) async fn next<'a>(&'a self, line: &'a Line) -> Option<Turn<'a>> {
        let threads = self.0.as_ref();
        // Both are first come, first served.
        let place = line.0.get_or_init(|| Semaphore::new(threads.places)).acquire().await.ok()?;
        let mut waiting = pin!(threads.all.acquire());
        let mut due = *threads.latest() + OVERDUE;
        loop {
            tokio::select! {
                biased;
                thread = &mut waiting => {
                    *threads.latest() = Instant::now();
                    return Some(Turn { of: Some(threads), _thread: thread.ok()?, _place: place });
                }
                () = tokio::time::sleep_until(due.into()) => {}
            }
            due = *threads.latest() + OVERDUE;
            if due <= Instant::now() {
                if let Ok(kept) = threads.kept.try_acquire() {
                    return Some(Turn { of: None, _thread: kept, _place: place });
                }
                due = Instant::now() + OVERDUE;
            }
        }
    }
}

impl Threads {
    fn latest(&self) -> MutexGuard<'_, Instant> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(threads) = self.of {
            *threads.latest() = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use tokio::task::JoinSet;

    use super::*;

    #[tokio::test]
    async fn one_call_has_every_other_turn_beside_a_thousand_of_another_provider() {
        let (turns, line) = (Turns::new(1, 0, 1), Line::default());
        let crowd = Line::default();
        let taken = Arc::new(AtomicUsize::new(0));
        let mut calls = JoinSet::new();
        for _ in 0..1_000 {
            let (turns, crowd, taken) = (turns.clone(), crowd.clone(), Arc::clone(&taken));
            calls.spawn(async move {
                loop {
                    let turn = turns.next(&crowd).await;
                    taken.fetch_add(1, Ordering::Relaxed);
                    tokio::task::yield_now().await;
                    drop(turn);
                }
            });
        }
        tokio::task::yield_now().await;
        for _ in 0..100 {
            let before = taken.load(Ordering::Relaxed);
            let _turn = turns.next(&line).await;
            let meanwhile = taken.load(Ordering::Relaxed) - before;
            assert!(meanwhile <= 2, "{meanwhile}");
        }
        assert!(taken.load(Ordering::Relaxed) >= 99, "the others have theirs");
    }

    #[tokio::test]
    async fn a_provider_alone_has_all_threads() {
        let (turns, line) = (Turns::new(3, 0, 3), Line::default());
        let all = [turns.next(&line).await, turns.next(&line).await, turns.next(&line).await];
        assert!(all.iter().all(Option::is_some));
        let fourth = tokio::time::timeout(Duration::from_millis(10), turns.next(&line)).await;
        assert!(fourth.is_err());
        drop(all);
        assert!(turns.next(&line).await.is_some());
    }

    #[tokio::test]
    async fn what_one_provider_leaves_another_has() {
        let (turns, hostile, line) = (Turns::new(2, 0, 1), Line::default(), Line::default());
        let endless = turns.next(&hostile).await;
        let more = tokio::time::timeout(Duration::from_millis(10), turns.next(&hostile)).await;
        assert!(endless.is_some() && more.is_err());
        assert!(turns.next(&line).await.is_some());
    }

    #[tokio::test]
    async fn nobody_waits_for_a_turn_that_does_not_end() {
        let (turns, hostile, line) = (Turns::new(1, 1, 1), Line::default(), Line::default());
        let endless = turns.next(&hostile).await;
        assert!(endless.is_some());
        let turn = turns.next(&line).await;
        assert!(turn.is_some());
        let more = tokio::time::timeout(OVERDUE * 3, turns.next(&hostile)).await;
        assert!(more.is_err(), "it has its place already");
        let others = Line::default();
        let another = tokio::time::timeout(OVERDUE * 3, turns.next(&others)).await;
        assert!(another.is_err(), "no more are kept");
        drop(turn);
        assert!(turns.next(&others).await.is_some());
    }
}
