//! How long a call has computed: its guest, and the host at its guest's wish.
//!
//! A guest that has the host work for it keeps a processor as busy as one that works itself. So what counts is the time that
//! processors spent on the call, whoever wrote the code. A wait spends none, and neither does a thread that has to stand back
//! for others.

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// To ask the system how long a thread has worked takes as long as many a call's own work. So what is over within this time counts
/// as work altogether, and of what takes longer the system is asked from where it was asked last, if that is no longer ago.
const BRIEF: Duration = Duration::from_micros(200);

thread_local! {
    /// When the system was asked last, and what it said.
    static ASKED: Cell<Option<(Instant, Duration)>> = const { Cell::new(None) };
}

/// What one call has computed. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Computing(Arc<Account>);

#[derive(Debug, Default)]
struct Account {
    /// Nanoseconds.
    spent: AtomicU64,
    /// Whether it may be in the middle of something for long.
    burden: AtomicBool,
}

impl Computing {
    /// The time so far. What is being done at this moment is added when it yields, which guests do each tick.
    pub(crate) fn spent(&self) -> Duration {
        Duration::from_nanos(self.0.spent.load(Ordering::Relaxed))
    }

    /// Says that whatever it does next may take long, and can't be interrupted. Whether that is news.
    pub(crate) fn burden(&self) -> bool {
        !self.0.burden.swap(true, Ordering::Relaxed)
    }

    /// Whether that was said.
    pub(crate) fn is_burden(&self) -> bool {
        self.0.burden.load(Ordering::Relaxed)
    }

    /// Does some work, and counts it.
    pub(crate) async fn count<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        poll_fn(|context| {
            let piece = Piece::begin();
            let polled = work.as_mut().poll(context);
            let took = piece.computed().as_nanos();
            self.0.spent.fetch_add(u64::try_from(took).unwrap_or(u64::MAX), Ordering::Relaxed);
            polled
        })
        .await
    }
}

/// A piece of work, under way on this thread.
struct Piece {
    begun: Instant,
    /// How long the thread had worked by then, or shortly before.
    before: Duration,
}

impl Piece {
    fn begin() -> Self {
        let begun = Instant::now();
        let known = ASKED.get().filter(|(at, _)| begun.duration_since(*at) <= BRIEF);
        let (_, before) = known.unwrap_or_else(|| {
            let asked = (begun, of_this_thread());
            ASKED.set(Some(asked));
            asked
        });
        Self { begun, before }
    }

    fn computed(&self) -> Duration {
        let took = self.begun.elapsed();
        if took <= BRIEF { took } else { of_this_thread().saturating_sub(self.before).min(took) }
    }
}

/// How long processors have worked for this thread.
#[cfg(unix)]
fn of_this_thread() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or_default())
}

/// Where that isn't known: how long this process has run, whoever had the processors.
#[cfg(not(unix))]
fn of_this_thread() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}

/// Keeps a processor busy, as those do that compute.
#[cfg(test)]
pub(crate) fn work(enough: Duration) {
    let begun = of_this_thread();
    while of_this_thread() - begun < enough {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_counts_in_all_of_its_pieces_and_waiting_does_not() {
        let computing = Computing::default();
        let piece = Duration::from_millis(5);
        let pieces = async {
            for _ in 0..3 {
                work(piece);
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            "done"
        };
        assert_eq!(computing.count(pieces).await, "done");
        let spent = computing.clone().spent();
        assert!(spent >= piece * 3, "{spent:?}");
        assert!(spent < Duration::from_millis(100), "three waits took three times as long: {spent:?}");
        assert_eq!(Computing::default().spent(), Duration::ZERO);
    }
}
