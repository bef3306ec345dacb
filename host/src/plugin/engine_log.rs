//! Messages to the engine, over its own gRPC service.
//!
//! A provider never waits for its messages: they queue, and are dropped when nobody takes them. Until an engine is known they
//! wait in the queue. The host's own, which say what was denied or lost, have a queue that no guest can fill; those of guests come in turns
//! (`said.rs`). The answer to a call waits for a moment until its messages are there: an engine whose last call failed ends at once, and
//! what came later would be lost.
//!
//! Guests can say more than anybody reads, and whoever answers the engine sends it on: so it takes breaks from that, and a long one
//! when no engine answers.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bulkhead_proto::engine::{EngineClient, LogRequest, LogSeverity};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tonic::transport::{Channel, Endpoint};

use super::said::{Said, Turn};
use super::warned;
use crate::legible::legible;
use crate::provider::{Log, Message, Severity, Speaker};
use crate::rpc::EngineLink;

/// How many messages of the host's own may wait.
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
    lost: Arc<Lost>,
    guests: Arc<Said>,
    address: watch::Receiver<Option<String>>,
}

/// How many messages had no place.
#[derive(Default)]
struct Lost {
    many: AtomicUsize,
    /// Whoever reads may have emptied the queue by the time that one more is counted, and waits for the next one.
    counted: Notify,
}

impl Lost {
    fn count(&self) {
        self.many.fetch_add(1, Ordering::Relaxed);
        self.counted.notify_one();
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.guests.close();
    }
}

impl Log for Sink {
    fn log(&self, message: Message) {
        if self.own.try_send(message).is_err() {
            self.lost.count();
        }
    }

    fn relay(&self, message: Message, by: Speaker) {
        self.guests.push(message, by);
    }

    fn seen(&self, by: Option<Speaker>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        // The host's own are sent before whatever is among guests'.
        let sent = self.address.borrow().is_some().then(|| self.guests.sent(by));
        Box::pin(async move {
            if let Some(sent) = sent {
                let _ = sent.await;
            }
        })
    }
}

impl EngineLink for EngineLog {
    fn connect(&self, address: &str) {
        self.address.send_replace(Some(address.to_owned()));
        warned::listen(address, &self.log());
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
        let (address, addresses) = watch::channel(address);
        let (sink, messages) = queues(addresses.clone());
        tokio::spawn(relay(messages, addresses));
        let known = address.borrow().clone();
        let log = Self { address, sink: Arc::new(sink), directory: std::env::current_dir().ok() };
        // What nobody may ever read is no engine's.
        if let Some(address) = known {
            warned::listen(&address, &log.log());
        }
        log
    }

    /// Has relative paths start from an absolute directory, rather than from where the process runs.
    pub(super) fn within(self, directory: &Path) -> Self {
        let absolute = directory.is_absolute().then(|| directory.to_owned());
        Self { directory: absolute.or(self.directory), ..self }
    }
}

/// Where messages come out.
struct Messages {
    own: mpsc::Receiver<Message>,
    /// How many of the host's own had no place.
    lost: Arc<Lost>,
    guests: Arc<Said>,
    /// The guests' next one, until the break is over.
    next: Option<Turn>,
    /// Who waits for what came out already.
    waiting: Vec<oneshot::Sender<()>>,
}

impl Drop for Messages {
    fn drop(&mut self) {
        self.guests.forget();
    }
}

/// Where messages are put, and where they come out.
fn queues(address: watch::Receiver<Option<String>>) -> (Sink, Messages) {
    let ((own, own_messages), guests) = (mpsc::channel(QUEUE), Arc::<Said>::default());
    let lost = Arc::<Lost>::default();
    let (next, waiting) = (None, Vec::new());
    let messages = Messages { own: own_messages, lost: Arc::clone(&lost), guests: Arc::clone(&guests), next, waiting };
    (Sink { own, lost, guests, address }, messages)
}

impl Messages {
    /// A note of the host's own messages that had no place: of them are denials, and what couldn't be written down.
    fn loss(&self) -> Option<Message> {
        let lost = self.lost.many.swap(0, Ordering::Relaxed);
        let text = format!("{lost} more messages of Bulkhead were dropped: there were more than the engine takes");
        (lost > 0).then(|| Message::warning(text))
    }

    /// The next message, the host's own first, and guests' after a break; none when nobody sends any more. What came out before is
    /// sent by now.
    async fn next(&mut self, after: Instant) -> Option<Message> {
        loop {
            if let Some(message) = self.own.try_recv().ok().or_else(|| self.loss()) {
                return Some(message);
            }
            for waits in self.waiting.drain(..) {
                // Who went away doesn't matter.
                let _ = waits.send(());
            }
            let rested = async {
                if after > Instant::now() {
                    tokio::time::sleep_until(after.into()).await;
                }
            };
            tokio::select! {
                biased;
                Some(message) = self.own.recv() => return Some(message),
                () = self.lost.counted.notified() => {}
                () = rested, if self.next.is_some() => {
                    let Turn { message, waiting } = self.next.take().unwrap_or_default();
                    self.waiting.extend(waiting);
                    if message.is_some() {
                        return message;
                    }
                }
                turn = self.guests.next(), if self.next.is_none() => match turn {
                    Some(turn) if turn.message.is_some() => self.next = Some(turn),
                    // Who waits for no message waits for no break.
                    Some(turn) => self.waiting.extend(turn.waiting),
                    None => return self.own.recv().await.or_else(|| self.loss()),
                },
            }
        }
    }
}

