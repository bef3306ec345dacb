//! The way to the collector: a queue, and a task that empties it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bulkhead_proto::traces::TraceServiceClient;
use tokio::sync::{mpsc, oneshot};
use tonic::transport::{Channel, Endpoint};

use super::endpoint::endpoint;
use super::message::request;
use crate::audit::{Span, Spans};

/// Spans that wait; more are lost.
const QUEUE: usize = 4_096;
/// Spans that are sent together.
const TOGETHER: usize = 512;
/// How long spans wait for others.
const PAUSE: Duration = Duration::from_millis(500);
/// How long connecting and sending may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long what is left may take when the process leaves.
const LAST: Duration = Duration::from_secs(1);

/// The process's exporter, if there is somebody to export to.
static EXPORTER: OnceLock<Option<Arc<Exporter>>> = OnceLock::new();

struct Exporter {
    queue: mpsc::Sender<Queued>,
}

enum Queued {
    Span(Span),
    /// Everything before it is to be sent at once.
    Flush(oneshot::Sender<()>),
}

impl Spans for Exporter {
    fn take(&self, span: Span) {
        // A full queue means that nobody takes them.
        let _ = self.queue.try_send(Queued::Span(span));
    }
}

/// Where the environment says that spans go. Within a runtime, which goes on exporting.
pub(crate) fn of_environment() -> Option<Arc<dyn Spans>> {
    let exporter = EXPORTER.get_or_init(|| {
        let endpoint = Endpoint::from_shared(endpoint(|name| std::env::var(name).ok())?).ok()?;
        Some(Arc::new(Exporter::start(&endpoint)))
    });
    exporter.clone().map(|exporter| exporter as Arc<dyn Spans>)
}

/// Sends what is left, as far as there is time.
pub(crate) async fn flush() {
    if let Some(Some(exporter)) = EXPORTER.get() {
        exporter.flush().await;
    }
}

impl Exporter {
    fn start(endpoint: &Endpoint) -> Self {
        let (queue, queued) = mpsc::channel(QUEUE);
        let channel = endpoint.clone().connect_timeout(PATIENCE).timeout(PATIENCE).connect_lazy();
        tokio::spawn(export(TraceServiceClient::new(channel), queued));
        Self { queue }
    }

    async fn flush(&self) {
        let flushed = async {
            let (done, flushed) = oneshot::channel();
            if self.queue.send(Queued::Flush(done)).await.is_ok() {
                let _ = flushed.await;
            }
        };
        let _ = tokio::time::timeout(LAST, flushed).await;
    }
}

async fn export(mut client: TraceServiceClient<Channel>, mut queued: mpsc::Receiver<Queued>) {
    while let Some(first) = queued.recv().await {
        let (mut spans, mut flushed) = (Vec::new(), None);
        match first {
            Queued::Span(span) => spans.push(span),
            Queued::Flush(done) => flushed = Some(done),
        }
        let pause = tokio::time::sleep(PAUSE);
        tokio::pin!(pause);
        while flushed.is_none() && spans.len() < TOGETHER {
            tokio::select! {
                next = queued.recv() => match next {
                    Some(Queued::Span(span)) => spans.push(span),
                    Some(Queued::Flush(done)) => flushed = Some(done),
                    None => break,
                },
                () = &mut pause => break,
            }
        }
        if !spans.is_empty()
            && let Err(status) = client.export(request(spans)).await
        {
            tracing::debug!("spans didn't reach the collector: {}", status.message());
        }
        if let Some(done) = flushed {
            let _ = done.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Instant, SystemTime};

    use super::*;
    use crate::audit::Kind;

    fn span() -> Span {
        let now = SystemTime::now();
        let (trace, id) = ([1; 16], [2; 8]);
        let (name, attributes) = ("work".to_owned(), Vec::new());
        Span {
            trace,
            id,
            parent: [0; 8],
            name,
            kind: Kind::Server,
            started: now,
            ended: now,
            attributes,
            failure: None,
        }
    }

    #[tokio::test]
    async fn a_collector_that_takes_nothing_keeps_nobody_waiting() {
        // Connected to, and silent.
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let exporter = Exporter::start(&Endpoint::from_shared(address).unwrap());
        let begun = Instant::now();
        for _ in 0..3 * QUEUE {
            exporter.take(span());
        }
        // Nobody waits until it is given up.
        assert!(begun.elapsed() < PATIENCE);
        exporter.flush().await;
        assert!(begun.elapsed() < PATIENCE);
    }
}
