//! One RunPlugin: a provider at a port of its own, from the port line until nobody reads the stream any more.

use std::io;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;

use bulkhead_proto::language::RunPluginResponse;
use bulkhead_proto::language::run_plugin_response::Output;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::transport::Server as Transport;
use tonic::transport::server::TcpIncoming;

use crate::plugin::engine_log::EngineLog;
use crate::plugin::load::Ready;
use crate::plugin::server::DRAIN;
use crate::rpc::{Server, Service};

/// What a plugin writes.
pub(super) type Written = ReceiverStream<Result<RunPluginResponse, Status>>;

/// Serves a provider to the engine at an address, which works in a directory. `leaving` is set when the whole process leaves.
///
/// # Errors
/// No port.
pub(super) async fn start(
    ready: Ready,
    engine: Option<String>,
    directory: &Path,
    leaving: CancellationToken,
) -> io::Result<Written> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let port = listener.local_addr()?.port();
    let link = Arc::new(EngineLog::start(engine).within(directory));
    ready.warn(link.as_ref());
    let service = Arc::new(Service::new(ready.offer, link));
    let server = Server::new(Arc::clone(&service), ready.largest_message).audited(ready.auditor);
    let (output, written) = mpsc::channel(1);
    let line = RunPluginResponse { output: Some(Output::Stdout(format!("{port}\n").into())) };
    tokio::spawn(async move {
        let done = CancellationToken::new();
        let serving = Transport::builder().serve_with_incoming_shutdown(
            server,
            TcpIncoming::from(listener).with_nodelay(Some(true)),
            done.clone().cancelled_owned(),
        );
        tokio::pin!(serving);
        let stopped = async {
            // With nobody to read it, the plugin is already over.
            let _ = output.send(Ok(line)).await;
            tokio::select! { () = output.closed() => {}, () = leaving.cancelled() => {} }
        };
        let broken = tokio::select! {
            served = &mut serving => served.err(),
            () = stopped => {
                service.cancel();
                done.cancel();
                tokio::time::timeout(DRAIN, serving).await.ok().and_then(Result::err)
            }
        };
        let ending = match broken {
            None => Ok(RunPluginResponse { output: Some(Output::Exitcode(0)) }),
            Some(error) => Err(Status::unavailable(format!("serve the provider: {error}"))),
        };
        let _ = output.send(ending).await;
    });
    Ok(ReceiverStream::new(written))
}
