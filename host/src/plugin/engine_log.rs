//! Messages to the engine, over its own gRPC service.
//!
//! A provider never waits for its messages: they queue, and are dropped when nobody takes them. Until an engine is known they
//! wait in the queue.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bulkhead_proto::engine::{EngineClient, LogRequest, LogSeverity};
use tokio::sync::{mpsc, watch};
use tonic::transport::{Channel, Endpoint};

use crate::provider::{Log, Message, Severity};
use crate::rpc::EngineLink;

/// How many messages may wait.
const QUEUE: usize = 1_024;
/// How long connecting and each message may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The way to the engine.
pub(super) struct EngineLog {
    address: watch::Sender<Option<String>>,
    sink: Arc<Sink>,
    directory: Option<PathBuf>,
}

struct Sink(mpsc::Sender<Message>);

impl Log for Sink {
    fn log(&self, message: Message) {
        // A full queue means that the engine doesn't listen.
        let _ = self.0.try_send(message);
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
        let (sender, messages) = mpsc::channel(QUEUE);
        let (address, addresses) = watch::channel(address);
        tokio::spawn(relay(messages, addresses));
        Self { address, sink: Arc::new(Sink(sender)), directory: std::env::current_dir().ok() }
    }

    /// Has relative paths start from an absolute directory, rather than from where the process runs.
    pub(super) fn within(self, directory: &Path) -> Self {
        let absolute = directory.is_absolute().then(|| directory.to_owned());
        Self { directory: absolute.or(self.directory), ..self }
    }
}

async fn relay(mut messages: mpsc::Receiver<Message>, mut addresses: watch::Receiver<Option<String>>) {
    let mut client: Option<(String, EngineClient<Channel>)> = None;
    while let Some(message) = messages.recv().await {
        if addresses.wait_for(Option::is_some).await.is_err() {
            return;
        }
        let address = addresses.borrow_and_update().clone().unwrap_or_default();
        if client.as_ref().is_none_or(|(connected, _)| *connected != address) {
            client = connect(&address).map(|client| (address, client));
        }
        if let Some((_, client)) = &mut client
            && let Err(status) = client.log(request(message)).await
        {
            tracing::debug!("a message didn't reach the engine: {}", status.message());
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
        message: message.text,
        urn: message.urn.unwrap_or_default(),
        stream_id: 0,
        ephemeral: message.ephemeral,
    }
}
