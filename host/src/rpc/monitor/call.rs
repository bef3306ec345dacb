//! Call, as a program calls it.

use bulkhead_proto::resource::{ResourceCallRequest, resource_call_request::ArgumentDependencies};
use bulkhead_value::Value;

use super::dependencies::{each_depends_on, with_dependencies};
use super::operations::Monitor;
use super::refusal::{refusal, rejected};
use super::values::{received, sent};
use crate::provider::{Dependencies, Error, Invocation, owner_of};

/// Calls a method.
pub(super) async fn call(monitor: &Monitor, invocation: Invocation) -> Result<Value, Error> {
    let Invocation { token, arguments, options } = invocation;
    let doing = format!("call the method `{token}`");
    let features = &monitor.connection.known().await?.features;
    let package_ref = monitor.connection.package_ref(owner_of(&token)).await?;
    let capabilities = features.capabilities(true);
    let dependencies = each_depends_on(&arguments, !capabilities.resources);
    let arguments = sent(&arguments, &capabilities)
        .map_err(|error| Error { message: format!("{doing}: {}", error.message), ..error })?;
    let request = ResourceCallRequest {
        tok: token,
        args: Some(arguments),
        arg_dependencies: dependencies.into_iter().map(|(name, urns)| (name, ArgumentDependencies { urns })).collect(),
        provider: options.provider.unwrap_or_default(),
        version: options.version.unwrap_or_default(),
        plugin_download_url: options.plugin_download_url.unwrap_or_default(),
        package_ref,
        accepts_byte_string: true,
        accept_output_values: true,
        parent_stack_trace_handle: monitor.trace.clone(),
        ..ResourceCallRequest::default()
    };
    let _turn = monitor.turn().await?;
    let response = monitor.client().call(request).await;
    let response = response.map_err(|status| refusal(&doing, status))?.into_inner();
    if !response.failures.is_empty() {
        return Err(rejected(&doing, response.failures));
    }
    let dependencies: Dependencies =
        response.return_dependencies.into_iter().map(|(name, of)| (name, of.urns)).collect();
    Ok(Value::Object(with_dependencies(received(response.r#return)?, dependencies)))
}
