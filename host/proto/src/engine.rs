//! `engine.proto`: what a plugin may ask of the engine that started it: chiefly to log.

pub use crate::generated::pulumirpc::engine_client::EngineClient;
pub use crate::generated::pulumirpc::engine_server::{Engine, EngineServer};
pub use crate::generated::pulumirpc::{
    GetRootResourceRequest, GetRootResourceResponse, LogRequest, LogSeverity, RequirePulumiVersionRequest,
    RequirePulumiVersionResponse, SetRootResourceRequest, SetRootResourceResponse, StartDebuggingRequest,
};
