//! One RunPlugin: a provider at a port and on a thread of its own, from the port line until nobody reads the stream any more.
//!
//! What one provider keeps its thread busy with, no other one waits for.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use bulkhead_proto::language::RunPluginResponse;
use bulkhead_proto::language::run_plugin_response::Output;
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{Service as Transport, http};

use crate::component::STACK;
use crate::plugin::engine_log::EngineLog;
use crate::plugin::incoming::incoming;
use crate::plugin::load::Ready;
use crate::plugin::refusal::Refusal;
use crate::plugin::server::{drained, transport};
use crate::process::runtime;
use crate::rpc::{Server, Service};

/// What a plugin writes.
pub(super) type Written = ReceiverStream<Result<RunPluginResponse, Status>>;

/// Why serving came to an end.
type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// How long the thread stays when all is over: calls that were cancelled have their clocks there, and longer they don't take.
const LINGERING: Duration = Duration::from_secs(20);

/// Serves a provider to the engine at an address, which works in a directory, or what says why there is none. `leaving` is set when the
/// whole process leaves, which waits for `served` to be dropped.
///
/// # Errors
/// No port, or no thread.
pub(super) fn start(
    offer: Result<Ready, Refusal>,
    engine: Option<String>,
    directory: PathBuf,
    leaving: CancellationToken,
    served: watch::Receiver<()>,
) -> io::Result<Written> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let (runtime, port) = (Aside(Some(runtime()?)), listener.local_addr()?.port());
    let (output, written) = mpsc::channel(1);
    let provider = async move {
        let line = RunPluginResponse { output: Some(Output::Stdout(format!("{port}\n").into())) };
        let stopped = async {
            // With nobody to read it, the plugin is already over.
            let _ = output.send(Ok(line)).await;
            tokio::select! { () = output.closed() => {}, () = leaving.cancelled() => {} }
        };
        let link = Arc::new(EngineLog::start(engine).within(&directory));
        let ending = match serve(offer, link, listener, stopped).await {
            Ok(()) => Ok(RunPluginResponse { output: Some(Output::Exitcode(0)) }),
            Err(error) => Err(Status::unavailable(format!("serve the provider: {error}"))),
        };
        let _ = output.send(ending).await;
        drop((output, served));
        tokio::time::sleep(LINGERING).await;
    };
    let thread = thread::Builder::new().name("provider".to_owned()).stack_size(STACK);
    thread.spawn(move || runtime.0.as_ref().map(|runtime| runtime.block_on(provider)))?;
    Ok(ReceiverStream::new(written))
}

/// A runtime that nobody waits for when it is dropped: where no thread can be started for it, that is within another one, which panics
/// over who waits.
struct Aside(Option<Runtime>);

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Serves until it is stopped.
async fn serve(
    offer: Result<Ready, Refusal>,
    link: Arc<EngineLog>,
    listener: TcpListener,
    stopped: impl Future<Output = ()>,
) -> Result<(), BoxError> {
    let ready = match offer {
        Ok(ready) => ready,
        Err(refusal) => return until(stopped, refusal, listener, || std::future::ready(())).await,
    };
    ready.warn(link.as_ref());
    let service = Arc::new(Service::new(ready.offer, link));
    let server = Server::new(Arc::clone(&service)).taking(ready.largest_message).audited(ready.auditor);
    until(stopped, server, listener, || service.leave()).await
}

/// Serves until it is stopped. `stop` has the calls in flight end, and what it returns completes when they have.
async fn until<S, F>(
    stopped: impl Future<Output = ()>,
    server: S,
    listener: TcpListener,
    stop: impl FnOnce() -> F,
) -> Result<(), BoxError>
where
    F: Future<Output = ()>,
    S: Transport<http::Request<Body>, Response = http::Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    let done = CancellationToken::new();
    let incoming = incoming(tokio::net::TcpListener::from_std(listener)?);
    let serving = transport().serve_with_incoming_shutdown(server, incoming, done.clone().cancelled_owned());
    tokio::pin!(serving);
    tokio::select! {
        served = &mut serving => Ok(served?),
        () = stopped => {
            let ended = stop();
            done.cancel();
            Ok(drained(serving, ended).await?)
        }
    }
}
