//! Connections to resource monitors, and what is known of each.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bulkhead_proto::resource::ResourceMonitorClient;
use tokio::sync::OnceCell;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};

use super::super::large;
use super::super::transport::{LARGEST_HEADERS, LARGEST_MESSAGE};
use super::features::{Known, known};
use super::package::PackageOrigin;
use super::traced::Traced;
use crate::provider::{Error, ErrorKind};

/// How long connecting may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Monitors of one conversation. Engines have one for each deployment.
const MOST: usize = 16;

/// A client of a monitor.
pub(super) type Client = ResourceMonitorClient<InterceptedService<Channel, Traced>>;

/// The monitors of a conversation.
pub(in super::super) struct Connections {
    /// The one that was used last at the end.
    all: Mutex<Vec<(String, Arc<Connection>)>>,
    origin: Option<Arc<PackageOrigin>>,
}

impl Connections {
    /// None yet. Where the component's package comes from is named if its name doesn't tell.
    pub(in super::super) fn of(origin: Option<Arc<PackageOrigin>>) -> Self {
        Self { all: Mutex::default(), origin }
    }

    /// The connection to a monitor. Nothing is sent yet, so it fails only for what isn't an address.
    pub(super) fn to(&self, endpoint: &str) -> Result<Arc<Connection>, Error> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = all.iter().position(|(known, _)| known == endpoint) {
            let found = all.remove(at);
            let connection = Arc::clone(&found.1);
            all.push(found);
            return Ok(connection);
        }
        let connection = Arc::new(Connection::new(endpoint, self.origin.clone())?);
        if all.len() >= MOST {
            all.remove(0);
        }
        all.push((endpoint.to_owned(), Arc::clone(&connection)));
        Ok(connection)
    }
}

/// A connection to a monitor, made when it is first needed.
pub(super) struct Connection {
    channel: Channel,
    known: OnceCell<Known>,
    pub(super) origin: Option<Arc<PackageOrigin>>,
    /// What the monitor calls the component's package, once it was told where it comes from.
    pub(super) package: OnceCell<String>,
}

impl Connection {
    fn new(endpoint: &str, origin: Option<Arc<PackageOrigin>>) -> Result<Self, Error> {
        let wrong = |reason: String| {
            Error::new(ErrorKind::InvalidRequest, format!("the request names no resource monitor to be used: {reason}"))
        };
        if endpoint.is_empty() {
            return Err(wrong("`monitorEndpoint` is empty".to_owned()));
        }
        let endpoint = Endpoint::from_shared(format!("http://{endpoint}"))
            .map_err(|_| wrong(format!("`{endpoint}` isn't an address")))?;
        // Registering takes as long as creating does, so requests have no limit.
        let endpoint = endpoint.connect_timeout(PATIENCE).tcp_nodelay(true).http2_max_header_list_size(LARGEST_HEADERS);
        Ok(Self { channel: large::connection(&endpoint), known: OnceCell::new(), origin, package: OnceCell::new() })
    }

    /// A client whose requests belong to no trace. All clients share the connection.
    pub(super) fn client(&self) -> Client {
        self.traced(Traced(None))
    }

    /// A client whose requests belong to a trace.
    pub(super) fn traced(&self, trace: Traced) -> Client {
        ResourceMonitorClient::with_interceptor(self.channel.clone(), trace)
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE)
    }

    /// What the monitor can do, asked once.
    pub(super) async fn known(&self) -> Result<&Known, Error> {
        self.known.get_or_try_init(|| known(self.client())).await
    }
}
