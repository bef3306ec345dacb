//! The language host's protocol: what engines ask of one that runs plugins. Programs in WebAssembly there are none.

use std::path::Path;

use bulkhead_proto::language as pb;
use bulkhead_proto::language::LanguageRuntime;
use bulkhead_proto::plugin::PluginInfo;
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status};

use super::directory::DirectoryError;
use super::host::Host;
use super::plugin;
use crate::component::Variables;
use crate::plugin::error::PluginError;
use crate::plugin::server::engine_address;
use crate::provider::shortened;

type Reply<T> = Result<Response<T>, Status>;

/// The kind of plugin that components are.
const KIND: &str = "resource";
/// Characters of another kind that are told.
const LONGEST_KIND: usize = 256;

fn no_programs<T>(doing: &str) -> Reply<T> {
    Err(Status::unimplemented(format!(
        "{doing}: the runtime `wasm` runs providers, not programs\n\
         hint: name it in the PulumiPlugin.yaml of a provider; write programs in another language"
    )))
}

#[tonic::async_trait]
impl LanguageRuntime for Host {
    async fn handshake(&self, _request: Request<pb::LanguageHandshakeRequest>) -> Reply<pb::LanguageHandshakeResponse> {
        Ok(Response::new(pb::LanguageHandshakeResponse {}))
    }

    async fn get_plugin_info(&self, _request: Request<()>) -> Reply<PluginInfo> {
        Ok(Response::new(PluginInfo { version: env!("CARGO_PKG_VERSION").to_owned() }))
    }

    async fn run_plugin(&self, request: Request<pb::RunPluginRequest>) -> Reply<BoxStream<pb::RunPluginResponse>> {
        let request = request.into_inner();
        if request.kind != KIND {
            return Err(Status::unimplemented(format!(
                "run the plugin: components are plugins of the kind `{KIND}`, not `{}`",
                shortened(request.kind, LONGEST_KIND)
            )));
        }
        let directory = Path::new(&request.pwd);
        let offer = self.offer(request.info.as_ref(), directory, Variables::given(&request.env)).await;
        let engine = engine_address(&request.args);
        let (leaving, served) = (self.leaving.clone(), self.served.subscribe());
        let started = plugin::start(offer, engine, directory.to_owned(), leaving, served);
        let written = started.map_err(|error| Status::from(&PluginError::Serve(error)))?;
        Ok(Response::new(Box::pin(written)))
    }

    /// There is nothing to install. What is there already is compiled, so that the first use needn't.
    async fn install_dependencies(
        &self,
        request: Request<pb::InstallDependenciesRequest>,
    ) -> Reply<BoxStream<pb::InstallDependenciesResponse>> {
        let request = request.into_inner();
        if !request.is_plugin {
            return no_programs("install what the program needs");
        }
        match self.prepare(request.info.as_ref()).await {
            // It may not be built yet.
            Ok(()) | Err(PluginError::Directory(DirectoryError::None { .. })) => {}
            Err(error) => return Err(Status::from(&error)),
        }
        Ok(Response::new(Box::pin(tokio_stream::empty())))
    }

    async fn get_required_packages(
        &self,
        _request: Request<pb::GetRequiredPackagesRequest>,
    ) -> Reply<pb::GetRequiredPackagesResponse> {
        Ok(Response::new(pb::GetRequiredPackagesResponse::default()))
    }

    async fn get_required_plugins(
        &self,
        _request: Request<pb::GetRequiredPluginsRequest>,
    ) -> Reply<pb::GetRequiredPluginsResponse> {
        Ok(Response::new(pb::GetRequiredPluginsResponse::default()))
    }

    async fn get_program_dependencies(
        &self,
        _request: Request<pb::GetProgramDependenciesRequest>,
    ) -> Reply<pb::GetProgramDependenciesResponse> {
        Ok(Response::new(pb::GetProgramDependenciesResponse::default()))
    }

    async fn about(&self, _request: Request<pb::AboutRequest>) -> Reply<pb::AboutResponse> {
        let executable = std::env::current_exe().unwrap_or_default().to_string_lossy().into_owned();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Response::new(pb::AboutResponse { executable, version, ..<_>::default() }))
    }

    /// Cancelling is for each provider by itself, over its own connection.
    async fn cancel(&self, _request: Request<()>) -> Reply<()> {
        Ok(Response::new(()))
    }

    async fn run(&self, _request: Request<pb::RunRequest>) -> Reply<pb::RunResponse> {
        no_programs("run the program")
    }

    async fn generate_program(
        &self,
        _request: Request<pb::GenerateProgramRequest>,
    ) -> Reply<pb::GenerateProgramResponse> {
        no_programs("generate a program")
    }

    async fn generate_project(
        &self,
        _request: Request<pb::GenerateProjectRequest>,
    ) -> Reply<pb::GenerateProjectResponse> {
        no_programs("generate a project")
    }

    async fn generate_package(
        &self,
        _request: Request<pb::GeneratePackageRequest>,
    ) -> Reply<pb::GeneratePackageResponse> {
        no_programs("generate an SDK")
    }

    async fn pack(&self, _request: Request<pb::PackRequest>) -> Reply<pb::PackResponse> {
        no_programs("pack an SDK")
    }

    async fn link(&self, _request: Request<pb::LinkRequest>) -> Reply<pb::LinkResponse> {
        no_programs("link packages")
    }

    async fn template(&self, _request: Request<pb::TemplateRequest>) -> Reply<pb::TemplateResponse> {
        no_programs("complete a new project")
    }

    async fn runtime_options_prompts(
        &self,
        _request: Request<pb::RuntimeOptionsRequest>,
    ) -> Reply<pb::RuntimeOptionsResponse> {
        Ok(Response::new(pb::RuntimeOptionsResponse::default()))
    }
}
