//! Other packages' descriptions, from the services that an engine names in its Handshake.

use async_trait::async_trait;
use bulkhead_proto::loader::{GetSchemaRequest, LoaderClient, Parameterization};
use bulkhead_proto::mapper::{GetMappingRequest, MapperClient};
use bulkhead_proto::plugin;
use bulkhead_proto::plugin::PackageResolverClient;
use bulkhead_proto::provider::ProviderHandshakeRequest;
use tonic::{Code, Status};

use super::engine_service::EngineService;
use crate::provider::{
    Error, ErrorKind, PackageParameter, PackageReference, PackageSource, PackageSpec, ResolvedPackage,
};

/// The largest answer that is taken, bytes: as much as a component may be given of a description (`store/limits.rs`), and some for what
/// is around it. The largest schemas published have some 50 MB.
const LARGEST: usize = 65 << 20;

/// The services of one engine.
#[derive(Debug)]
pub(super) struct Services {
    loader: Option<EngineService>,
    mapper: Option<EngineService>,
    resolver: Option<EngineService>,
}

impl Services {
    /// Those that a Handshake names.
    pub(super) fn of(handshake: &ProviderHandshakeRequest) -> Self {
        Self {
            loader: handshake.loader_target.as_deref().and_then(EngineService::at),
            mapper: handshake.mapper_target.as_deref().and_then(EngineService::at),
            resolver: handshake.resolver_target.as_deref().and_then(EngineService::at),
        }
    }
}

#[async_trait]
impl PackageSource for Services {
    async fn schema(&self, package: &PackageReference, parameter: Option<&PackageParameter>) -> Result<Vec<u8>, Error> {
        let loader = self.loader.as_ref().ok_or_else(|| absent("schemas of other packages"))?;
        let mut loader = LoaderClient::new(loader.channel()).max_decoding_message_size(LARGEST);
        let request = GetSchemaRequest {
            package: package.name.clone(),
            version: package.version.clone().unwrap_or_default(),
            parameterization: parameter.map(|parameter| Parameterization {
                name: parameter.name.clone(),
                version: parameter.version.clone(),
                value: parameter.value.clone().into(),
            }),
            ..GetSchemaRequest::default()
        };
        let answer = loader.get_schema(request).await;
        answer.map(|answer| answer.into_inner().schema.into()).map_err(|status| refused("the schema", &status))
    }

    async fn mapping(&self, provider: &str, package: Option<&PackageReference>) -> Result<Vec<u8>, Error> {
        let mapper = self.mapper.as_ref().ok_or_else(|| absent("mappings of other providers"))?;
        let mut mapper = MapperClient::new(mapper.channel()).max_decoding_message_size(LARGEST);
        let request = GetMappingRequest {
            provider: provider.to_owned(),
            pulumi_provider: package.map(|package| package.name.clone()).unwrap_or_default(),
            ..GetMappingRequest::default()
        };
        let answer = mapper.get_mapping(request).await;
        answer.map(|answer| answer.into_inner().data.to_vec()).map_err(|status| refused("the mapping", &status))
    }

    async fn resolved(&self, spec: &PackageSpec) -> Result<ResolvedPackage, Error> {
        let resolver = self.resolver.as_ref().ok_or_else(|| absent("resolution of packages"))?;
        let mut resolver = PackageResolverClient::new(resolver.channel()).max_decoding_message_size(LARGEST);
        let request = plugin::PackageSpec {
            source: spec.source.clone(),
            version: spec.version.clone().unwrap_or_default(),
            parameters: spec.parameters.clone(),
            ..plugin::PackageSpec::default()
        };
        let answer = resolver.resolve_package(request).await.map_err(|status| refused("the package", &status))?;
        let found = answer.into_inner();
        let parameter = |parameter: plugin::PackageParameterization| PackageParameter {
            name: parameter.name,
            version: parameter.version,
            value: parameter.value.to_vec(),
        };
        Ok(ResolvedPackage {
            name: found.name,
            kind: found.kind,
            version: found.version,
            download_url: Some(found.server).filter(|server| !server.is_empty()),
            replacement: found.parameterization.map(parameter),
            extension: found.extension.map(parameter),
        })
    }
}

fn absent(what: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("the engine offers no {what}"))
        .hint("run the provider under a newer engine, or without attaching to it")
}

fn refused(what: &str, status: &Status) -> Error {
    let kind = match status.code() {
        Code::NotFound => ErrorKind::NotFound,
        Code::Unimplemented => ErrorKind::Unsupported,
        Code::OutOfRange | Code::ResourceExhausted => ErrorKind::Exhausted,
        _ => ErrorKind::Failed,
    };
    Error::new(kind, format!("the engine can't give {what}: {}", status.message()))
}
