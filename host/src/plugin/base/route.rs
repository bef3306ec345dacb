//! Which requests the base provider answers, and which the component that it became.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use bulkhead_proto::provider::ResourceProviderServer;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service as Transport, http};

use super::provider::Base;
use crate::rpc::{LARGEST_MESSAGE, Own, method};

/// What concerns the parameter, or nobody but the process.
const OWN: [&str; 6] = ["Handshake", "Attach", "GetPluginInfo", "Parameterize", "GetSchema", "Cancel"];
/// What only a component answers. Whatever else there is, and may be by now, engines take to be lacking where it is told to be.
const ITS: [&str; 13] = [
    "CheckConfig",
    "DiffConfig",
    "Configure",
    "Invoke",
    "Call",
    "Check",
    "Diff",
    "Create",
    "Read",
    "Update",
    "Delete",
    "Construct",
    "List",
];

/// The base provider on the wire.
#[derive(Clone)]
pub(super) struct Route {
    base: Arc<Base>,
    own: Own<ResourceProviderServer<Base>>,
}

impl Route {
    pub(super) fn new(base: Arc<Base>) -> Self {
        // What is too long for a reference is told by what reads it.
        let own = ResourceProviderServer::from_arc(Arc::clone(&base)).max_decoding_message_size(LARGEST_MESSAGE);
        Self { own: Own(own), base }
    }
}

impl Transport<http::Request<Body>> for Route {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let method = method(&request);
        if OWN.contains(&method) {
            return self.own.call(request);
        }
        match self.base.became() {
            Some(became) => became.server.clone().call(request),
            None if !ITS.contains(&method) => self.own.call(request),
            None => Box::pin(async {
                let status = Status::failed_precondition(
                    "the provider `wasm` is nothing without a component\n\
                     hint: add one with `pulumi package add wasm ./NAME.wasm`",
                );
                Ok(status.into_http())
            }),
        }
    }
}
