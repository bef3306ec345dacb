//! The gRPC server of a plugin.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::Server as Transport;
use tonic::transport::server::TcpIncoming;

use super::announce;
use super::shutdown::{Departure, Starter};
use crate::rpc::{Server, Service};

/// How long calls in flight may take once the process should leave. Engines kill after 5 s.
const DRAIN: Duration = Duration::from_secs(4);

/// Serves on a free port of the loopback interface until the process should leave. A request has at most so many bytes.
///
/// # Errors
/// No port, or a broken server.
pub(super) async fn serve(service: &Arc<Service>, largest_message: usize, starter: Starter) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let port = listener.local_addr()?.port();
    let server = Server::new(Arc::clone(service), largest_message);
    let leaving = CancellationToken::new();
    let serving = Transport::builder().add_service(server).serve_with_incoming_shutdown(
        TcpIncoming::from(listener).with_nodelay(Some(true)),
        leaving.clone().cancelled_owned(),
    );
    let mut departure = Departure::watch(starter)?;
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
