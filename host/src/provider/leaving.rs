//! The end of a process, which calls have to hear of, and which has to wait for them.
//!
//! An engine begins again and again with one provider, and what it asked before isn't over for that: a call whose engine is gone
//! goes on, to save what it did or to undo it. So what ends with the process is no session's own.

use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Whether a process leaves, and the calls that it waits for. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Leaving {
    begun: CancellationToken,
    /// Each call under way has a receiver.
    under_way: watch::Sender<()>,
}

impl Leaving {
    /// Ends what runs and refuses what comes: calls in flight have seconds to say what they did. What is returned completes when all
    /// are over, those too that nobody waits for.
    pub fn begin(&self) -> impl Future<Output = ()> + Send + use<> {
        self.begun.cancel();
        let under_way = self.under_way.clone();
        async move { under_way.closed().await }
    }

    /// Set when it begins.
    pub(crate) fn begun(&self) -> CancellationToken {
        self.begun.clone()
    }

    /// Completes so long after it has begun, or from now on where it had before.
    pub(crate) async fn begun_since(&self, time: Duration) {
        self.begun.cancelled().await;
        tokio::time::sleep(time).await;
    }

    /// To be kept by a call until it is over.
    pub(super) fn under_way(&self) -> watch::Receiver<()> {
        self.under_way.subscribe()
    }
}
