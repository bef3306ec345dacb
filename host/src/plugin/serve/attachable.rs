//! Which conversation answers a request: the one that its connection's last Handshake began.
//!
//! Two providers of one program are two connections, and don't see each other. A connection that never shook hands, as after
//! half an hour of silence, goes on with the latest conversation that was configured and isn't cancelled. Where there were several
//! configurations nobody knows which one is meant, and another one's credentials are worse than none: it is refused. Nor does it cancel a
//! conversation that has a connection: what runs there is another engine's.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service as Transport, http};

use super::connection::Slot;
use super::watch::Watched;
use crate::plugin::engine_log::EngineLog;
use crate::plugin::load::Ready;
use crate::provider::Leaving;
use crate::rpc::{Server, Service, method};

/// One use of the provider, from a Handshake on.
pub(super) struct Conversation {
    service: Arc<Service>,
    server: Server,
    /// Whether its connection is gone.
    left: AtomicBool,
}

impl Conversation {
    fn new(ready: &Ready, leaving: Leaving) -> Arc<Self> {
        let link = Arc::new(EngineLog::start(None));
        ready.warn(link.as_ref());
        let service = Arc::new(Service::until(leaving, Arc::clone(&ready.offer), link, None));
        let server =
            Server::new(Arc::clone(&service)).taking(ready.largest_message.clone()).audited(ready.auditor.clone());
        Arc::new(Self { service, server, left: AtomicBool::new(false) })
    }

    /// Its connection is gone. Another one may go on with it.
    pub(super) fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.service.is_cancelled()
    }
}

/// A provider that can be attached to.
#[derive(Clone)]
pub(super) struct Attachable {
    watched: Arc<Watched>,
    /// What all conversations end with, those too whose connection is gone.
    leaving: Leaving,
    lost: Arc<Mutex<Lost>>,
}

/// What a connection without a Handshake goes on with.
struct Lost {
    latest: Arc<Conversation>,
    /// The one before, for when that is cancelled.
    earlier: Option<Arc<Conversation>>,
    /// Whether others were configured in another way.
    several: bool,
}

impl Attachable {
    pub(super) fn new(watched: Arc<Watched>) -> Self {
        let leaving = Leaving::default();
        let latest = Conversation::new(&watched.current(), leaving.clone());
        let lost = Lost { latest, earlier: None, several: false };
        Self { watched, leaving, lost: Arc::new(Mutex::new(lost)) }
    }

    /// Ends what runs. What is returned completes when it has.
    pub(super) fn leave(&self) -> impl Future<Output = ()> + use<> {
        self.leaving.begin()
    }

    fn lost(&self) -> MutexGuard<'_, Lost> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The conversation of a connection that was made again.
    ///
    /// # Errors
    /// It may be any of several.
    fn latest(&self) -> Result<Arc<Conversation>, Status> {
        let lost = self.lost();
        match lost.several {
            false => {
                let earlier =
                    lost.earlier.as_ref().filter(|earlier| lost.latest.is_cancelled() && !earlier.is_cancelled());
                Ok(Arc::clone(earlier.unwrap_or(&lost.latest)))
            }
            true => Err(Status::failed_precondition(
                "the connection was lost, and providers with several configurations were attached: it isn't known which one this is\n\
                 hint: run it again",
            )),
        }
    }

    /// What a Cancel ends on a connection that was made again. Nothing where that may be another engine's.
    fn cancelled(&self) -> Result<Arc<Conversation>, Status> {
        let latest = self.latest()?;
        let left = latest.left.load(Ordering::Relaxed);
        Ok(if left { latest } else { Conversation::new(&self.watched.current(), self.leaving.clone()) })
    }

    /// Notes what a provider was configured with.
    fn configured(&self, conversation: Arc<Conversation>) {
        let Some(configuration) = conversation.service.configuration() else { return };
        let mut lost = self.lost();
        lost.several |= lost.latest.service.configuration().is_some_and(|latest| latest != configuration);
        let before = std::mem::replace(&mut lost.latest, conversation);
        if before.service.configuration().is_some() && !before.is_cancelled() {
            lost.earlier = Some(before);
        }
    }

    /// Begins a conversation on a connection, with the component as its file now is.
    async fn begin(&self, slot: &Slot) -> Result<Arc<Conversation>, Status> {
        let ready = self.watched.newest().await.map_err(|error| Status::from(&error))?;
        let conversation = Conversation::new(&ready, self.leaving.clone());
        let mut lost = self.lost();
        if lost.latest.service.configuration().is_none() {
            lost.latest = Arc::clone(&conversation);
        }
        drop(lost);
        if let Some(before) = slot.replace(Arc::clone(&conversation)) {
            before.service.cancel();
        }
        Ok(conversation)
    }
}

impl Transport<http::Request<Body>> for Attachable {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let this = self.clone();
        Box::pin(async move {
            let slot = request.extensions().get::<Slot>().cloned().unwrap_or_default();
            let conversation = match (method(&request), slot.get()) {
                ("Handshake", _) => this.begin(&slot).await,
                (_, Some(conversation)) => Ok(conversation),
                ("Cancel", None) => this.cancelled(),
                (_, None) => this.latest(),
            };
            let conversation = match conversation {
                Ok(conversation) => conversation,
                Err(status) => return Ok(status.into_http()),
            };
            let configures = method(&request) == "Configure";
            let answer = conversation.server.clone().call(request).await;
            if configures {
                this.configured(conversation);
            }
            answer
        })
    }
}
