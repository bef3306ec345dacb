//! Invoke, as a program calls it.
//!
//! Functions take neither secrets nor what isn't known. As SDKs do, the former are sent in clear and make the result secret, and
//! for the latter nobody is called: the result isn't known either. Nor may one be called about what isn't there yet, though all that it
//! takes is known: so an engine is told what the arguments depend on, and answers for itself where that isn't there.

use std::collections::BTreeSet;

use bulkhead_proto::resource::ResourceInvokeRequest;
use bulkhead_value::wire::encode::Capabilities;
use bulkhead_value::{Output, Urn, Value};

use super::operations::Monitor;
use super::refusal::{refusal, rejected};
use super::values::{received, sent};
use crate::provider::{Error, Invocation, ResourceOptions, depends_on};

/// Calls a function.
pub(super) async fn invoke(monitor: &Monitor, invocation: Invocation) -> Result<Value, Error> {
    let Invocation { token, arguments, options } = invocation;
    let doing = format!("call the function `{token}`");
    let features = &monitor.connection.known().await?.features;
    let package_ref = monitor.connection.package_ref(&token).await?;
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
    let depends_on = awaited(&dependencies, &options);
    let request = ResourceInvokeRequest {
        tok: token,
        args: Some(arguments),
        provider: options.provider.unwrap_or_default(),
        version: options.version.unwrap_or_default(),
        plugin_download_url: options.plugin_download_url.unwrap_or_default(),
        package_ref,
        parent: options.parent.unwrap_or_default(),
        depends_on,
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
        return Err(rejected(&doing, response.failures));
    }
    if response.unknown {
        return Ok(outcome(None));
    }
    Ok(outcome(Some(Value::Object(received(response.r#return)?))))
}

/// What the engine is to see the result of before it calls. It waits for all that is being registered below that, which what the
/// component itself lies below is until the component is done: the function would wait for itself. So what may lie above is left out.
fn awaited(dependencies: &BTreeSet<String>, options: &ResourceOptions) -> Vec<String> {
    let parent = options.parent.as_deref().and_then(|parent| Urn::parse(parent).ok());
    let may_be_above = |urn: &String| {
        let (Some(parent), Ok(urn)) = (&parent, Urn::parse(urn)) else { return false };
        parent.qualified_type().strip_prefix(urn.qualified_type()).is_some_and(|below| below.starts_with('$'))
    };
    dependencies.iter().filter(|urn| !may_be_above(urn)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_waits_for_what_its_arguments_come_from_and_never_for_its_own_component() {
        let urn = |types: &str, name: &str| format!("urn:pulumi:dev::project::{types}::{name}");
        let [above, outermost, own] = [urn("a:b:C$a:b:D", "d"), urn("a:b:C", "c"), urn("a:b:C$a:b:D$a:b:E", "e")];
        let [below, beside] = [urn("a:b:C$a:b:D$a:b:E$a:b:F", "f"), urn("a:b:Cat", "cat")];
        let all: BTreeSet<String> = [&above, &outermost, &own, &below, &beside].into_iter().cloned().collect();
        let within = ResourceOptions { parent: Some(own.clone()), ..ResourceOptions::default() };
        assert_eq!(BTreeSet::from_iter(awaited(&all, &within)), BTreeSet::from([own, below, beside]));
        assert_eq!(awaited(&all, &ResourceOptions::default()), Vec::from_iter(all.clone()));
    }
}
