//! The gRPC server of a process that an engine starts, and how any server of ours ends.

use std::convert::Infallible;
use std::io;
use std::net::Ipv4Addr;
use std::pin::pin;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::transport::Server as Transport;

use super::announce;
use super::incoming::incoming;
use super::shutdown::{Departure, Starter};
use crate::audit;
use crate::rpc::LARGEST_HEADERS;
use crate::telemetry;

/// How long calls in flight may take once the process should leave. Engines kill after 5 s.
pub(super) const DRAIN: Duration = Duration::from_secs(4);

/// Calls of one connection at once. Each takes some kilobytes before anything is known of it, and a client waits for its turn with
/// more. An engine has one connection to a provider, and on that may wait for thousands of components, which wait for resources on
/// the same one: so there are as many as calls that may wait for a place.
const MOST_CALLS: u32 = 10_000;

/// The server that is below each kind of plugin.
pub(super) fn transport() -> Transport {
    let transport = Transport::builder().http2_max_header_list_size(LARGEST_HEADERS);
    // A program that fails takes back what it has just asked for, and all of it may come before any is looked at. Beyond what is bearable the
    // connection ends, with everybody else's calls on it: some that make something.
    let taken_back = usize::try_from(MOST_CALLS).ok();
    transport.max_concurrent_streams(MOST_CALLS).http2_max_pending_accept_reset_streams(taken_back)
}

/// Serves on a free port of the loopback interface, which is announced, until the process should leave. `stop` has the calls in
/// flight end, and what it returns completes when they have.
///
/// # Errors
/// No port, or a broken server.
pub(super) async fn serve<S, F>(server: S, starter: Starter, stop: impl FnOnce() -> F) -> io::Result<()>
where
    F: Future<Output = ()>,
    S: Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let port = listener.local_addr()?.port();
    let leaving = CancellationToken::new();
    // No router: there is one service, and looking for it costs each call a dozen allocations.
    let serving =
        transport().serve_with_incoming_shutdown(server, incoming(listener), leaving.clone().cancelled_owned());
    let departure = Departure::watch(starter)?;
    announce::port(port)?;
    until_asked(serving, leaving, departure, stop).await
}

/// Runs a server that takes no more connections once `leaving` is set, until the process is asked to leave.
///
/// # Errors
/// A broken server.
pub(super) async fn until_asked<F: Future<Output = ()>>(
    serving: impl Future<Output = Result<(), tonic::transport::Error>>,
    leaving: CancellationToken,
    mut departure: Departure,
    stop: impl FnOnce() -> F,
) -> io::Result<()> {
    let mut serving = pin!(serving);
    let served = tokio::select! {
        served = &mut serving => served,
        () = departure.asked() => {
            let stopped = stop();
            leaving.cancel();
            drained(serving, stopped).await
        }
    };
    audit::flush();
    telemetry::flush().await;
    served.map_err(io::Error::other)
}

/// Waits until a server that takes no more connections has answered all and its calls are over, or for as long as they may take. An engine
/// that is gone waits for no answers, but its calls were told to end, and may undo what they began.
pub(super) async fn drained<E>(
    serving: impl Future<Output = Result<(), E>>,
    over: impl Future<Output = ()>,
) -> Result<(), E> {
    let all = async { tokio::join!(serving, over).0 };
    tokio::time::timeout(DRAIN, all).await.unwrap_or(Ok(()))
}

/// The engine's address: the last argument, since engines put flags (and their values) before it.
pub(super) fn engine_address(arguments: &[String]) -> Option<String> {
    arguments.last().filter(|last| !last.starts_with('-') && last.contains(':')).cloned()
}

#[cfg(test)]
mod tests {
    use super::engine_address;

    #[test]
    fn flags_may_stand_before_the_engines_address() {
        let address = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            engine_address(&arguments)
        };
        assert_eq!(address(&["127.0.0.1:4000"]).as_deref(), Some("127.0.0.1:4000"));
        let all = ["--logtostderr", "-v=9", "--tracing", "http://t:1", "127.0.0.1:4000"];
        assert_eq!(address(&all).as_deref(), Some("127.0.0.1:4000"));
        assert_eq!(address(&[]), None);
        assert_eq!(address(&["--logtostderr"]), None);
    }
}
