//! Calls that begin where they are awaited, go on elsewhere if they take long, and are finished though nobody waits any more.
//!
//! A guest's future that is dropped half-way loses what the guest might still save. So a call whose caller goes away, as a
//! front end does when its peer is gone, is told to end, and goes on in a task of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::pace::Begins;
use super::workers::{Course, Running, Workers};

/// A call under way. None comes out of it if the host itself failed in it.
pub(super) struct Finishing<T: Send + 'static> {
    stage: Stage<T>,
    workers: Arc<Workers>,
    course: Course,
    cancel: CancellationToken,
}

enum Stage<T> {
    /// Not polled yet.
    New(Running<T>),
    /// Went on elsewhere.
    Moved(oneshot::Receiver<T>),
    Done,
}

impl<T: Send + 'static> Finishing<T> {
    /// A call, where it may go on, what decides that, and what tells it to end.
    pub(super) fn new(
        call: impl Future<Output = T> + Send + 'static,
        workers: &Arc<Workers>,
        course: Course,
        cancel: CancellationToken,
    ) -> Self {
        Self { stage: Stage::New(Box::pin(call)), workers: Arc::clone(workers), course, cancel }
    }
}

impl<T: Send + 'static> Finishing<T> {
    /// Has the call go on elsewhere.
    fn go_on(mut self: Pin<&mut Self>, call: Running<T>, computes: bool) -> Pin<&mut Self> {
        self.stage = Stage::Moved(self.workers.spawn(call, self.course.clone(), computes));
        self
    }
}

impl<T: Send + 'static> Future for Finishing<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let outcome = match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::New(mut call) => {
                let begins = self.course.paced.begins();
                if begins != Begins::Here {
                    return self.go_on(call, begins == Begins::Computing).poll(context);
                }
                // Nothing of the call is used after a panic.
                let polled = catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context)));
                self.course.paced.held(self.course.computed.spent());
                match polled {
                    Ok(Poll::Ready(outcome)) => Some(outcome),
                    Err(_) => None,
                    Ok(Poll::Pending) => {
                        self.course.unbegun = None;
                        let computes =
                            self.course.computed.is_burden() || self.course.paced.begins() == Begins::Computing;
                        return self.go_on(call, computes).poll(context);
                    }
                }
            }
            Stage::Moved(mut task) => match Pin::new(&mut task).poll(context) {
                Poll::Ready(outcome) => outcome.ok(),
                Poll::Pending => {
                    self.stage = Stage::Moved(task);
                    return Poll::Pending;
                }
            },
            Stage::Done => None,
        };
        Poll::Ready(outcome)
    }
}

impl<T: Send + 'static> Drop for Finishing<T> {
    fn drop(&mut self) {
        if let Stage::Moved(_) = self.stage {
            self.cancel.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use tokio::sync::oneshot;

    use super::super::pace::{LONG, Pace, Paced};
    use super::super::workers::Lines;
    use super::*;
    use crate::store::{Computing, work};

    fn course(pace: &Arc<Pace>, called: &str) -> Course {
        Course {
            lines: Lines::default(),
            computed: Computing::default(),
            paced: Paced::of(pace, &called),
            unbegun: None,
        }
    }

    fn finishing<T: Send + 'static>(
        call: impl Future<Output = T> + Send + 'static,
        cancel: &CancellationToken,
    ) -> Finishing<T> {
        Finishing::new(call, &Arc::default(), course(&Arc::default(), "a"), cancel.clone())
    }

    #[tokio::test]
    async fn a_call_without_a_caller_is_told_and_finishes() {
        let (cancel, (saved, outcome)) = (CancellationToken::new(), oneshot::channel());
        let told = cancel.clone();
        let workers = Arc::default();
        let call = async move {
            told.cancelled().await;
            tokio::task::yield_now().await;
            saved.send("saved").unwrap();
        };
        let mut call = Finishing::new(call, &workers, course(&Arc::default(), "a"), cancel.clone());
        let early = tokio::time::timeout(Duration::from_millis(1), &mut call).await;
        assert!(early.is_err() && !cancel.is_cancelled());
        drop(call);
        assert_eq!(outcome.await.unwrap(), "saved");
    }

    #[tokio::test]
    async fn a_short_call_stays_where_it_is_awaited_and_a_long_one_goes_elsewhere() {
        let (here, cancel) = (thread::current().id(), CancellationToken::new());
        assert_eq!(finishing(async { thread::current().id() }, &cancel).await, Some(here));
        let long = async {
            tokio::task::yield_now().await;
            thread::current().id()
        };
        assert!(finishing(long, &cancel).await.is_some_and(|there| there != here));
        let course = course(&Arc::default(), "a");
        let computed = course.computed.clone();
        let much = async move {
            computed.burden();
            tokio::task::yield_now().await;
            thread::current().name().map(str::to_owned)
        };
        let there = Finishing::new(much, &Arc::default(), course, cancel.clone()).await.flatten();
        assert_eq!(there.as_deref(), Some("computing"));
        assert!(!cancel.is_cancelled());
    }

    #[tokio::test]
    async fn who_held_up_everybody_begins_elsewhere_for_a_while() {
        let (here, cancel) = (thread::current().id(), CancellationToken::new());
        let (workers, pace) = (Arc::default(), Arc::default());
        let place = |token: &str, computed: Duration| {
            let course = course(&pace, token);
            let counting = course.computed.clone();
            let call = async move {
                counting
                    .count(async {
                        work(computed);
                        thread::current().id()
                    })
                    .await
            };
            Finishing::new(call, &workers, course, cancel.clone())
        };
        assert_eq!(place("a", LONG * 50).await, Some(here), "nobody can know");
        for _ in 0..10 {
            assert_ne!(place("a", Duration::ZERO).await, Some(here));
        }
        assert_eq!(place("b", Duration::ZERO).await, Some(here), "others did nothing");
    }

    #[tokio::test]
    async fn a_failure_of_the_host_is_one_calls_failure() {
        let cancel = CancellationToken::new();
        assert_eq!(finishing(async { panic!("a bug") }, &cancel).await, None::<()>);
        let later = async {
            tokio::task::yield_now().await;
            panic!("a bug")
        };
        assert_eq!(finishing(later, &cancel).await, None::<()>);
    }
}
