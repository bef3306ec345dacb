//! From a process called `pulumi-resource-wasm` to a base provider.

use std::sync::Arc;

use super::provider::Base;
use super::route::Route;
use crate::component::Cache;
use crate::plugin::engine_log::EngineLog;
use crate::plugin::error::PluginError;
use crate::plugin::load::Loader;
use crate::plugin::server;
use crate::plugin::shutdown::Starter;

/// The base provider's name. No component's executable can have it.
pub const BASE: &str = "wasm";

/// Serves the base provider until its engine is done with it.
///
/// # Errors
/// No port, or a broken server.
pub async fn provide_base(arguments: &[String], cache: &Cache) -> Result<(), PluginError> {
    let starter = Starter::now(server::engine_address(arguments));
    let base = Arc::new(Base::new(Loader::new(cache), Arc::new(EngineLog::start(starter.engine()))));
    Ok(server::serve(Route::new(Arc::clone(&base)), starter, || base.stop()).await?)
}
