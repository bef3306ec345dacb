//! The service on the wire: how large its messages may be, and what is said of requests that no method ever saw.
//!
//! tonic answers a message that it can't decode with INTERNAL, which engines read as "nobody knows what exists now". No guest
//! has run by then, so the caller learns that the request is wrong, and how.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use bulkhead_proto::provider::ResourceProviderServer;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service as Transport, http};
use tonic::server::NamedService;
use tonic::{Code, Status};

use super::service::Service;

/// The largest message that engines take, in bytes. tonic's default is 4 MiB.
pub(super) const LARGEST_MESSAGE: usize = 400 << 20;

/// A service that can be added to a gRPC server.
#[derive(Clone)]
pub struct Server {
    service: ResourceProviderServer<Service>,
    largest_request: usize,
}

impl Server {
    /// Puts a service on the wire. A request may have so many bytes; a result, what engines take.
    pub fn new(service: Arc<Service>, largest_request: usize) -> Self {
        let service = ResourceProviderServer::from_arc(service)
            .max_decoding_message_size(largest_request)
            .max_encoding_message_size(LARGEST_MESSAGE);
        Self { service, largest_request }
    }
}

impl NamedService for Server {
    const NAME: &'static str = <ResourceProviderServer<Service> as NamedService>::NAME;
}

impl Transport<http::Request<Body>> for Server {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Transport::<http::Request<Body>>::poll_ready(&mut self.service, context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let (answering, largest) = (self.service.call(request), self.largest_request);
        Box::pin(async move {
            let response = answering.await?;
            Ok(match response.extensions().get().and_then(|status| instead(status, largest)) {
                Some(status) => status.into_http(),
                None => response,
            })
        })
    }
}

/// What is said instead of a status of tonic's own. None of ours has these codes.
fn instead(status: &Status, largest: usize) -> Option<Status> {
    match status.code() {
        Code::Internal => Some(Status::invalid_argument(format!("read the request: {}", status.message()))),
        Code::OutOfRange => Some(Status::resource_exhausted(format!(
            "read the request: it is larger than {} KiB\nhint: pass large contents as assets, by path or URI",
            largest >> 10
        ))),
        _ => None,
    }
}
