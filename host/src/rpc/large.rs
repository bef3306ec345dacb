//! Answers that take long, worked on beside the others.
//!
//! One thread answers everything, because the schema answers most requests sooner than another thread could be woken. A state
//! of many megabytes takes as long as thousands of those, which must not wait for it. How large a request is can be seen, and how much
//! work the schema may make of it is known. How large its answer will be, nobody knows while a guest works on it, so what a guest took its
//! time over is answered elsewhere too: whoever returns millions of values was busy with them. It is written down for the wire there as well.
//! These threads give way to the one that answers the rest. Answers that wait for an engine themselves need somebody else to hear from it.

use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;
use tonic::body::Body;
use tonic::codegen::{Bytes, http};
use tonic::transport::{Channel, Endpoint};
use tonic::{Response, Status};

use super::share::Share;
use crate::audit::Cause;
use crate::provider::{Kept, keeping};
use crate::threads::{self, Started, Way, give_way};

/// From this size on, bytes. Decoding takes about a millisecond then.
const LARGE: usize = 64 << 10;
/// The stack of a thread that values pass through, bytes.
const STACK: usize = 16 << 20;

/// How many threads drive connections: one that writes down megabytes doesn't keep all of them waiting.
const CONNECTIONS: usize = 2;

/// Threads for such answers, of the whole process; none where there can't be any.
fn threads() -> Option<&'static Runtime> {
    static THREADS: Started<Runtime> = Started::later();
    THREADS.get(|| started("answer", answers()))
}

/// Enough that some large answers don't keep small ones waiting.
fn answers() -> usize {
    std::thread::available_parallelism().map_or(4, |cores| cores.get().max(2) * 2)
}

/// How much an answer may be: how many bytes its request counts for, and whose threads it is worked on by, if not by this one.
#[derive(Clone, Debug)]
pub(super) struct Weight {
    bytes: usize,
    share: Share,
}

impl Weight {
    /// Of a request of so many bytes.
    pub(super) fn of(bytes: usize, share: &Share) -> Self {
        Self { bytes, share: share.clone() }
    }
}

/// Threads for connections to engines, likewise. Those for answers may all be busy for seconds, with what nothing interrupts.
fn connections() -> Option<&'static Runtime> {
    static THREADS: Started<Runtime> = Started::later();
    THREADS.get(|| started("engine", CONNECTIONS))
}

fn started(name: &str, threads: usize) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    builder.thread_name(name).on_thread_start(|| give_way(Way::Waiting)).enable_all();
    threads::runtime(&mut builder, threads, STACK)
}

/// Answers a request that counts for so many bytes: here if it is small and its answer comes at once, else beside others.
///
/// # Errors
/// Those of the answer.
pub(super) async fn answered<T: Send + 'static>(
    weight: Weight,
    answer: impl Future<Output = Result<T, Status>> + Send + 'static,
) -> Result<Response<T>, Status> {
    // Elsewhere nobody knows what it is an answer to.
    let mut answer = Box::pin(Cause::present().answered(keeping(answer)));
    if weight.bytes < LARGE {
        // Nothing of the answer is used after a panic.
        let begun = poll_fn(|context| Poll::Ready(catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)))));
        match begun.await {
            Ok(Poll::Ready((answered, kept))) => return answered.map(|answer| with(answer, kept)),
            Ok(Poll::Pending) => {}
            Err(_) => return Err(failed()),
        }
    }
    let (answered, kept) = elsewhere(&weight.share, answer).await?;
    let mut response = with(answered?, kept);
    response.extensions_mut().insert(TookLong);
    Ok(response)
}

/// A part of an answer that may take long, worked on beside others for the call that it answers, which whoever reads the answer isn't
/// within. What is kept for it is beside it.
///
/// # Errors
/// The host failed in it.
pub(super) async fn part<T: Send + 'static>(
    share: &Share,
    cause: Cause,
    work: impl Future<Output = T> + Send + 'static,
) -> Result<(T, Option<Kept>), Status> {
    elsewhere(share, cause.answered(keeping(work))).await
}

async fn elsewhere<T: Send + 'static>(
    share: &Share,
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, Status> {
    // One provider's have half of them at once.
    let work = share.working(|| answers() / 2, work);
    let beside = match threads() {
        Some(threads) => threads.spawn(work),
        None => tokio::spawn(work),
    };
    Beside(beside).await
}

/// A connection to the engine, made when it is first used. What is sent is written down for the wire, and what comes back is taken from it,
/// by whoever drives the connection: beside others, since a component may register megabytes.
pub(super) fn connection(endpoint: &Endpoint) -> Channel {
    let _beside = connections().map(Runtime::enter);
    endpoint.connect_lazy()
}

/// A response, and what is kept until it is sent.
fn with<T>(answer: T, kept: Option<Kept>) -> Response<T> {
    let mut response = Response::new(answer);
    if let Some(kept) = kept {
        response.extensions_mut().insert(kept);
    }
    response
}

