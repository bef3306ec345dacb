//! An engine's own services, as far as a provider may ask for them: what is offered is told beforehand, what was asked is kept.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bulkhead_proto::loader::{self, Loader, LoaderServer};
use bulkhead_proto::mapper::{self, Mapper, MapperServer};
use bulkhead_proto::plugin::{
    PackageDependency, PackageParameterization, PackageResolver, PackageResolverServer, PackageSpec,
};
use bulkhead_proto::provider::ProviderHandshakeRequest;
use bulkhead_proto::resource_status::{
    PublishViewStepsRequest, PublishViewStepsResponse, ResourceStatus, ResourceStatusServer,
};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// An engine that offers schemas, mappings, packages and a place for views. Gone when it is dropped.
pub struct Engine {
    /// Where it listens.
    pub address: String,
    offered: Arc<Offered>,
    server: JoinHandle<()>,
}

#[derive(Default)]
struct Offered {
    schemas: BTreeMap<String, Vec<u8>>,
    asked: Mutex<Vec<loader::GetSchemaRequest>>,
    mapped: Mutex<Vec<mapper::GetMappingRequest>>,
    resolved: Mutex<Vec<PackageSpec>>,
    published: Mutex<Vec<PublishViewStepsRequest>>,
    refused: Mutex<Vec<PublishViewStepsRequest>>,
}

/// The package whose schema never comes.
pub const SILENT: &str = "silent";

/// The token of calls whose views are taken.
pub const TOKEN: &str = "the-token";

/// The token of calls whose views are taken, but for those that come first.
pub const RELUCTANT: &str = "the-reluctant-token";

/// The token of calls whose views are taken, and which hear nothing of it.
pub const UNHURRIED: &str = "the-unhurried-token";

impl Engine {
    /// A handshake that says where its schemas, mappings and packages are to be had.
    pub fn handshake(&self) -> ProviderHandshakeRequest {
        let [loader_target, mapper_target, resolver_target] = std::array::from_fn(|_| Some(self.address.clone()));
        ProviderHandshakeRequest { loader_target, mapper_target, resolver_target, ..<_>::default() }
    }

    /// Starts one that knows the schemas of some packages.
    pub async fn start(schemas: &[(&str, &[u8])]) -> Self {
        let schemas = schemas.iter().map(|(name, schema)| ((*name).to_owned(), schema.to_vec())).collect();
        let offered = Arc::new(Offered { schemas, ..Offered::default() });
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("there should be a free port");
        let address = listener.local_addr().expect("a listener should have an address").to_string();
        let serving = Server::builder()
            .add_service(LoaderServer::from_arc(Arc::clone(&offered)).max_encoding_message_size(usize::MAX))
            .add_service(MapperServer::from_arc(Arc::clone(&offered)))
            .add_service(PackageResolverServer::from_arc(Arc::clone(&offered)))
            .add_service(ResourceStatusServer::from_arc(Arc::clone(&offered)))
            .serve_with_incoming(TcpIncoming::from(listener));
        let server = tokio::spawn(async move { serving.await.expect("the engine should serve") });
        Self { address, offered, server }
    }

    /// What it was asked for as a loader of schemas.
    pub fn asked(&self) -> Vec<loader::GetSchemaRequest> {
        kept(&self.offered.asked)
    }

    /// What it was asked for as a mapper.
    pub fn mapped(&self) -> Vec<mapper::GetMappingRequest> {
        kept(&self.offered.mapped)
    }

    /// What it was asked for as a resolver of packages.
    pub fn resolved(&self) -> Vec<PackageSpec> {
        kept(&self.offered.resolved)
    }

    /// The steps of views that were published.
    pub fn published(&self) -> Vec<PublishViewStepsRequest> {
        kept(&self.offered.published)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn kept<T: Clone>(kept: &Mutex<Vec<T>>) -> Vec<T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn keep<T>(kept: &Mutex<Vec<T>>, one: T) {
    kept.lock().unwrap_or_else(PoisonError::into_inner).push(one);
}

#[tonic::async_trait]
impl Loader for Offered {
    async fn get_schema(
        &self,
        request: Request<loader::GetSchemaRequest>,
    ) -> Result<Response<loader::GetSchemaResponse>, Status> {
        let request = request.into_inner();
        keep(&self.asked, request.clone());
        if request.package == SILENT {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
        }
        match self.schemas.get(&request.package) {
            Some(schema) => Ok(Response::new(loader::GetSchemaResponse { schema: schema.clone().into() })),
            None => Err(Status::not_found(format!("there is no plugin {}", request.package))),
        }
    }
}

#[tonic::async_trait]
impl Mapper for Offered {
    async fn get_mapping(
        &self,
        request: Request<mapper::GetMappingRequest>,
    ) -> Result<Response<mapper::GetMappingResponse>, Status> {
        let request = request.into_inner();
        keep(&self.mapped, request.clone());
        let data =
            if request.provider == "unmapped" { String::new() } else { format!("mapping of {}", request.provider) };
        Ok(Response::new(mapper::GetMappingResponse { data: data.into() }))
    }
}

/// Packages that it knows the schema of are plugins; with parameters, they are made to be others.
#[tonic::async_trait]
impl PackageResolver for Offered {
    async fn resolve_package(&self, request: Request<PackageSpec>) -> Result<Response<PackageDependency>, Status> {
        let request = request.into_inner();
        keep(&self.resolved, request.clone());
        if !self.schemas.contains_key(&request.source) {
            return Err(Status::unknown(format!("resolving package {:?}: not found", request.source)));
        }
        let made = |name: &String| PackageParameterization {
            name: name.clone(),
            version: "0.1.0".to_owned(),
            // A number is one of so many bytes that are no text.
            value: match request.parameters.get(1).and_then(|length| length.parse().ok()) {
                Some(length) => vec![0xff; length].into(),
                None => request.parameters.join(" ").into_bytes().into(),
            },
        };
        Ok(Response::new(PackageDependency {
            name: request.source.clone(),
            kind: "resource".to_owned(),
            version: if request.version.is_empty() { "2.0.0".to_owned() } else { request.version.clone() },
            server: if request.version.is_empty() { String::new() } else { "https://plugins.example".to_owned() },
            parameterization: request.parameters.first().filter(|name| *name != "more").map(made),
            extension: request.parameters.first().filter(|name| *name == "more").map(made),
            ..PackageDependency::default()
        }))
    }
}

#[tonic::async_trait]
impl ResourceStatus for Offered {
    async fn publish_view_steps(
        &self,
        request: Request<PublishViewStepsRequest>,
    ) -> Result<Response<PublishViewStepsResponse>, Status> {
        let request = request.into_inner();
        if request.token == RELUCTANT && kept(&self.refused).is_empty() {
            keep(&self.refused, request);
            return Err(Status::unknown("publishing view steps: not now"));
        }
        if ![TOKEN, RELUCTANT, UNHURRIED].contains(&request.token.as_str()) {
            return Err(Status::unknown(format!("token {} not found", request.token)));
        }
        let hurries = request.token != UNHURRIED;
        keep(&self.published, request);
        if !hurries {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
        }
        Ok(Response::new(PublishViewStepsResponse::default()))
    }
}
