//! From a process called `pulumi-resource-NAME` to a served provider.

use std::sync::Arc;

use super::Plugin;
use crate::component::{Cache, Variables};
use crate::plugin::engine_log::EngineLog;
use crate::plugin::error::PluginError;
use crate::plugin::load::Loader;
use crate::plugin::operator::Operators;
use crate::plugin::server;
use crate::plugin::shutdown::Starter;
use crate::rpc::{EngineLink, Server, Service};

/// Serves a plugin until its engine is done with it.
///
/// # Errors
/// Whatever keeps the provider from being served.
pub async fn run(plugin: &Plugin, arguments: &[String], cache: &Cache) -> Result<(), PluginError> {
    let starter = Starter::now(server::engine_address(arguments));
    let loader = Loader::new(cache);
    let ready =
        loader.load(&plugin.component, Some(&plugin.name), &Operators::of_this_process(), &Variables::Own).await?;
    let link: Arc<dyn EngineLink> = Arc::new(EngineLog::start(starter.engine()));
    let service = Arc::new(Service::new(ready.offer, link));
    let server = Server::new(Arc::clone(&service)).taking(ready.largest_message).audited(ready.auditor);
    Ok(server::serve(server, starter, || service.leave()).await?)
}
