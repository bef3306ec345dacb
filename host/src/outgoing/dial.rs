//! Connections to addresses that were checked, and to no others.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

use super::error::OutgoingError;

/// The least time that each address gets, as long as there is any.
const LEAST: Duration = Duration::from_millis(250);

/// Connects to the first address that answers. What is left of the time is shared by those that are left.
///
/// # Errors
/// None answers, or not in time.
pub(super) async fn dial(addresses: &[IpAddr], port: u16, until: Instant) -> Result<TcpStream, OutgoingError> {
    let mut failed = OutgoingError::ConnectTimeout;
    for (tried, address) in addresses.iter().enumerate() {
        let left = until.saturating_duration_since(Instant::now());
        let others = u32::try_from(addresses.len().saturating_sub(tried)).unwrap_or(u32::MAX).max(1);
        let share = (left / others).max(LEAST).min(left);
        match timeout_at(Instant::now() + share, TcpStream::connect(SocketAddr::new(*address, port))).await {
            Ok(Ok(stream)) => {
                // Requests are small, and waiting for more of them helps nobody.
                stream.set_nodelay(true).map_err(OutgoingError::Connect)?;
                return Ok(stream);
            }
            Ok(Err(error)) => failed = OutgoingError::Connect(without_address(error)),
            Err(_) => {}
        }
    }
    Err(failed)
}

/// An error's kind in words.
fn without_address(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), error.kind().to_string())
}
