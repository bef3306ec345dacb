//! Turns of guests that compute: providers take turns, however many calls each has under way.
//!
//! Threads for guests that compute are few, and whoever has many calls would have most of their time if calls took turns: an honest
//! call would wait for each of a thousand hostile ones. So a call waits in its provider's own line first, and only as many of each
//! line as there are threads wait for a thread.

use std::sync::{Arc, OnceLock};

use tokio::sync::{Semaphore, SemaphorePermit};

/// The turns of one process, as many at once as there are threads. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    threads: usize,
    all: Arc<Semaphore>,
}

/// The calls of one provider, one after the other. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Line(Arc<OnceLock<Semaphore>>);

/// A turn, until it is dropped.
pub(super) struct Turn<'a> {
    _thread: SemaphorePermit<'a>,
    _place: SemaphorePermit<'a>,
}

impl Turns {
    /// For so many threads.
    pub(super) fn new(threads: usize) -> Self {
        Self { threads, all: Arc::new(Semaphore::new(threads)) }
    }

    /// Waits for the next turn of a provider. None if there are no more.
    pub(super) async fn next<'a>(&'a self, line: &'a Line) -> Option<Turn<'a>> {
        // Both are first come, first served.
        let place = line.0.get_or_init(|| Semaphore::new(self.threads)).acquire().await.ok()?;
        let thread = self.all.acquire().await.ok()?;
        Some(Turn { _thread: thread, _place: place })
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
        let (turns, line) = (Turns::new(1), Line::default());
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
        let (turns, line) = (Turns::new(3), Line::default());
        let all = [turns.next(&line).await, turns.next(&line).await, turns.next(&line).await];
        assert!(all.iter().all(Option::is_some));
        let fourth = tokio::time::timeout(Duration::from_millis(10), turns.next(&line)).await;
        assert!(fourth.is_err());
        drop(all);
        assert!(turns.next(&line).await.is_some());
    }
}
