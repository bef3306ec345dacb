//! ReadResource.

use std::collections::BTreeSet;

use bulkhead_proto::resource::{ReadResourceRequest, Result as Ended};
use bulkhead_value::Value;

use super::dependencies::each_depends_on;
use super::operations::Monitor;
use super::refusal::{refusal, went_wrong};
use super::values::{known_id, received, sent, urn};
use crate::provider::{Error, Registered, Registration};

/// Reads a resource that the deployment doesn't manage.
pub(super) async fn read(monitor: &Monitor, registration: Registration, id: String) -> Result<Registered, Error> {
    let doing = format!("read `{}` as a `{}`", registration.name, registration.token);
    let features = &monitor.connection.known().await?.features;
    let package_ref = monitor.connection.package_ref(&registration.token).await?;
    let Registration { token, name, inputs, options, .. } = registration;
    let mut dependencies: BTreeSet<String> = options.depends_on.into_iter().collect();
    dependencies.extend(each_depends_on(&inputs, true).into_values().flatten());
    let properties = sent(&inputs, &features.capabilities(false))
        .map_err(|error| Error { message: format!("{doing}: {}", error.message), ..error })?;
    let request = ReadResourceRequest {
        id: id.clone(),
        r#type: token,
        name,
        parent: options.parent.unwrap_or_default(),
        properties: Some(properties),
        dependencies: dependencies.into_iter().collect(),
        provider: options.provider.unwrap_or_default(),
        version: options.version.unwrap_or_default(),
        plugin_download_url: options.plugin_download_url.unwrap_or_default(),
        package_ref,
        additional_secret_outputs: options.additional_secret_outputs,
        accept_secrets: true,
        accept_resources: true,
        accepts_byte_string: true,
        parent_stack_trace_handle: monitor.trace.clone(),
        ..ReadResourceRequest::default()
    };
    let _turn = monitor.turn().await?;
    let response = monitor.client().read_resource(request).await;
    let response = response.map_err(|status| refusal(&doing, status))?.into_inner();
    let urn = urn(response.urn)?;
    if response.result != Ended::Success as i32 {
        return Err(went_wrong(&doing));
    }
    if response.unknown {
        return Ok(Registered { urn, id: None, state: Value::Unknown });
    }
    // Older engines don't repeat the id.
    let id = known_id(response.id).or_else(|| known_id(id));
    Ok(Registered { urn, id, state: Value::Object(received(response.properties)?) })
}
