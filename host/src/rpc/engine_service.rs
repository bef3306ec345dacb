//! Connections to services of the engine, which it names by address.

use std::sync::OnceLock;
use std::time::Duration;

use tonic::transport::{Channel, Endpoint};

use super::large;

/// How long connecting may take. Calls end with the call that they are made for.
const PATIENCE: Duration = Duration::from_secs(5);

/// A service of the engine. Most are named and never asked: nothing is made for them before.
#[derive(Debug)]
pub(super) struct EngineService {
    endpoint: Endpoint,
    channel: OnceLock<Channel>,
}

impl EngineService {
    /// The service at an address. None for an empty or unusable one.
    pub(super) fn at(address: &str) -> Option<Self> {
        if address.is_empty() {
            return None;
        }
        let endpoint = Endpoint::from_shared(format!("http://{address}")).ok()?;
        Some(Self { endpoint: endpoint.connect_timeout(PATIENCE), channel: OnceLock::new() })
    }

    /// The connection, which is made when it is first used. Must be called within a runtime.
    pub(super) fn channel(&self) -> Channel {
        self.channel.get_or_init(|| large::connection(&self.endpoint)).clone()
    }
}
