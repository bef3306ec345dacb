//! Which conversation answers a request: the one that its connection's last Handshake began.
//!
//! Two providers of one program are two connections, and don't see each other. A connection that never shook hands, as after
//! half an hour of silence, goes on with the latest conversation there is.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
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
}

impl Conversation {
    fn new(ready: &Ready, leaving: Leaving) -> Arc<Self> {
        let link = Arc::new(EngineLog::start(None));
        ready.warn(link.as_ref());
        let service = Arc::new(Service::until(leaving, Arc::clone(&ready.offer), link, None));
        let server =
            Server::new(Arc::clone(&service)).taking(ready.largest_message.clone()).audited(ready.auditor.clone());
        Arc::new(Self { service, server })
    }
}

/// A provider that can be attached to.
#[derive(Clone)]
pub(super) struct Attachable {
    watched: Arc<Watched>,
    /// What all conversations end with, those too whose connection is gone.
    leaving: Leaving,
    latest: Arc<Mutex<Arc<Conversation>>>,
}

impl Attachable {
    pub(super) fn new(watched: Arc<Watched>) -> Self {
        let leaving = Leaving::default();
        let latest = Conversation::new(&watched.current(), leaving.clone());
        Self { watched, leaving, latest: Arc::new(Mutex::new(latest)) }
    }

    /// Ends what runs. What is returned completes when it has.
    pub(super) fn leave(&self) -> impl Future<Output = ()> + use<> {
        self.leaving.begin()
    }

    fn latest(&self) -> Arc<Conversation> {
        Arc::clone(&self.latest.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Begins a conversation on a connection, with the component as its file now is.
    async fn begin(&self, slot: &Slot) -> Result<Arc<Conversation>, Status> {
        let ready = self.watched.newest().await.map_err(|error| Status::from(&error))?;
        let conversation = Conversation::new(&ready, self.leaving.clone());
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&conversation);
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
            let conversation = if method(&request) == "Handshake" {
                match this.begin(&slot).await {
                    Ok(begun) => begun,
                    Err(status) => return Ok(status.into_http()),
                }
            } else {
                slot.get().unwrap_or_else(|| this.latest())
            };
            conversation.server.clone().call(request).await
        })
    }
}
