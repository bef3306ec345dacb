//! Threads for guests that take their time.
//!
//! Most calls into a guest return at once, and another thread for each would cost more than the call. So a call begins where
//! it is awaited, and only one that computes for longer than a tick of the clock, or waits, goes on here. The threads are
//! started when the first call needs them.
//!
//! A call that waits for others needs little of a thread, but needs it soon; one that computes takes what it gets. So there are
//! threads for either, and a call moves from the ones to the others as it goes. What it did decides, and not how long it took: where
//! processors are short, all take long. One that takes much memory says so before it has any (`store/meter.rs`), goes among those that
//! compute, and stays: while it fills that, nothing can move it. Neither can whoever takes much at once without saying so, and so its
//! provider's calls are there for as long as it makes up for that (`budget.rs`).
//!
//! All threads give way, those for computing most. One provider leaves one processor free as well: priorities decide who gets how
//! much, and whoever has had more than its share, as one that answers many has, waits for the next tick of the system all the same.
//! Another one that computes has that processor, rather than every other turn. Providers have the threads in turns (`turns.rs`), those
//! for waiting too: nobody knows yet of a call there that it computes.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

#[cfg(test)]
use futures_util::FutureExt;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::budget::Budget;
use super::pace::Paced;
#[cfg(test)]
use super::turns::Turn;
use super::turns::{Line, Turns};
use crate::store::Computing;
use crate::threads::{self, Started, Way, give_way};

/// The stack of a thread that values pass through, bytes: what the deepest need in the least optimised build.
pub(crate) const STACK: usize = 16 << 20;

/// A call that computes for so long between so many waits computes, and one that doesn't waits.
const COMPUTING: Duration = Duration::from_millis(4);
const WAITS: u32 = 4;

/// Threads for computing that are kept for when the others aren't given back.
const KEPT: usize = 2;

/// The threads of one process.
#[derive(Default)]
pub(super) struct Workers(Started<Threads>);

struct Threads {
    waiting: Runtime,
    waiting_turns: Turns,
    computing: Runtime,
    computing_turns: Turns,
}

/// A call under way.
pub(super) type Running<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What decides where a call goes on. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// Where it waits for its turns.
    pub(super) lines: Lines,
    /// How much it has computed.
    pub(super) computed: Computing,
    /// How its like did lately.
    pub(super) paced: Paced,
    /// As long as it wasn't polled yet.
    pub(super) unbegun: Option<Unbegun>,
}

/// What ends a call that never had a turn. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Unbegun {
    pub(super) cancel: CancellationToken,
    pub(super) deadline: Option<Instant>,
}

/// Where calls of one provider wait for their turns. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    waiting: Line,
    computing: Line,
    /// What its calls may compute among those that wait.
    budget: Budget,
}

impl Workers {
    /// Goes on with a call among those that compute, or that wait; where no threads can be started, beside what awaits it. Nothing
    /// comes out of a call that panics.
    pub(super) fn spawn<T>(&self, call: Running<T>, course: Course, computes: bool) -> oneshot::Receiver<T>
    where
        T: Send + 'static,
    {
        let (done, outcome) = oneshot::channel();
        let places = match self.0.get(Threads::start) {
            Some(Threads { waiting, waiting_turns, computing, computing_turns }) => Places {
                waiting: (waiting.handle().clone(), waiting_turns.clone()),
                computing: (computing.handle().clone(), computing_turns.clone()),
            },
            None => {
                let here = (Handle::current(), Turns::new(1, 0, 1));
                Places { waiting: here.clone(), computing: here }
            }
        };
        // What nobody knows yet to compute is among those that wait after its first wait.
        let computes = computes || course.lines.budget.is_overdrawn();
        Stretch { call, done, course, places, waits: WAITS - 1, from: Duration::ZERO }.begin(computes);
        outcome
    }
}

