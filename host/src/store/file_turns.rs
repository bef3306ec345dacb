//! What a provider's calls do with files, one after the other.
//!
//! Files are worked on by threads that block, of which there are hundreds, and which the clock doesn't interrupt: eight calls that do
//! nothing but look for names had all processors, in the middle of the system's code, where nobody's wake-up takes one from them.
//! So a provider leaves one processor free, as where it computes (`component/turns.rs`), and its calls wait for one another.
//!
//! What takes long and says nothing of going on waits for a disk, or for another machine, and works for nobody meanwhile. It gives its turn
//! back, so that a file system that hangs holds up nobody who has to do with another one. Who unpacks an archive says so, piece by piece, and
//! who has fetched one waits for another turn before.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::assets::Progress;

/// What takes longer works no more: two ticks.
pub(super) const LONG: Duration = Duration::from_millis(20);

/// The turns of one provider. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct FileTurns {
    turns: Arc<Semaphore>,
    /// When one began or ended, or went on.
    latest: Arc<Mutex<Instant>>,
}

/// A turn, until it is dropped.
#[derive(Debug)]
struct Turn {
    _place: Option<OwnedSemaphorePermit>,
    latest: Arc<Mutex<Instant>>,
}

impl Default for FileTurns {
    fn default() -> Self {
        Self::new(available_parallelism().map_or(2, usize::from).saturating_sub(1).max(1))
    }
}

impl FileTurns {
    pub(super) fn new(many: usize) -> Self {
        Self { turns: Arc::new(Semaphore::new(many)), latest: Arc::new(Mutex::new(Instant::now())) }
    }

    /// The next turn, or none once there is no more patience.
    async fn soon(&self, patience: impl Future<Output = ()>) -> Option<Turn> {
        tokio::select! {
            biased;
            turn = self.next() => Some(turn),
            () = patience => None,
        }
    }

    /// Does something with files, in its turn, or without one once there is no more patience.
    pub(super) async fn take<T>(&self, patience: impl Future<Output = ()>, work: impl Future<Output = T>) -> T {
        let turn = self.soon(patience).await;
        let mut work = pin!(work);
        if let Ok(done) = tokio::time::timeout(LONG, &mut work).await {
            return done;
        }
        drop(turn);
        work.await
    }

    /// Does something that says whether it goes on, in a turn that it has for as long as it does, or without one.
    pub(super) async fn take_long<T>(
        &self,
        patience: impl Future<Output = ()>,
        going: &Going,
        work: impl Future<Output = T>,
    ) -> T {
        going.hold(self.soon(patience).await);
        let _over = Over(going);
        let mut work = pin!(work);
        loop {
            match tokio::time::timeout(LONG, &mut work).await {
                Ok(done) => return done,
                Err(_) if going.goes_on() => {}
                Err(_) => going.hold(None),
            }
        }
    }

    /// What something that takes long tells of itself.
    pub(super) fn going(&self) -> Going {
        Going { turns: self.clone(), course: Mutex::default() }
    }

    /// Waits for the next turn, unless whoever has one takes long and wasn't asked again since.
    async fn next(&self) -> Turn {
        let mut waiting = pin!(Arc::clone(&self.turns).acquire_owned());
        loop {
            let due = *latest(&self.latest) + LONG;
            let place = tokio::select! {
                biased;
                place = &mut waiting => place.ok(),
                () = tokio::time::sleep_until(due.into()) => None,
            };
            let mut latest = latest(&self.latest);
            if place.is_some() || *latest + LONG <= Instant::now() {
                *latest = Instant::now();
                return Turn { _place: place, latest: Arc::clone(&self.latest) };
            }
        }
    }
}

/// Something that takes long: its turn, and whether it goes on.
#[derive(Debug)]
pub(crate) struct Going {
    turns: FileTurns,
    course: Mutex<Course>,
}

#[derive(Debug, Default)]
struct Course {
    turn: Option<Turn>,
    /// When it said that it goes on.
    latest: Option<Instant>,
    /// Nobody waits for it any more, and it has no more turns.
    over: bool,
}

impl Going {
    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has it go on in a turn, or without one.
    fn hold(&self, turn: Option<Turn>) {
        let mut course = self.course();
        course.turn = turn.filter(|_| !course.over);
    }

