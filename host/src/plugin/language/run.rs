//! From a process called `pulumi-language-wasm` to a language host.

use std::ffi::OsStr;
use std::path::Path;

use bulkhead_proto::language::LanguageRuntimeServer;

use super::host::Host;
use crate::component::Cache;
use crate::plugin::error::PluginError;
use crate::plugin::server;
use crate::plugin::shutdown::Starter;
use crate::rpc::{LARGEST_MESSAGE, Own};

/// Whether this is what the language host is called.
pub fn is_language_host(argument0: &OsStr) -> bool {
    Path::new(argument0).file_stem().is_some_and(|name| name == "pulumi-language-wasm")
}

/// Runs plugins for an engine until it is done with all of them.
///
/// # Errors
/// No port, or a broken server.
pub async fn host_language(arguments: &[String], cache: &Cache) -> Result<(), PluginError> {
    let starter = Starter::now(server::engine_address(arguments));
    let host = Host::new(cache);
    let (leaving, served) = (host.leaving.clone(), host.served.clone());
    let server = LanguageRuntimeServer::new(host).max_decoding_message_size(LARGEST_MESSAGE);
    let stop = || {
        leaving.cancel();
        async move { served.closed().await }
    };
    Ok(server::serve(Own(server), starter, stop).await?)
}
