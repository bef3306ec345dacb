//! Which conversation answers a request: the one that its connection's last Handshake began.
//!
//! Two providers of one program are two connections, and don't see each other. A connection that never shook hands, as after
//! half an hour of silence, goes on with the latest conversation that was configured, isn't cancelled, and has lost its connection if any has,
//! and keeps to it. Where there were several configurations nobody knows which one is meant, and another one's credentials are worse than
//! none: it is refused. Nor does it cancel a conversation that another connection uses: what runs there is another engine's.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// How many conversations are kept that no connection uses. Each keeps its instances and its configuration, and most are over.
const KEPT: usize = 4;

/// One use of the provider, from a Handshake on.
pub(super) struct Conversation {
    service: Arc<Service>,
    server: Server,
    /// How many connections use it.
    users: AtomicUsize,
}

impl Conversation {
    fn new(ready: &Ready, leaving: Leaving) -> Arc<Self> {
        let link = Arc::new(EngineLog::start(None));
        ready.warn(link.as_ref());
        let service = Arc::new(Service::until(leaving, Arc::clone(&ready.offer), link, None));
        let server =
            Server::new(Arc::clone(&service)).taking(ready.largest_message.clone()).audited(ready.auditor.clone());
        Arc::new(Self { service, server, users: AtomicUsize::new(0) })
    }

    /// A connection uses it from now on.
    pub(super) fn begin_use(&self) {
        self.users.fetch_add(1, Ordering::Relaxed);
    }

    /// One of them doesn't any more. Another one may go on with it.
    pub(super) fn end_use(&self) {
        self.users.fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn users(&self) -> usize {
        self.users.load(Ordering::Relaxed)
    }

    pub(super) fn is_cancelled(&self) -> bool {
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
    /// Those that were configured, in the order in which they were.
    configured: Vec<Arc<Conversation>>,
    /// Whether others were configured in another way.
    several: bool,
}

impl Attachable {
    pub(super) fn new(watched: Arc<Watched>) -> Self {
        let leaving = Leaving::default();
        let latest = Conversation::new(&watched.current(), leaving.clone());
        // Whoever never shakes hands shares it until somebody does, and ends it for none of the others.
        latest.begin_use();
        let lost = Lost { latest, configured: Vec::new(), several: false };
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
                let going_on = || lost.configured.iter().rev().filter(|conversation| !conversation.is_cancelled());
                let found = going_on().find(|conversation| conversation.users() == 0).or_else(|| going_on().next());
                Ok(Arc::clone(found.unwrap_or(&lost.latest)))
            }
            true => Err(Status::failed_precondition(
                "the connection was lost, and providers with several configurations were attached: it isn't known which one this is\n\
                 hint: run it again",
            )),
        }
    }

    /// What a Cancel ends on a connection that was made again. Nothing where that may be another engine's.
    fn cancelled(&self, slot: &Slot) -> Result<Arc<Conversation>, Status> {
        let latest = slot.going_on(|| self.latest())?;
        let own = slot.owns(&latest);
        Ok(if own { latest } else { Conversation::new(&self.watched.current(), self.leaving.clone()) })
    }

    /// Notes what a provider was configured with.
    fn configured(&self, conversation: Arc<Conversation>) {
        let Some(configuration) = conversation.service.configuration() else { return };
        let mut lost = self.lost();
        lost.several |= lost.latest.service.configuration().is_some_and(|latest| latest != configuration);
        lost.latest = Arc::clone(&conversation);
        lost.configured.retain(|before| !before.is_cancelled() && !Arc::ptr_eq(before, &conversation));
        lost.configured.push(conversation);
        if lost.several {
            // Nobody is told any more which one to go on with.
            lost.configured.clear();
        }
        let unused = lost.configured.iter().filter(|conversation| conversation.users() == 0).count();
        let mut over = unused.saturating_sub(KEPT);
        lost.configured.retain(|conversation| {
            let goes = over > 0 && conversation.users() == 0;
            over -= usize::from(goes);
            !goes
        });
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
        if let Some(before) = slot.replace(&conversation) {
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
            let conversation = match (method(&request), slot.own()) {
                ("Handshake", _) => this.begin(&slot).await,
                (_, Some(conversation)) => Ok(conversation),
                ("Cancel", None) => this.cancelled(&slot),
                (_, None) => slot.going_on(|| this.latest()),
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
