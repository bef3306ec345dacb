//! Whatever a provider is asked that can't be served.
//!
//! A plugin that ends before its port line is taken for a broken provider: engines tell users to report it to its author, also where all
//! there is to mend is a line of their own `bulkhead.toml`. So it serves, and answers by why it can't. It may have no effect.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::task::{Context, Poll};

use bulkhead_proto::plugin::PluginInfo;
use bulkhead_proto::provider::{
    ProviderHandshakeRequest, ProviderHandshakeResponse, ResourceProvider, ResourceProviderServer,
};
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service, http};
use tonic::{Request, Response, Status};

use super::error::PluginError;
use crate::component::{Artefact, Cache};
use crate::rpc::method;

/// Answers with one status.
#[derive(Clone)]
pub(super) struct Refusal {
    status: Status,
    plugin: ResourceProviderServer<Process>,
}

impl Refusal {
    /// Why something can't be served: with the version of the component, as far as it is known which one that is.
    pub(super) fn of(error: &PluginError, component: Option<&Path>, cache: &Cache) -> Self {
        let found = component.and_then(|component| Artefact::open(cache, component).ok());
        let version = found.and_then(|found| found.package_version()).unwrap_or_default();
        Self { status: Status::from(error), plugin: ResourceProviderServer::from_arc(Arc::new(Process { version })) }
    }
}

impl Service<http::Request<Body>> for Refusal {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        if ["Handshake", "GetPluginInfo", "Cancel"].contains(&method(&request)) {
            return self.plugin.call(request);
        }
        let status = self.status.clone();
        Box::pin(async { Ok(status.into_http()) })
    }
}

/// What an engine asks of a process, whatever it serves: where that fails, it is killed, and told to have ended too early.
struct Process {
    /// An engine that expects one says of another that it may be a bug in the plugin.
    version: String,
}

#[tonic::async_trait]
impl ResourceProvider for Process {
    async fn handshake(
        &self,
        _: Request<ProviderHandshakeRequest>,
    ) -> Result<Response<ProviderHandshakeResponse>, Status> {
        Ok(Response::new(ProviderHandshakeResponse::default()))
    }

    async fn get_plugin_info(&self, _: Request<()>) -> Result<Response<PluginInfo>, Status> {
        Ok(Response::new(PluginInfo { version: self.version.clone() }))
    }

    async fn cancel(&self, _: Request<()>) -> Result<Response<()>, Status> {
        Ok(Response::new(()))
    }
}