impl Unbegun {
    async fn over(&self) {
        let late = async {
            match self.deadline {
                Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! { () = self.cancel.cancelled() => {}, () = late => {} }
    }
}

impl Threads {
    fn start() -> std::io::Result<Self> {
        let processors = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        // A guest that computes holds its thread for a tick at a time, so threads look for what has happened, and for new calls,
        // after each poll.
        let threads = |name: &str, way: Way, count: usize| {
            let mut builder = Builder::new_multi_thread();
            builder.event_interval(1).global_queue_interval(1).thread_name(name).enable_all();
            builder.on_thread_start(move || give_way(way));
            threads::runtime(&mut builder, count, STACK)
        };
        // Nobody knows of a call that it will compute before it has done so for a while, and others shouldn't wait for it.
        let many = processors * 4;
        let waiting = threads("guest", Way::Waiting, many)?;
        let computing = match threads("computing", Way::Computing, processors + KEPT) {
            Ok(computing) => computing,
            Err(error) => {
                // Dropping it would wait for its threads, which isn't possible inside another runtime.
                waiting.shutdown_background();
                return Err(error);
            }
        };
        let (waiting_turns, computing_turns) =
            (Turns::new(many, 0, processors), Turns::new(processors, KEPT, processors - 1));
        Ok(Self { waiting, waiting_turns, computing, computing_turns })
    }
}

#[cfg(test)]
impl Workers {
    /// All turns among those that wait which one provider may have.
    pub(super) fn all_turns<'a>(&'a self, lines: &'a Lines) -> Vec<Turn<'a>> {
        let turns = &self.0.get(Threads::start).unwrap().waiting_turns;
        std::iter::from_fn(|| turns.next(&lines.waiting).now_or_never().flatten()).collect()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // Waiting for what still runs isn't possible inside another runtime, and whoever cared has cancelled it.
        if let Some(Threads { waiting, computing, .. }) = self.0.take() {
            waiting.shutdown_background();
            computing.shutdown_background();
        }
    }
}

/// Where a call may go on.
#[derive(Clone)]
struct Places {
    waiting: (Handle, Turns),
    computing: (Handle, Turns),
}

/// A call on threads of one kind, until it turns out to be of the other.
struct Stretch<T> {
    call: Running<T>,
    done: oneshot::Sender<T>,
    course: Course,
    places: Places,
    /// How often it has waited lately, and what it had computed before.
    waits: u32,
    from: Duration,
}

impl<T: Send + 'static> Stretch<T> {
    fn go(mut self, computes: bool) {
        (self.waits, self.from) = (0, self.course.computed.spent());
        self.begin(computes);
    }

    fn begin(self, computes: bool) {
        let (on, _) = if computes { &self.places.computing } else { &self.places.waiting };
        on.clone().spawn(self.run(computes));
    }

    async fn run(mut self, computes: bool) {
        loop {
            let Places { waiting, computing } = &self.places;
            let Lines { waiting: to_wait, computing: to_compute, budget } = &self.course.lines;
            let ((_, turns), line) = if computes { (computing, to_compute) } else { (waiting, to_wait) };
            let turn = match self.course.unbegun.take() {
                // To say that it never began takes no turn, of which others of its provider may have all.
                Some(unbegun) => tokio::select! {
                    biased;
                    turn = turns.next(line) => turn,
                    () = unbegun.over() => None,
                },
                None => turns.next(line).await,
            };
            let before = self.course.computed.spent();
            let (polled, waits) = once(&mut self.call).await;
            drop(turn);
            let (spent, burden) = (self.course.computed.spent(), self.course.computed.is_burden());
            let computed = spent.saturating_sub(self.from) >= COMPUTING;
            let uninterrupted = spent.saturating_sub(before);
            // Who is interrupted is moved for that.
            if !computes && (polled.is_ready() || waits) {
                budget.charge(uninterrupted);
            }
            let belongs_to_computing = computed || burden || budget.is_overdrawn();
            // Who says so moves in time, whatever his like do.
            if !burden {
                self.course.paced.uninterrupted(uninterrupted);
                if computed && !computes {
                    self.course.paced.computes();
                }
            }
            if let Poll::Ready(outcome) = polled {
                let _ = self.done.send(outcome);
                return;
            }
            // Who has a thread taken from it, by the clock or for others, waits for nothing else.
            self.waits = self.waits.saturating_add(u32::from(waits));
            if !computes && belongs_to_computing {
                return self.go(true);
            }
            if self.waits >= WAITS {
                if computes && !belongs_to_computing {
                    return self.go(false);
                }
                (self.waits, self.from) = (0, self.course.computed.spent());
            }
            woken().await;
        }
    }
}

/// Polls a call once: what came of it, and whether it waits for somebody else to wake it.
async fn once<T>(call: &mut Running<T>) -> (Poll<T>, bool) {
    poll_fn(|context| {
        let watched = Arc::new(Watched { waker: context.waker().clone(), woken: AtomicBool::new(false) });
        let polled = call.as_mut().poll(&mut Context::from_waker(&Waker::from(Arc::clone(&watched))));
        Poll::Ready((polled, !watched.woken.load(Ordering::Relaxed)))
    })
    .await
}

/// Wakes a call, and knows that it did.
struct Watched {
    waker: Waker,
    woken: AtomicBool,
}

impl Wake for Watched {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.woken.store(true, Ordering::Relaxed);
        self.waker.wake_by_ref();
    }
}

