//! Connections between two exchanges: to a distant server a new one costs two or three times what the exchange does.
//!
//! A server may close one at any time, and a request that meets its end may have been served or not. So what only asks goes over any of them,
//! and is sent once more where that has ended; what may change something goes over one that its server has kept before, and only at once. Otherwise
//! it has a new one in the place of that: some servers serve one connection after the other.
//!
//! Nothing is decided here: whoever takes a connection asks policy for its name and address, as for a new one's.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use bulkhead_policy::{Host, Reach, Scheme};
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;

use super::connection::Connection;
use super::target::Target;

/// Connections that one configuration keeps. Those that were used last are.
pub(super) const MOST: usize = 32;
/// How long. Most servers keep theirs for longer, and what lies between forgets them only later.
const LONGEST: Duration = Duration::from_secs(15);
/// How long for what may change something. No server closes its own as soon.
pub(super) const AT_ONCE: Duration = Duration::from_secs(1);
/// Exchanges over a connection whose server keeps it: some end theirs without a word after the first.
const PROVEN: usize = 2;
/// How long the rest of a request may take that was answered before its end.
const REST: Duration = Duration::from_secs(1);

/// Whom a connection leads to, and who vouched for that. What differs in any of it is another peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Peer {
    pub(super) scheme: Scheme,
    pub(super) host: Host,
    pub(super) port: u16,
    /// Of authorities beside the system's. Nobody else's server was proved by them.
    pub(super) certificates: Vec<PathBuf>,
}

impl Peer {
    /// The peer of a request.
    pub(super) fn of(target: &Target, reach: &Reach) -> Self {
        let certificates = reach.certificates().collect();
        Self { scheme: target.to.scheme, host: target.to.host.clone(), port: target.port, certificates }
    }
}

/// The idle connections of one configuration.
#[derive(Debug)]
pub(super) struct Idle {
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// The last one was used last.
    connections: VecDeque<(Peer, Instant, Connection)>,
    /// Whether somebody closes those that nobody comes for.
    swept: bool,
}

impl Idle {
    /// Of a configuration with so many requests at once.
    pub(super) fn new(requests: usize) -> Self {
        Self { most: requests.min(MOST), kept: Mutex::default() }
    }

    /// A connection to a peer, for a request that can be sent twice or for one that can't.
    pub(super) fn take(&self, peer: &Peer, twice: bool) -> Option<Connection> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.close_old();
        let last = kept.connections.iter().rposition(|(to, ..)| to == peer)?;
        let (_, since, connection) = kept.connections.remove(last)?;
        let kept_before = connection.exchanges >= PROVEN && since.elapsed() < AT_ONCE;
        (twice || kept_before).then_some(connection)
    }

    fn put(self: &Arc<Self>, peer: Peer, connection: Connection) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.close_old();
        if kept.connections.len() >= self.most {
            kept.connections.pop_front();
        }
        kept.connections.push_back((peer, Instant::now(), connection));
        if !std::mem::replace(&mut kept.swept, true) {
            tokio::spawn(sweep(Arc::downgrade(self)));
        }
    }
}

impl Kept {
    fn close_old(&mut self) {
        self.connections.retain(|(_, since, connection)| since.elapsed() < LONGEST && !connection.sender.is_closed());
    }
}

/// Closes connections that nobody comes for, until there are none.
async fn sweep(idle: Weak<Idle>) {
    loop {
        tokio::time::sleep(LONGEST).await;
        let Some(idle) = idle.upgrade() else { return };
        let mut kept = idle.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.close_old();
        if kept.connections.is_empty() {
            kept.swept = false;
            return;
        }
    }
}

/// A connection that an exchange has.
#[derive(Debug)]
pub(super) struct Lent {
    pub(super) connection: Connection,
    pub(super) peer: Peer,
    /// The right to be in use.
    pub(super) permit: OwnedSemaphorePermit,
    pub(super) idle: Weak<Idle>,
    pub(super) runtime: Handle,
}

impl Lent {
    /// Gives a connection back whose response was read to its end.
    pub(super) fn give_back(self) {
        let Self { mut connection, peer, permit, idle, runtime } = self;
        // Not only where there is a runtime are bodies dropped.
        runtime.spawn(async move {
            let ready = tokio::time::timeout(REST, connection.sender.ready()).await;
            drop(permit);
            if let (Ok(Ok(())), Some(idle)) = (ready, idle.upgrade()) {
                idle.put(peer, connection);
            }
        });
    }
}
