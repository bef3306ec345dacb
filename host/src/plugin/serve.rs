//! The gRPC server of a plugin.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use bulkhead_proto::provider::ResourceProviderServer;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use super::announce;
use super::shutdown::Departure;
use crate::rpc::Service;

/// How long calls in flight may take once the process should leave. Engines kill after 5 s.
const DRAIN: Duration = Duration::from_secs(4);

/// Serves on a free port of the loopback interface until the process should leave. Messages have at most so many bytes, both
/// ways; tonic's default of 4 MiB is less than engines send.
///
/// # Errors
/// No port, or a broken server.
pub(super) async fn serve(service: Service, largest_message: usize) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let port = listener.local_addr()?.port();
    let service = Arc::new(service);
    let server = ResourceProviderServer::from_arc(Arc::clone(&service))
        .max_decoding_message_size(largest_message)
        .max_encoding_message_size(largest_message);
    let leaving = CancellationToken::new();
    let serving = Server::builder().add_service(server).serve_with_incoming_shutdown(
        TcpIncoming::from(listener).with_nodelay(Some(true)),
        leaving.clone().cancelled_owned(),
    );
    let mut departure = Departure::watch()?;
    announce::port(port)?;
    let asked = async {
        departure.asked().await;
        service.cancel();
        leaving.cancel();
        tokio::time::sleep(DRAIN).await;
    };
    tokio::select! {
        served = serving => served.map_err(io::Error::other),
        () = asked => Ok(()),
    }
}
