//! One provider's share of the threads that answers are worked on.
//!
//! What values and schemas make of an answer is computed in one go, which nothing interrupts, and these threads are the whole process's: one
//! provider that makes much of little would have all of them for as long as it likes, and every answer of every other provider that has to
//! wait for anything goes on there. So no provider is worked for on more than some of them at a time, part by part: what waits takes none.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use tokio::sync::Semaphore;
use tokio_util::sync::PollSemaphore;

/// The share. Clones are the same. How many threads it has is asked once there is work for them, since the system's files say how many
/// processors there are, and most processes never need them.
#[derive(Clone, Debug, Default)]
pub(super) struct Share(Arc<OnceLock<Arc<Semaphore>>>);

impl Share {
    /// Work that takes its turn among all that shares so many threads.
    pub(super) fn working<T>(
        &self,
        threads: impl FnOnce() -> usize,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Working<T> {
        let turns = self.0.get_or_init(|| Arc::new(Semaphore::new(threads())));
        Working { work: Box::pin(work), turns: PollSemaphore::new(Arc::clone(turns)) }
    }
}

/// Work within a share.
pub(super) struct Working<T> {
    work: Pin<Box<dyn Future<Output = T> + Send>>,
    turns: PollSemaphore,
}

impl<T> Future for Working<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        // Nobody closes it. It is given back as soon as this part is done.
        let _turn = ready!(self.turns.poll_acquire(context));
        self.work.as_mut().poll(context)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn as_many_parts_as_a_share_has_are_done_at_once_and_what_waits_takes_none() {
        let (share, [now, most]) = (Share::default(), [0, 0].map(|none| Arc::new(AtomicUsize::new(none))));
        let waiting: Vec<_> = (0..3).map(|_| tokio::spawn(share.working(|| 2, std::future::pending::<()>()))).collect();
        let work = |now: Arc<AtomicUsize>, most: Arc<AtomicUsize>| async move {
            for _ in 0..5 {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(2));
                now.fetch_sub(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
            }
        };
        let work = (0..8).map(|_| tokio::spawn(share.working(|| 2, work(Arc::clone(&now), Arc::clone(&most)))));
        for done in work.collect::<Vec<_>>() {
            done.await.unwrap();
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
        waiting.into_iter().for_each(|waits| waits.abort());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn others_have_their_own() {
        let both = Arc::new(Barrier::new(2));
        let shares = [Share::default(), Share::default()];
        let met = shares.map(|share| {
            let both = Arc::clone(&both);
            tokio::spawn(share.working(|| 1, async move { both.wait().is_leader() }))
        });
        let mut leaders = 0;
        for met in met {
            leaders += usize::from(met.await.unwrap());
        }
        assert_eq!(leaders, 1);
    }
}