/// Marks a response that was worked on beside others.
#[derive(Clone, Copy)]
struct TookLong;

/// A response whose message is written down for the wire beside others, if it was made there: that of a large one takes as long.
/// What is kept for it is kept until it is sent.
pub(super) fn written(mut response: http::Response<Body>) -> http::Response<Body> {
    let kept = response.extensions_mut().remove::<Kept>();
    // Whatever asks for the threads has them started, which most processes never need.
    let written = match response.extensions().get::<TookLong>().and_then(|_| threads()) {
        Some(threads) => response.map(|body| beside(body, threads)),
        None => response,
    };
    match kept {
        Some(kept) => written.map(|body| until_sent(body, kept)),
        None => written,
    }
}

/// A body that has something until all of it is sent.
fn until_sent(body: Body, kept: Kept) -> Body {
    Body::new(body.map_frame(move |frame| {
        let _kept = &kept;
        frame
    }))
}

/// A body that is made elsewhere, frame by frame.
fn beside(mut body: Body, threads: &Runtime) -> Body {
    let (frames, received) = mpsc::channel::<Result<Frame<Bytes>, Status>>(1);
    threads.spawn(async move {
        // Until nobody wants more of it.
        while let Some(frame) = body.frame().await {
            if frames.send(frame).await.is_err() {
                return;
            }
        }
    });
    Body::new(StreamBody::new(ReceiverStream::new(received)))
}

/// Work that is done elsewhere. Dropping it, as the server does when the engine is gone, drops the work there.
struct Beside<T>(JoinHandle<T>);

impl<T> Future for Beside<T> {
    type Output = Result<T, Status>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map(|joined| joined.map_err(|_| failed()))
    }
}

/// What is said when the host failed. Without it the stream would be reset, which engines take for a call that changed nothing.
fn failed() -> Status {
    Status::unknown("the host failed to answer")
}

impl<T> Drop for Beside<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier, Mutex};
    use std::thread;

    use bulkhead_proto::loader::{GetSchemaRequest, LoaderClient};
    use tokio_util::sync::CancellationToken;

    use super::*;

    fn weight(bytes: usize) -> Weight {
        Weight::of(bytes, &Share::default())
    }

    async fn thread_of(size: usize) -> thread::ThreadId {
        answered(weight(size), async { Ok(thread::current().id()) }).await.unwrap().into_inner()
    }

    #[tokio::test]
    async fn only_large_requests_go_elsewhere() {
        let here = thread::current().id();
        assert_eq!(thread_of(LARGE - 1).await, here);
        assert_ne!(thread_of(LARGE).await, here);
    }

    #[tokio::test]
    async fn an_answer_that_takes_its_time_goes_on_elsewhere() {
        let here = thread::current().id();
        let answer = async {
            let begun = thread::current().id();
            tokio::task::yield_now().await;
            Ok((begun, thread::current().id()))
        };
        let (begun, ended) = answered(weight(0), answer).await.unwrap().into_inner();
        assert_eq!(begun, here);
        assert_ne!(ended, here);
    }

    /// Answers may wait for it themselves.
    #[tokio::test]
    async fn an_engine_is_asked_while_large_answers_keep_all_their_threads() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let (wait, begun) = (Arc::new(Mutex::new(wait)), Arc::new(Barrier::new(answers() + 1)));
        for _ in 0..answers() {
            let (wait, begun) = (Arc::clone(&wait), Arc::clone(&begun));
            threads().unwrap().spawn(async move {
                begun.wait();
                let _ = wait.lock().map(|wait| wait.recv());
            });
        }
        begun.wait();
        let channel = connection(&Endpoint::from_shared(format!("http://{address}")).unwrap());
        let mut loader = LoaderClient::new(channel);
        let asking = tokio::spawn(async move { loader.get_schema(GetSchemaRequest::default()).await });
        let asked = tokio::time::timeout(std::time::Duration::from_secs(60), listener.accept()).await;
        drop(done);
        asking.abort();
        asked.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_failure_of_the_host_is_one_answers() {
        for size in [0, LARGE] {
            let status = answered::<()>(weight(size), async { panic!("a bug") }).await.unwrap_err();
            assert_eq!((status.code(), status.message()), (tonic::Code::Unknown, "the host failed to answer"));
        }
    }

    #[tokio::test]
    async fn an_answer_that_nobody_waits_for_is_dropped() {
        let dropped = CancellationToken::new();
        let guard = dropped.clone().drop_guard();
        let mut answer = Box::pin(answered(weight(LARGE), async move {
            let _guard = guard;
            std::future::pending::<Result<(), Status>>().await
        }));
        assert!(tokio::time::timeout(std::time::Duration::from_millis(20), &mut answer).await.is_err());
        assert!(!dropped.is_cancelled());
        drop(answer);
        dropped.cancelled().await;
    }
}