    fn goes_on(&self) -> bool {
        self.course().latest.is_some_and(|latest| latest.elapsed() < LONG)
    }
}

impl Progress for Going {
    fn made(&self) {
        let now = Instant::now();
        *latest(&self.turns.latest) = now;
        self.course().latest = Some(now);
    }

    fn waits(&self) {
        self.hold(None);
    }

    fn resumes(&self, stop: &CancellationToken) {
        let Ok(runtime) = Handle::try_current() else { return };
        let turn = runtime.block_on(stop.run_until_cancelled(self.turns.next()));
        self.made();
        self.hold(turn);
    }
}

/// Ends something that takes long, whoever still works at it.
struct Over<'a>(&'a Going);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        let mut course = self.0.course();
        course.over = true;
        course.turn = None;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *latest(&self.latest) = Instant::now();
    }
}

fn latest(latest: &Mutex<Instant>) -> MutexGuard<'_, Instant> {
    latest.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::task::JoinSet;

    use super::*;

    /// More than anybody waits who doesn't wait for ever.
    const EVER: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn calls_of_a_provider_have_their_turns_one_after_the_other() {
        let (turns, at_once, most) = (FileTurns::new(2), Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let mut calls = JoinSet::new();
        for _ in 0..100 {
            let (turns, at_once, most) = (turns.clone(), Arc::clone(&at_once), Arc::clone(&most));
            calls.spawn(async move {
                let work = async {
                    most.fetch_max(at_once.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                    at_once.fetch_sub(1, Ordering::SeqCst);
                };
                turns.take(pending(), work).await;
            });
        }
        calls.join_all().await;
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn what_hangs_holds_up_nobody_and_what_is_over_or_given_up_gives_its_turn_back() {
        let turns = FileTurns::new(1);
        let hanging = tokio::spawn({
            let turns = turns.clone();
            async move { turns.take(pending(), pending::<()>()).await }
        });
        tokio::task::yield_now().await;
        for _ in 0..2 {
            let after = async {
                for each in 0..100 {
                    assert_eq!(turns.take(pending(), async { each }).await, each);
                }
            };
            tokio::time::timeout(EVER, after).await.unwrap();
            hanging.abort();
            assert_eq!(turns.turns.available_permits(), 1);
        }
    }

    #[tokio::test]
    async fn who_says_that_it_goes_on_keeps_its_turn() {
        let turns = FileTurns::new(1);
        let going = turns.going();
        let others = AtomicUsize::new(0);
        let unpacking = async {
            let until = Instant::now() + LONG * 10;
            while Instant::now() < until {
                going.made();
                tokio::time::sleep(LONG / 20).await;
            }
            assert_eq!(others.load(Ordering::SeqCst), 0);
        };
        let other = async {
            tokio::task::yield_now().await;
            turns.take(pending(), async { others.fetch_add(1, Ordering::SeqCst) }).await;
        };
        tokio::join!(biased; turns.take_long(pending(), &going, unpacking), other);
        assert_eq!(others.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn nobody_waits_for_a_turn_that_nobody_asks_for_any_more() {
        let turns = FileTurns::new(1);
        let mut forgotten = pin!(turns.take(pending(), pending::<()>()));
        assert!(tokio::time::timeout(Duration::ZERO, &mut forgotten).await.is_err());
        assert_eq!(turns.turns.available_permits(), 0);
        tokio::time::timeout(EVER, turns.take(pending(), async {})).await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn who_waits_for_another_machine_has_no_turn_meanwhile_and_another_one_afterwards() {
        let turns = FileTurns::new(1);
        let going = Arc::new(turns.going());
        let left = |turns: &FileTurns| turns.turns.available_permits();
        let fetching = {
            let (turns, going) = (turns.clone(), Arc::clone(&going));
            async move {
                let fetched = move || {
                    going.waits();
                    let meanwhile = left(&turns);
                    going.resumes(&CancellationToken::new());
                    (meanwhile, left(&turns))
                };
                tokio::task::spawn_blocking(fetched).await.unwrap()
            }
        };
        assert_eq!(turns.take_long(pending(), &going, fetching).await, (1, 0));
        assert_eq!(left(&turns), 1);
        // Nobody waits for it any more.
        tokio::task::spawn_blocking(move || going.resumes(&CancellationToken::new())).await.unwrap();
        assert_eq!(left(&turns), 1);
    }
}
