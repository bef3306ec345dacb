//! Connections to services of the engine, which it names by address.

use std::time::Duration;

use tonic::transport::{Channel, Endpoint};

/// How long connecting may take. Calls end with the call that they are made for.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection that is made when it is first used. None for an empty or unusable address. Must be called within a runtime.
pub(super) fn connect(address: &str) -> Option<Channel> {
    if address.is_empty() {
        return None;
    }
    let endpoint = Endpoint::from_shared(format!("http://{address}")).ok()?;
    Some(endpoint.connect_timeout(PATIENCE).connect_lazy())
}
