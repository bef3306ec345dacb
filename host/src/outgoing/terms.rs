//! How much, and for how long.

use std::time::{Duration, Instant};

/// How long a connection may take, its handshakes included.
const CONNECT: Duration = Duration::from_secs(30);
/// How long a response may take to begin. Servers that make something before they answer need minutes.
const FIRST_BYTE: Duration = Duration::from_secs(300);
/// How long a response may pause.
const BETWEEN_BYTES: Duration = Duration::from_secs(60);

/// How long a wait outlasts the call that it belongs to. A call ends at its deadline by itself, and says so; what waits for it
/// only has to end too, and not before.
const AFTERWARDS: Duration = Duration::from_secs(1);

/// Bounds of what one configuration of a provider exchanges with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingLimits {
    /// Bytes of a response's body. 256 MiB.
    pub response: usize,
    /// Bytes of a response's status line and headers. 64 KiB, and never less than 8.
    pub head: usize,
    /// Connections at once; more wait. 64.
    pub connections: usize,
    /// Sockets at once; more are refused. 32.
    pub sockets: usize,
    /// Bytes that a call sends: requests, and what goes through sockets. 4 GiB.
    pub sent: u64,
}

impl Default for OutgoingLimits {
    fn default() -> Self {
        Self { response: 256 << 20, head: 64 << 10, connections: 64, sockets: 32, sent: 4 << 30 }
    }
}

/// How long one exchange may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// A connection, from its permit to the last handshake.
    pub(crate) connect: Duration,
    /// From the request's first byte to the end of the response's headers.
    pub(crate) first_byte: Duration,
    /// Between two pieces of the response's body.
    pub(crate) between_bytes: Duration,
    /// When the call ends, whatever else is said.
    pub(crate) deadline: Option<Instant>,
}

impl Terms {
    /// What a guest wants, as far as the call's deadline allows.
    pub(crate) fn new(
        connect: Option<Duration>,
        first_byte: Option<Duration>,
        between_bytes: Option<Duration>,
        deadline: Option<Instant>,
    ) -> Self {
        Self {
            connect: connect.unwrap_or(CONNECT),
            first_byte: first_byte.unwrap_or(FIRST_BYTE),
            between_bytes: between_bytes.unwrap_or(BETWEEN_BYTES),
            deadline,
        }
    }

    /// When a wait of that length, begun now, is over.
    pub(super) fn until(&self, wait: Duration) -> tokio::time::Instant {
        // No sum of a guest's number may overflow; nothing waits longer than a day.
        let end = Instant::now() + wait.min(Duration::from_secs(86_400));
        self.deadline.map_or(end, |deadline| end.min(deadline + AFTERWARDS)).into()
    }

    /// What happens in that time. None if nothing does.
    pub(crate) async fn within<T>(&self, wait: Duration, what: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout_at(self.until(wait), what).await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_wait_outlasts_the_call() {
        let deadline = Instant::now() + Duration::from_secs(1);
        let terms = Terms::new(None, None, None, Some(deadline));
        assert_eq!(terms.until(Duration::MAX), (deadline + AFTERWARDS).into());
        assert!(terms.until(Duration::ZERO) < deadline.into());
        let endless = Terms::new(Some(Duration::MAX), None, None, None);
        assert!(
            endless.until(endless.connect) > (deadline + AFTERWARDS).into(),
            "and a guest's longest number is no overflow"
        );
    }
}
