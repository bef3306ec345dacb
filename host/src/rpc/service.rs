//! The protocol's service: each method is one call to its file. Those that are missing here are UNIMPLEMENTED.

use std::sync::Arc;

use bulkhead_proto::plugin::{PluginAttach, PluginInfo};
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::ResourceProvider;
use bulkhead_value::Object;
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status};

use super::conversation::{Current, EngineLink, Offer};
use super::monitor::PackageOrigin;
use super::{
    attach, call, cancel, check, check_config, configure, construct, create, delete, diff, diff_config, get_mapping,
    get_mappings, get_plugin_info, get_schema, handshake, invoke, large, list, parameterize, read, update,
};
use crate::provider::{Leaving, Message, Severity, heard};

/// A provider as an engine sees it.
pub struct Service {
    current: Arc<Current>,
}

impl Service {
    /// Serves an offer, with a way back to the engine.
    pub fn new(offer: Arc<Offer>, link: Arc<dyn EngineLink>) -> Self {
        Self::until(Leaving::default(), offer, link, None)
    }

    /// The same in a process that may leave without asking this service alone, of a package that engines may get by a parameter.
    pub fn until(
        leaving: Leaving,
        offer: Arc<Offer>,
        link: Arc<dyn EngineLink>,
        parameterized: Option<PackageOrigin>,
    ) -> Self {
        Self { current: Arc::new(Current::new(offer, link, parameterized, leaving)) }
    }

    /// Tells the engine's users what they should know.
    pub(super) fn warn(&self, text: String) {
        let severity = Severity::Warning;
        self.current.link().log().log(Message { severity, text, urn: None, ephemeral: false });
    }

    /// Waits for a moment until they were told.
    pub(super) async fn heard(&self) {
        heard(self.current.link().log().as_ref(), None).await;
    }

    /// What it was configured with since the last Handshake, if it was.
    pub fn configuration(&self) -> Option<Object> {
        self.current.get().configuration().cloned()
    }

    /// Ends what runs and refuses what comes, as Cancel does.
    pub fn cancel(&self) {
        self.current.get().sessions.cancel();
    }

    /// Whether it refuses what comes.
    pub fn is_cancelled(&self) -> bool {
        self.current.get().sessions.is_cancelled()
    }

    /// The same in a process that leaves: what calls in flight did is told before it has. What is returned completes when all are
    /// over, those too whose engine is gone.
    pub fn leave(&self) -> impl Future<Output = ()> + Send + use<> {
        self.current.leaving().begin()
    }
}

type Reply<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl ResourceProvider for Service {
    async fn handshake(&self, request: Request<pb::ProviderHandshakeRequest>) -> Reply<pb::ProviderHandshakeResponse> {
        handshake::handshake(&self.current, request.into_inner()).map(Response::new)
    }

    async fn attach(&self, request: Request<PluginAttach>) -> Reply<()> {
        attach::attach(&self.current, &request.into_inner()).map(Response::new)
    }

    async fn get_plugin_info(&self, _request: Request<()>) -> Reply<PluginInfo> {
        Ok(Response::new(get_plugin_info::get_plugin_info(self.current.offer())))
    }

    async fn get_schema(&self, request: Request<pb::GetSchemaRequest>) -> Reply<pb::GetSchemaResponse> {
        get_schema::get_schema(&self.current.get(), &request.into_inner()).map(Response::new)
    }

    async fn parameterize(&self, request: Request<pb::ParameterizeRequest>) -> Reply<pb::ParameterizeResponse> {
        parameterize::parameterize(&self.current.get(), request.into_inner()).await.map(Response::new)
    }

    async fn check_config(&self, request: Request<pb::CheckRequest>) -> Reply<pb::CheckResponse> {
        let (current, request) = (Arc::clone(&self.current), request.into_inner());
        large::answered(
            current.get().weight(&request),
            async move { check_config::check_config(&current, request).await },
        )
        .await
    }

    async fn diff_config(&self, request: Request<pb::DiffRequest>) -> Reply<pb::DiffResponse> {
        let (current, request) = (Arc::clone(&self.current), request.into_inner());
        large::answered(
            current.get().weight(&request),
            async move { diff_config::diff_config(&current, request).await },
        )
        .await
    }

    async fn configure(&self, request: Request<pb::ConfigureRequest>) -> Reply<pb::ConfigureResponse> {
        let (current, request) = (Arc::clone(&self.current), request.into_inner());
        large::answered(current.get().weight(&request), async move { configure::configure(&current, request).await })
            .await
    }

    async fn check(&self, request: Request<pb::CheckRequest>) -> Reply<pb::CheckResponse> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { check::check(&current, request).await }).await
    }

    async fn diff(&self, request: Request<pb::DiffRequest>) -> Reply<pb::DiffResponse> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { diff::diff(&current, request).await }).await
    }

    async fn create(&self, request: Request<pb::CreateRequest>) -> Reply<pb::CreateResponse> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { create::create(&current, request).await }).await
    }

    async fn read(&self, request: Request<pb::ReadRequest>) -> Reply<pb::ReadResponse> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { read::read(&current, request).await }).await
    }

    async fn list(&self, request: Request<pb::ListRequest>) -> Reply<BoxStream<pb::ListResponse>> {
        list::list(&self.current.get(), request.into_inner()).map(Response::new)
    }

    async fn get_mapping(&self, request: Request<pb::GetMappingRequest>) -> Reply<pb::GetMappingResponse> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { get_mapping::get_mapping(&current, request).await })
            .await
    }

    async fn get_mappings(&self, request: Request<pb::GetMappingsRequest>) -> Reply<pb::GetMappingsResponse> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { get_mappings::get_mappings(&current, request).await })
            .await
    }

    async fn update(&self, request: Request<pb::UpdateRequest>) -> Reply<pb::UpdateResponse> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { update::update(&current, request).await }).await
    }

    async fn delete(&self, request: Request<pb::DeleteRequest>) -> Reply<()> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { delete::delete(&current, request).await }).await
    }

    async fn invoke(&self, request: Request<pb::InvokeRequest>) -> Reply<pb::InvokeResponse> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { invoke::invoke(&current, request).await }).await
    }

    async fn construct(&self, request: Request<pb::ConstructRequest>) -> Reply<pb::ConstructResponse> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { construct::construct(&current, request).await }).await
    }

    async fn call(&self, request: Request<pb::CallRequest>) -> Reply<pb::CallResponse> {
        let (current, request) = (self.current.get(), request.into_inner());
        large::answered(current.weight(&request), async move { call::call(&current, request).await }).await
    }

    async fn cancel(&self, _request: Request<()>) -> Reply<()> {
        cancel::cancel(&self.current);
        Ok(Response::new(()))
    }
}
