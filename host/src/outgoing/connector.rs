//! The connector of one configuration: what its calls share of the network, and the order of checks.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use bulkhead_policy::{Destination, Reach, Scheme};
use http::{Request, Response};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::body::ResponseBody;
use super::certificates::Trust;
use super::connection::{Connection, RequestBody, asks};
use super::decided::Decided;
use super::dial;
use super::error::OutgoingError;
use super::exchange::{Failed, exchange};
use super::framing::Framing;
use super::idle::{Idle, Lent, Peer};
use super::policy::Policy;
use super::resolve::{Resolver, SystemResolver, addresses};
use super::terms::{OutgoingLimits, Terms};

/// Connects on behalf of guests. Clones are the same.
#[derive(Clone)]
pub(crate) struct Connector(Arc<Shared>);

struct Shared {
    resolver: Arc<dyn Resolver>,
    limits: OutgoingLimits,
    trust: Trust,
    connections: Arc<Semaphore>,
    sockets: Arc<Semaphore>,
    idle: Arc<Idle>,
    /// How often an operator was told of each host.
    told: Mutex<HashMap<String, usize>>,
}

/// How often an operator is told of a host what only an operator can mend.
const TOLD: usize = 8;
/// Of how many hosts. Where many are granted, a guest may try all of them.
const HOSTS: usize = 32;

impl Connector {
    /// A connector. Without a resolver of one's own it is the system's.
    pub(crate) fn new(limits: OutgoingLimits, resolver: Option<Arc<dyn Resolver>>) -> Self {
        let permits = |most: usize| Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        let (connections, sockets) = (permits(limits.connections), permits(limits.sockets));
        let resolver = resolver.unwrap_or_else(|| Arc::new(SystemResolver::default()));
        Self(Arc::new(Shared {
            resolver,
            idle: Arc::new(Idle::new(limits.connections)),
            limits,
            trust: Trust::default(),
            connections,
            sockets,
            told: Mutex::default(),
        }))
    }

    /// Sends a request to such addresses as policy lets it, and waits for the response to begin.
    ///
    /// # Errors
    /// A denial, or whatever goes wrong on the way.
    pub(crate) async fn send(
        &self,
        policy: &dyn Policy,
        Decided { request, target, reach }: Decided,
        terms: Terms,
    ) -> Result<Response<ResponseBody>, OutgoingError> {
        let limits = &self.0.limits;
        let mut until = terms.until(terms.connect);
        let permit = self.permit(until).await?;
        let peer = Peer::of(&target, &reach);
        let mut exchanged = match self.kept(policy, &reach, &peer, &request) {
            Some(kept) => {
                let exchanged = exchange(kept, request, terms, limits).await;
                until = terms.until(terms.connect);
                exchanged
            }
            None => Err(Failed::Again(request)),
        };
        if let Err(Failed::Again(request)) = exchanged {
            let connection = self.connect(policy, &reach, &target.to, &peer, until).await?;
            exchanged = exchange(connection, request, terms, limits).await;
        }
        let (response, connection) = exchanged?;
        let lent = Lent { connection, peer, permit, idle: Arc::downgrade(&self.0.idle), runtime: Handle::current() };
        Ok(response.map(|incoming| ResponseBody::new(incoming, lent, terms, limits.response)))
    }

    /// A connection that was kept and that policy lets a request have.
    fn kept(
        &self,
        policy: &dyn Policy,
        reach: &Reach,
        peer: &Peer,
        request: &Request<RequestBody>,
    ) -> Option<Connection> {
        let kept = self.0.idle.take(peer, asks(request))?;
        policy.address(reach, kept.address).is_ok().then_some(kept)
    }

    /// A new connection to a peer.
    async fn connect(
        &self,
        policy: &dyn Policy,
        reach: &Reach,
        to: &Destination,
        peer: &Peer,
        until: Instant,
    ) -> Result<Connection, OutgoingError> {
        let connecting = async {
            let addresses = self.addresses(policy, reach, to).await?;
            let asked = |address| policy.address(reach, address).map_err(OutgoingError::Denied);
            let stream = dial::dial(&addresses, peer.port, until, asked).await?;
            let address = stream.peer_addr().map_err(OutgoingError::Connect)?.ip().to_canonical();
            let (framing, head) = (Framing::new(), self.0.limits.head);
            if peer.scheme != Scheme::Https {
                return Connection::over(stream, address, framing, head).await;
            }
            let stream = framing.beneath(stream);
            let stream = self.0.trust.handshake(stream, &peer.host, peer.certificates.clone()).await?;
            framing.made();
            Connection::over(stream, address, framing, head).await
        };
        tokio::time::timeout_at(until, connecting).await.map_err(|_| OutgoingError::ConnectTimeout)?
    }

    /// The addresses that a host stands for, of which policy lets a call reach at least one. The others are left out: a name
    /// with a public address and a private one is reached at the former. Each is asked for once more before it is connected to.
    ///
    /// # Errors
    /// A name that stands for nothing, or for nothing that may be reached.
    pub(crate) async fn addresses(
        &self,
        policy: &dyn Policy,
        reach: &Reach,
        to: &Destination,
    ) -> Result<Vec<IpAddr>, OutgoingError> {
        let found = addresses(&*self.0.resolver, &to.host).await.map_err(OutgoingError::Resolve)?;
        policy.addresses(reach, found).map_err(OutgoingError::Denied)
    }

    /// Whether to tell an operator once more of a host what only an operator can mend. A guest that tries again and again tells nothing
    /// new.
    pub(crate) fn tell(&self, host: &str) -> bool {
        let mut told = self.0.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() >= HOSTS && !told.contains_key(host) {
            return false;
        }
        let times = told.entry(host.to_owned()).or_default();
        *times = times.saturating_add(1);
        *times <= TOLD
    }

    /// The right to have one more socket. None if there are too many.
    pub(crate) fn socket(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.sockets).try_acquire_owned().ok()
    }

    /// The right to have one more exchange, once there is one.
    async fn permit(&self, until: Instant) -> Result<OwnedSemaphorePermit, OutgoingError> {
        // Others give theirs back, but for a guest that holds them all itself.
        let permit = tokio::time::timeout_at(until, Arc::clone(&self.0.connections).acquire_owned()).await;
        permit.ok().and_then(Result::ok).ok_or(OutgoingError::Connections(self.0.limits.connections))
    }
}

impl Default for Connector {
    fn default() -> Self {
        Self::new(OutgoingLimits::default(), None)
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector").field("limits", &self.0.limits).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