/// Until the task is woken again.
async fn woken() {
    let mut asleep = false;
    poll_fn(|_| if std::mem::replace(&mut asleep, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::super::pace::Begins;
    use super::*;
    use crate::store::work;

    fn here() -> String {
        thread::current().name().unwrap_or_default().to_owned()
    }

    fn course() -> Course {
        let paced = Paced::of(&Arc::default(), &"a");
        Course { lines: Lines::default(), computed: Computing::default(), paced, unbegun: None }
    }

    #[tokio::test]
    async fn a_call_goes_where_what_it_does_belongs() {
        let (workers, course) = (Workers::default(), course());
        let call = async {
            let mut places = vec![here()];
            for _ in 0..2 {
                work(COMPUTING * 2);
                tokio::task::yield_now().await;
                places.push(here());
            }
            // A busy machine may take a while to find out that it only waits.
            for _ in 0..1_000 {
                tokio::time::sleep(Duration::from_millis(1)).await;
                if here() == "guest" {
                    break;
                }
            }
            places.push(here());
            places
        };
        let counting = course.computed.clone();
        let places = workers.spawn(Box::pin(async move { counting.count(call).await }), course, false).await.unwrap();
        assert_eq!(places, ["guest", "computing", "computing", "guest"]);
    }

    #[tokio::test]
    async fn who_turns_out_to_wait_is_among_those_after_the_first_time() {
        let call = async {
            let before = here();
            for _ in 0..2 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            [before, here()]
        };
        let places = Workers::default().spawn(Box::pin(call), course(), true).await.unwrap();
        assert_eq!(places, ["computing", "guest"]);
    }

    #[tokio::test]
    async fn who_takes_much_is_among_those_that_compute_and_stays_and_others_of_its_kind_are_where_they_were() {
        let (workers, course) = (Workers::default(), course());
        let computed = course.computed.clone();
        let call = async move {
            let before = here();
            assert!(computed.burden());
            tokio::task::yield_now().await;
            let after = here();
            for _ in 0..WAITS * 2 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            [before, after, here()]
        };
        let places = workers.spawn(Box::pin(call), course.clone(), false).await.unwrap();
        assert_eq!(places, ["guest", "computing", "computing"]);
        let Course { lines, paced, .. } = course;
        assert_eq!(paced.begins(), Begins::Here);
        let next = Course { lines, computed: Computing::default(), paced, unbegun: None };
        assert_eq!(workers.spawn(Box::pin(async { here() }), next, false).await.unwrap(), "guest");
    }

    #[tokio::test]
    async fn whose_provider_took_much_at_once_is_among_those_that_compute_and_stays_whatever_it_is_called() {
        let workers = Workers::default();
        for (is_interrupted, place) in [(true, "guest"), (false, "computing")] {
            let (lines, pace) = (Lines::default(), Arc::default());
            let course = |called: &str| Course {
                lines: lines.clone(),
                computed: Computing::default(),
                paced: Paced::of(&pace, &called),
                unbegun: None,
            };
            for _ in 0..2 {
                let course = course("a");
                let counting = course.computed.clone();
                let call = async move {
                    // It takes seconds until that is made up for.
                    work(COMPUTING * 30);
                    let mut goes_on = !is_interrupted;
                    poll_fn(|context| {
                        // As the clock has it: nobody else wakes it.
                        context.waker().wake_by_ref();
                        if std::mem::replace(&mut goes_on, true) { Poll::Ready(()) } else { Poll::Pending }
                    })
                    .await;
                };
                let call = async move { counting.count(call).await };
                workers.spawn(Box::pin(call), course, false).await.unwrap();
            }
            let call = async {
                for _ in 0..WAITS * 2 {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                here()
            };
            assert_eq!(workers.spawn(Box::pin(call), course("b"), false).await.unwrap(), place);
        }
    }

    #[tokio::test]
    async fn who_was_interrupted_for_others_has_not_computed() {
        let call = async {
            thread::sleep(COMPUTING * 2);
            tokio::task::yield_now().await;
            here()
        };
        let course = course();
        let counting = course.computed.clone();
        let place = Workers::default().spawn(Box::pin(async move { counting.count(call).await }), course, false).await;
        assert_eq!(place.unwrap(), "guest");
    }

    #[tokio::test]
    async fn nothing_comes_of_a_call_that_panics() {
        let workers = Workers::default();
        for computes in [false, true] {
            assert!(workers.spawn::<()>(Box::pin(async { panic!("a bug") }), course(), computes).await.is_err());
        }
    }
}
