//! Messages to the engine, over its own gRPC service.
//!
//! A provider never waits for its messages: they queue, and are dropped when nobody takes them. Until an engine is known they
//! wait in the queue. The host's own, which say what was denied or lost, have a queue that no guest can fill.
//!
//! Guests can say more than anybody reads, and whoever answers the engine sends it on: so it takes breaks from that, and a long one
//! when no engine answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bulkhead_proto::engine::{EngineClient, LogRequest, LogSeverity};
use tokio::sync::{mpsc, watch};
use tonic::transport::{Channel, Endpoint};

use crate::legible::legible;
use crate::provider::{Log, Message, Severity};
use crate::rpc::EngineLink;

/// How many messages may wait.
const QUEUE: usize = 1_024;
/// How long connecting and each message may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// For how long messages are sent between two breaks: timers aren't exact enough for one after each.
const STRETCH: Duration = Duration::from_millis(1);
/// How many times as long a break is.
const BREAK: u32 = 2;
/// The longest break, and the one after a message that didn't arrive.
const LONGEST: Duration = Duration::from_millis(100);

/// The way to the engine.
pub(super) struct EngineLog {
    address: watch::Sender<Option<String>>,
    sink: Arc<Sink>,
    directory: Option<PathBuf>,
}

struct Sink {
    own: mpsc::Sender<Message>,
    guests: mpsc::Sender<Message>,
}

impl Log for Sink {
    fn log(&self, message: Message) {
        // A full queue means that the engine doesn't listen.
        let _ = self.own.try_send(message);
    }

    fn relay(&self, message: Message) {
        let _ = self.guests.try_send(message);
    }
}

impl EngineLink for EngineLog {
    fn connect(&self, address: &str) {
        self.address.send_replace(Some(address.to_owned()));
    }

    fn log(&self) -> Arc<dyn Log> {
        Arc::clone(&self.sink) as Arc<dyn Log>
    }

    fn directory(&self) -> Option<PathBuf> {
        self.directory.clone()
    }
}

impl EngineLog {
    /// Starts relaying, to the engine at an address if one is known yet.
    pub(super) fn start(address: Option<String>) -> Self {
        let (sink, messages) = queues();
        let (address, addresses) = watch::channel(address);
        tokio::spawn(relay(messages, addresses));
        Self { address, sink: Arc::new(sink), directory: std::env::current_dir().ok() }
    }

    /// Has relative paths start from an absolute directory, rather than from where the process runs.
    pub(super) fn within(self, directory: &Path) -> Self {
        let absolute = directory.is_absolute().then(|| directory.to_owned());
        Self { directory: absolute.or(self.directory), ..self }
    }
}

/// Where messages are put, and where they come out: the host's own, then guests'.
fn queues() -> (Sink, [mpsc::Receiver<Message>; 2]) {
    let [(own, own_messages), (guests, guests_messages)] = [(); 2].map(|()| mpsc::channel(QUEUE));
    (Sink { own, guests }, [own_messages, guests_messages])
}

/// The next message, the host's own first, and guests' after a break; none when nobody sends any more.
async fn next([own, guests]: &mut [mpsc::Receiver<Message>; 2], after: Instant) -> Option<Message> {
    let rested = async {
        if after > Instant::now() {
            tokio::time::sleep_until(after.into()).await;
        }
        guests.recv().await
    };
    tokio::select! {
        biased;
        Some(message) = own.recv() => Some(message),
        Some(message) = rested => Some(message),
        else => None,
    }
}

async fn relay(mut messages: [mpsc::Receiver<Message>; 2], mut addresses: watch::Receiver<Option<String>>) {
    let mut client: Option<(String, EngineClient<Channel>)> = None;
    let (mut after, mut sent) = (Instant::now(), Duration::ZERO);
    while let Some(message) = next(&mut messages, after).await {
        if addresses.wait_for(Option::is_some).await.is_err() {
            return;
        }
        let address = addresses.borrow_and_update().clone().unwrap_or_default();
        if client.as_ref().is_none_or(|(connected, _)| *connected != address) {
            client = connect(&address).map(|client| (address, client));
        }
        let begun = Instant::now();
        if let Some((_, client)) = &mut client
            && let Err(status) = client.log(request(message)).await
        {
            tracing::debug!("a message didn't reach the engine: {}", status.message());
            sent = LONGEST;
        }
        sent = sent.saturating_add(begun.elapsed());
        if sent >= STRETCH {
            after = Instant::now() + sent.saturating_mul(BREAK).min(LONGEST);
            sent = Duration::ZERO;
        }
    }
}

fn connect(address: &str) -> Option<EngineClient<Channel>> {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).ok()?;
    Some(EngineClient::new(endpoint.connect_timeout(PATIENCE).timeout(PATIENCE).connect_lazy()))
}

fn request(message: Message) -> LogRequest {
    let severity = match message.severity {
        Severity::Debug => LogSeverity::Debug,
        Severity::Info => LogSeverity::Info,
        Severity::Warning => LogSeverity::Warning,
        Severity::Error => LogSeverity::Error,
    };
    LogRequest {
        severity: severity as i32,
        // Whoever made it, and whatever it quotes: ends of lines stay, and engines put them below one another.
        message: legible(message.text),
        urn: message.urn.unwrap_or_default(),
        stream_id: 0,
        ephemeral: message.ephemeral,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: String) -> Message {
        Message { severity: Severity::Warning, text, urn: None, ephemeral: false }
    }

    #[tokio::test]
    async fn guests_crowd_out_nothing_that_the_host_says() {
        let (sink, mut messages) = queues();
        for number in 0..2 * QUEUE {
            sink.relay(message(number.to_string()));
        }
        sink.log(message("denied".to_owned()));
        drop(sink);
        let now = Instant::now();
        assert_eq!(next(&mut messages, now).await.unwrap().text, "denied");
        for number in 0..QUEUE {
            assert_eq!(next(&mut messages, now).await.unwrap().text, number.to_string());
        }
        assert!(next(&mut messages, now).await.is_none());
    }

    #[test]
    fn nothing_that_is_logged_steers_a_terminal() {
        let logged = request(message("one\r\n\ttwo\u{1b}[2J\u{9b}m\u{202e}three\u{2028}".to_owned()));
        assert_eq!(logged.message, "one\n\ttwo\u{fffd}[2J\u{fffd}m\u{fffd}three\u{fffd}");
    }

    #[tokio::test]
    async fn only_guests_wait_for_a_break() {
        let (sink, mut messages) = queues();
        let (now, after) = (Instant::now(), Instant::now() + Duration::from_secs(3_600));
        sink.relay(message("said".to_owned()));
        sink.log(message("denied".to_owned()));
        assert_eq!(next(&mut messages, after).await.unwrap().text, "denied");
        let early = tokio::time::timeout(Duration::from_millis(20), next(&mut messages, after)).await;
        assert!(early.is_err(), "{early:?}");
        assert_eq!(next(&mut messages, now).await.unwrap().text, "said", "and nothing is lost by it");
    }
}
