//! From a process called `pulumi-resource-NAME` to a served provider.

use std::sync::Arc;

use super::Plugin;
use crate::component::{Cache, Variables};
use crate::plugin::engine_log::EngineLog;
use crate::plugin::error::PluginError;
use crate::plugin::load::{Loader, Ready};
use crate::plugin::operator::Operators;
use crate::plugin::refusal::Refusal;
use crate::plugin::server;
use crate::plugin::shutdown::Starter;
use crate::rpc::{EngineLink, Server, Service};

/// Serves a plugin, if there is one, until its engine is done with it, if only by telling it why it can't be served.
///
/// # Errors
/// Whatever keeps the provider from being served, where there is no engine to be told, and a broken server.
pub async fn run(plugin: Result<Plugin, PluginError>, arguments: &[String], cache: &Cache) -> Result<(), PluginError> {
    let starter = Starter::now(server::engine_address(arguments));
    let component = plugin.as_ref().ok().map(|plugin| plugin.component.clone());
    let ready = match loaded(plugin, cache).await {
        Err(error) if starter.engine().is_some() => {
            let refusal = Refusal::of(&error, component.as_deref(), cache);
            return Ok(server::serve(refusal, starter, || std::future::ready(())).await?);
        }
        loaded => loaded?,
    };
    let link: Arc<dyn EngineLink> = Arc::new(EngineLog::start(starter.engine()));
    let service = Arc::new(Service::new(ready.offer, link));
    let server = Server::new(Arc::clone(&service)).taking(ready.largest_message).audited(ready.auditor);
    Ok(server::serve(server, starter, || service.leave()).await?)
}

async fn loaded(plugin: Result<Plugin, PluginError>, cache: &Cache) -> Result<Ready, PluginError> {
    let (plugin, loader) = (plugin?, Loader::new(cache));
    loader.load(&plugin.component, Some(&plugin.name), &Operators::of_this_process(), &Variables::Own).await
}
