//! Invoke, as a program calls it.
//!
//! Functions take neither secrets nor what isn't known. As SDKs do, the former are sent in clear and make the result secret, and
//! for the latter nobody is called: the result isn't known either.

use bulkhead_proto::resource::ResourceInvokeRequest;
use bulkhead_value::wire::encode::Capabilities;
use bulkhead_value::{Output, Value};

use super::operations::Monitor;
use super::refusal::{refusal, rejected};
use super::values::{received, sent};
use crate::provider::{Error, Invocation, depends_on};

/// Calls a function.
pub(super) async fn invoke(monitor: &Monitor, invocation: Invocation) -> Result<Value, Error> {
    let Invocation { token, arguments, mut options } = invocation;
    let doing = format!("call the function `{token}`");
    let features = &monitor.connection.known().await?.features;
    let package_ref = monitor.package(&token, &mut options).await?;
    let secret = arguments.contains_secret();
    let arguments = Value::Object(arguments);
    let mut dependencies = depends_on(&arguments, true);
    dependencies.extend(options.depends_on.iter().cloned());
    let outcome = |value: Option<Value>| match value {
        Some(value) if !secret && dependencies.is_empty() => value,
        value => {
            let dependencies = dependencies.iter().cloned().collect();
            Value::from(Output { value: value.map(Box::new), secret, dependencies })
        }
    };
    let Value::Object(arguments) = arguments else { return Ok(outcome(None)) };
    if arguments.contains_unknown() {
        return Ok(outcome(None));
    }
    let capabilities = Capabilities { secrets: false, unknowns: false, ..features.capabilities(false) };
    let arguments = sent(&arguments, &capabilities)
        .map_err(|error| Error { message: format!("{doing}: {}", error.message), ..error })?;
    let request = ResourceInvokeRequest {
        tok: token,
        args: Some(arguments),
        provider: options.provider.unwrap_or_default(),
        version: options.version.unwrap_or_default(),
        plugin_download_url: options.plugin_download_url.unwrap_or_default(),
        package_ref,
        parent: options.parent.unwrap_or_default(),
        depends_on: options.depends_on,
        accept_resources: true,
        accepts_byte_string: true,
        accept_output_values: true,
        parent_stack_trace_handle: monitor.trace.clone(),
        ..ResourceInvokeRequest::default()
    };
    let _turn = monitor.turn().await?;
    let response = monitor.client().invoke(request).await;
    let response = response.map_err(|status| refusal(&doing, status))?.into_inner();
    if !response.failures.is_empty() {
        return Err(rejected(response.failures));
    }
    if response.unknown {
        return Ok(outcome(None));
    }
    Ok(outcome(Some(Value::Object(received(response.r#return)?))))
}
