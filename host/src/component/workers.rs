//! Threads for guests that take their time.
//!
//! Most calls into a guest return at once, and another thread for each would cost more than the call. So a call begins where
//! it is awaited, and only one that computes for longer than a tick of the clock, or waits, goes on here. The threads are
//! started when the first call needs them.
//!
//! A call that waits for others needs little of a thread, but needs it soon; one that computes takes what it gets. So there are
//! threads for either, and a call moves from the ones to the others as it goes. All of them give way, those for computing most.
//! They leave one of three or more processors free as well: priorities decide who gets how much, and whoever has had more than its
//! share, as one that answers many has, waits for the next tick of the system all the same. Of two they take both: on a single thread
//! one guest that computes would wait behind all others.

use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

use crate::threads::{Way, give_way};

/// The stack of a thread that values pass through, bytes: what the deepest need in the least optimised build.
pub(crate) const STACK: usize = 16 << 20;

/// A call that holds its thread for so long computes: half a tick.
const COMPUTING: Duration = Duration::from_millis(5);

/// The threads of one process.
#[derive(Default)]
pub(super) struct Workers(OnceLock<Option<Threads>>);

struct Threads {
    waiting: Runtime,
    computing: Runtime,
}

type Call<T> = Pin<Box<dyn Future<Output = T> + Send>>;

impl Workers {
    /// Goes on with a call on one of the threads; where none can be started, beside what awaits it. Nothing comes out of a call
    /// that panics.
    pub(super) fn spawn<T: Send + 'static>(&self, call: Call<T>) -> oneshot::Receiver<T> {
        let threads = self.0.get_or_init(|| {
            let threads = Threads::start();
            threads.inspect_err(|error| tracing::warn!("no threads: {error}")).ok()
        });
        let (done, outcome) = oneshot::channel();
        let (waiting, computing) = match threads {
            Some(threads) => (threads.waiting.handle().clone(), threads.computing.handle().clone()),
            None => (Handle::current(), Handle::current()),
        };
        waiting.clone().spawn(Stretch { call: Some(call), done: Some(done), computes: false, waiting, computing });
        outcome
    }
}

impl Threads {
    fn start() -> std::io::Result<Self> {
        let processors = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        // A guest that computes holds its thread for a tick at a time, so threads look for what has happened, and for new calls,
        // after each poll.
        let threads = |name: &str, way: Way| {
            let mut builder = Builder::new_multi_thread();
            builder.event_interval(1).global_queue_interval(1).thread_name(name).thread_stack_size(STACK).enable_all();
            builder.on_thread_start(move || give_way(way));
            builder
        };
        Ok(Self {
            // Nobody knows of a call that it will compute before it has done so for a while, and others shouldn't wait for it.
            waiting: threads("guest", Way::Waiting).worker_threads(processors * 2).build()?,
            computing: threads("computing", Way::Computing).worker_threads((processors - 1).max(2)).build()?,
        })
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // Waiting for what still runs isn't possible inside another runtime, and whoever cared has cancelled it.
        if let Some(Threads { waiting, computing }) = self.0.take().flatten() {
            waiting.shutdown_background();
            computing.shutdown_background();
        }
    }
}

/// A call on threads of one kind, until it turns out to be of the other.
struct Stretch<T> {
    call: Option<Call<T>>,
    done: Option<oneshot::Sender<T>>,
    computes: bool,
    waiting: Handle,
    computing: Handle,
}

impl<T: Send + 'static> Future for Stretch<T> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Some(call) = &mut self.call else { return Poll::Ready(()) };
        let begun = Instant::now();
        if let Poll::Ready(outcome) = call.as_mut().poll(context) {
            if let Some(done) = self.done.take() {
                let _ = done.send(outcome);
            }
            return Poll::Ready(());
        }
        let computes = begun.elapsed() >= COMPUTING;
        if computes == self.computes {
            return Poll::Pending;
        }
        let (waiting, computing) = (self.waiting.clone(), self.computing.clone());
        let to = if computes { computing.clone() } else { waiting.clone() };
        to.spawn(Self { call: self.call.take(), done: self.done.take(), computes, waiting, computing });
        Poll::Ready(())
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn here() -> String {
        thread::current().name().unwrap_or_default().to_owned()
    }

    #[tokio::test]
    async fn a_call_goes_where_what_it_does_belongs() {
        let call = async {
            let mut places = vec![here()];
            for _ in 0..2 {
                thread::sleep(COMPUTING * 2);
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
        let workers = Workers::default();
        let places = workers.spawn(Box::pin(call)).await.unwrap();
        assert_eq!(places, ["guest", "computing", "computing", "guest"]);
    }

    #[tokio::test]
    async fn nothing_comes_of_a_call_that_panics() {
        let workers = Workers::default();
        assert!(workers.spawn::<()>(Box::pin(async { panic!("a bug") })).await.is_err());
    }
}
