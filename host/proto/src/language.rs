//! `language.proto`: the language host: runs programs and plugins written for one runtime.

pub use crate::generated::pulumirpc::language_runtime_client::LanguageRuntimeClient;
pub use crate::generated::pulumirpc::language_runtime_server::{LanguageRuntime, LanguageRuntimeServer};
pub use crate::generated::pulumirpc::{
    AboutRequest, AboutResponse, DependencyInfo, GeneratePackageRequest, GeneratePackageResponse,
    GenerateProgramRequest, GenerateProgramResponse, GenerateProjectRequest, GenerateProjectResponse,
    GetProgramDependenciesRequest, GetProgramDependenciesResponse, GetRequiredPackagesRequest,
    GetRequiredPackagesResponse, GetRequiredPluginsRequest, GetRequiredPluginsResponse, InstallDependenciesRequest,
    InstallDependenciesResponse, LanguageHandshakeRequest, LanguageHandshakeResponse, LinkRequest, LinkResponse,
    PackRequest, PackResponse, ProgramInfo, RunPluginRequest, RunPluginResponse, RunRequest, RunResponse,
    RuntimeOptionPrompt, RuntimeOptionsRequest, RuntimeOptionsResponse, TemplateRequest, TemplateResponse,
    link_request, run_plugin_response, runtime_option_prompt,
};