async fn relay(mut messages: Messages, mut addresses: watch::Receiver<Option<String>>) {
    let mut client: Option<(String, EngineClient<Channel>)> = None;
    let (mut after, mut sent) = (Instant::now(), Duration::ZERO);
    while let Some(message) = messages.next(after).await {
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
        let (_engine, address) = watch::channel(Some(String::new()));
        let (sink, mut messages) = queues(address);
        for number in 0..2 * QUEUE {
            sink.relay(message(number.to_string()), Speaker::default());
        }
        sink.log(message("denied".to_owned()));
        drop(sink);
        let now = Instant::now();
        assert_eq!(messages.next(now).await.unwrap().text, "denied");
        for number in 0..QUEUE {
            assert_eq!(messages.next(now).await.unwrap().text, number.to_string());
        }
        assert!(messages.next(now).await.unwrap().text.starts_with("1024 more messages of the provider were dropped"));
        assert!(messages.next(now).await.is_none());
    }

    #[tokio::test]
    async fn what_the_host_could_not_say_is_told() {
        let (_engine, address) = watch::channel(Some(String::new()));
        let (sink, mut messages) = queues(address);
        for number in 0..QUEUE + 2 {
            sink.log(message(number.to_string()));
        }
        drop(sink);
        let mut told = Vec::new();
        while let Some(message) = messages.next(Instant::now()).await {
            told.push(message.text);
        }
        assert_eq!(told.len(), QUEUE + 1);
        assert_eq!(told[QUEUE], "2 more messages of Bulkhead were dropped: there were more than the engine takes");
    }

    #[tokio::test]
    async fn what_was_lost_is_told_though_nothing_comes_after_it() {
        let (_engine, address) = watch::channel(Some(String::new()));
        let (sink, mut messages) = queues(address);
        let lost = async {
            tokio::task::yield_now().await;
            sink.lost.count();
        };
        let told = async { tokio::join!(messages.next(Instant::now()), lost).0 };
        let told = tokio::time::timeout(Duration::from_secs(5), told).await.unwrap().unwrap();
        assert!(told.text.starts_with("1 more messages of Bulkhead were dropped"), "{}", told.text);
    }

    #[tokio::test]
    async fn what_the_host_warned_of_is_told_once_there_is_an_engine_to_tell() {
        use tracing_subscriber::layer::SubscriberExt;

        let log = EngineLog::start(None);
        let subscriber = tracing_subscriber::registry().with(warned::warnings());
        tracing::subscriber::with_default(subscriber, || tracing::warn!("told to whoever is there"));
        // Nobody takes anything out while this doesn't wait.
        let waiting = |log: &EngineLog| QUEUE - log.sink.own.capacity();
        assert_eq!(waiting(&log), 0, "it may never have an engine");
        log.connect("203.0.113.1:1");
        assert!(waiting(&log) > 0);
        assert!(waiting(&EngineLog::start(Some("203.0.113.1:2".to_owned()))) > 0);
    }

    #[test]
    fn nothing_that_is_logged_steers_a_terminal() {
        let logged = request(message("one\r\n\ttwo\u{1b}[2J\u{9b}m\u{202e}three\u{2028}".to_owned()));
        assert_eq!(logged.message, "one\n\ttwo\u{fffd}[2J\u{fffd}m\u{fffd}three\u{fffd}");
    }

    #[tokio::test]
    async fn only_guests_wait_for_a_break() {
        let (_engine, address) = watch::channel(Some(String::new()));
        let (sink, mut messages) = queues(address);
        let (now, after) = (Instant::now(), Instant::now() + Duration::from_secs(3_600));
        sink.relay(message("said".to_owned()), Speaker::default());
        sink.log(message("denied".to_owned()));
        assert_eq!(messages.next(after).await.unwrap().text, "denied");
        let early = tokio::time::timeout(Duration::from_millis(20), messages.next(after)).await;
        assert!(early.is_err(), "{early:?}");
        assert_eq!(messages.next(now).await.unwrap().text, "said", "and nothing is lost by it");
    }

    #[tokio::test]
    async fn who_waits_for_what_was_said_waits_until_it_is_sent_and_for_no_break() {
        let (engine, address) = watch::channel(None);
        let (sink, mut messages) = queues(address);
        let [caller, other] = std::array::from_fn(|_| Speaker::next());
        let seen = |waiting: &mut Pin<Box<dyn Future<Output = ()> + Send>>| {
            let mut context = std::task::Context::from_waker(std::task::Waker::noop());
            waiting.as_mut().poll(&mut context).is_ready()
        };
        sink.relay(message("early".to_owned()), caller);
        assert!(seen(&mut sink.seen(Some(caller))), "while no engine is known, nobody looks");
        engine.send_replace(Some(String::new()));
        sink.relay(message("said".to_owned()), caller);
        sink.log(message("denied".to_owned()));
        let mut waiting = sink.seen(Some(caller));
        let (now, after) = (Instant::now(), Instant::now() + Duration::from_secs(3_600));
        for text in ["denied", "early", "said"] {
            assert_eq!(messages.next(now).await.unwrap().text, text);
            assert!(!seen(&mut waiting), "`{text}` is being sent");
        }
        sink.relay(message("later".to_owned()), other);
        let early = tokio::time::timeout(Duration::from_millis(20), messages.next(after)).await;
        assert!(early.is_err(), "{early:?}");
        assert!(seen(&mut waiting));
        assert_eq!(messages.next(now).await.unwrap().text, "later");
        sink.log(message("audited".to_owned()));
        let mut waiting = sink.seen(None);
        assert_eq!(messages.next(now).await.unwrap().text, "audited");
        let early = tokio::time::timeout(Duration::from_millis(20), messages.next(after)).await;
        assert!(early.is_err() && seen(&mut waiting), "{early:?}");
        sink.relay(message("last".to_owned()), caller);
        let mut waiting = sink.seen(Some(caller));
        drop((sink, messages));
        assert!(seen(&mut waiting), "nobody sends any more");
    }
}
