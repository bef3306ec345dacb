//! Large requests, answered beside the others.
//!
//! One thread answers everything, because the schema answers most requests sooner than another thread could be woken. A state
//! of many megabytes takes as long as thousands of those, which must not wait for it.

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tonic::{Response, Status};

use crate::audit::Cause;

/// From this size on, bytes. Decoding takes about a millisecond then.
const LARGE: usize = 64 << 10;

/// Answers a request: here, or on a thread of its own if it is large.
///
/// # Errors
/// Those of the answer.
pub(super) async fn answered<T: Send + 'static>(
    size: usize,
    answer: impl Future<Output = Result<T, Status>> + Send + 'static,
) -> Result<Response<T>, Status> {
    if size < LARGE {
        return answer.await.map(Response::new);
    }
    let gone = CancellationToken::new();
    let told = gone.clone();
    // Dropping this future, as the server does when the engine is gone, drops the answer there.
    let _guard = gone.drop_guard();
    let runtime = Handle::current();
    let cause = Cause::present();
    let answering = tokio::task::spawn_blocking(move || {
        runtime.block_on(async {
            tokio::select! {
                biased;
                answered = cause.answered(answer) => answered,
                () = told.cancelled() => Err(Status::cancelled("the engine went away")),
            }
        })
    });
    answering.await.unwrap_or_else(|_| Err(Status::unknown("the host failed to answer"))).map(Response::new)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    async fn thread_of(size: usize) -> thread::ThreadId {
        answered(size, async { Ok(thread::current().id()) }).await.unwrap().into_inner()
    }

    #[tokio::test]
    async fn only_large_requests_go_elsewhere() {
        let here = thread::current().id();
        assert_eq!(thread_of(LARGE - 1).await, here);
        assert_ne!(thread_of(LARGE).await, here);
    }

    #[tokio::test]
    async fn an_answer_that_nobody_waits_for_is_dropped() {
        let dropped = CancellationToken::new();
        let guard = dropped.clone().drop_guard();
        let mut answer = Box::pin(answered(LARGE, async move {
            let _guard = guard;
            std::future::pending::<Result<(), Status>>().await
        }));
        assert!(tokio::time::timeout(std::time::Duration::from_millis(20), &mut answer).await.is_err());
        assert!(!dropped.is_cancelled());
        drop(answer);
        dropped.cancelled().await;
    }
}
