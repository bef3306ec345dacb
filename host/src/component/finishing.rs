//! Calls that are finished though nobody waits for them any more.
//!
//! A guest's future that is dropped half-way loses what the guest might still save. So a call whose caller goes away, as a
//! front end does when its peer is gone, is told to end, and goes on in a task of its own. Not before: a task for each call
//! wakes another thread each time, which costs more than most calls do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// A call under way. None comes out of it if the host itself failed in it.
pub(super) struct Finishing<T: Send + 'static> {
    call: Option<Pin<Box<dyn Future<Output = T> + Send>>>,
    cancel: CancellationToken,
}

impl<T: Send + 'static> Finishing<T> {
    /// A call, and what tells it to end.
    pub(super) fn new(call: impl Future<Output = T> + Send + 'static, cancel: CancellationToken) -> Self {
        Self { call: Some(Box::pin(call)), cancel }
    }
}

impl<T: Send + 'static> Future for Finishing<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let Some(call) = &mut self.call else { return Poll::Ready(None) };
        // Nothing of the call is used after a panic.
        let outcome = match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(outcome)) => Some(outcome),
            Err(_) => None,
        };
        self.call = None;
        Poll::Ready(outcome)
    }
}

impl<T: Send + 'static> Drop for Finishing<T> {
    fn drop(&mut self) {
        if let Some(call) = self.call.take() {
            self.cancel.cancel();
            // Without a runtime there is nobody left to finish anything for.
            if let Ok(runtime) = Handle::try_current() {
                runtime.spawn(call);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn a_call_without_a_caller_is_told_and_finishes() {
        let (cancel, (saved, outcome)) = (CancellationToken::new(), oneshot::channel());
        let told = cancel.clone();
        let mut call = Finishing::new(
            async move {
                told.cancelled().await;
                tokio::task::yield_now().await;
                saved.send("saved").unwrap();
            },
            cancel.clone(),
        );
        let early = tokio::time::timeout(Duration::from_millis(1), &mut call).await;
        assert!(early.is_err() && !cancel.is_cancelled());
        drop(call);
        assert_eq!(outcome.await.unwrap(), "saved");
    }

    #[tokio::test]
    async fn a_call_that_is_done_is_not_cancelled() {
        let cancel = CancellationToken::new();
        assert_eq!(Finishing::new(async { 1 }, cancel.clone()).await, Some(1));
        assert!(!cancel.is_cancelled());
    }

    #[tokio::test]
    async fn a_failure_of_the_host_is_one_calls_failure() {
        let call = Finishing::new(async { panic!("a bug") }, CancellationToken::new());
        assert_eq!(call.await, None::<()>);
    }
}
