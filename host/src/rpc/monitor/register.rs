//! RegisterResource.

use std::collections::{BTreeMap, BTreeSet};

use bulkhead_proto::resource::{
    RegisterResourceRequest, RegisterResourceResponse, ResourceMonitorFeature as Feature, Result as Ended,
    register_resource_request::PropertyDependencies,
};
use bulkhead_value::Value;

use super::dependencies::{each_depends_on, with_dependencies};
use super::features::Features;
use super::operations::Monitor;
use super::options::{alias, hooks, supported, timeouts};
use super::refusal::{refusal, went_wrong};
use super::values::{known_id, received, sent, sent_value, urn};
use crate::provider::{Alias, Dependencies, Error, Registered, Registration, depends_on};

/// Registers a resource, and waits for the engine to be done with it.
pub(super) async fn register(monitor: &Monitor, registration: Registration) -> Result<Registered, Error> {
    let doing = format!("register `{}` as a `{}`", registration.name, registration.token);
    let features = &monitor.connection.known().await?.features;
    let package_ref = monitor.connection.package_ref(&registration.token).await?;
    let request = request(registration, features, monitor.trace.clone())
        .map_err(|error| Error { message: format!("{doing}: {}", error.message), ..error })?;
    let request = RegisterResourceRequest { package_ref, ..request };
    let _turn = monitor.turn().await?;
    let response = monitor.client().register_resource(request).await;
    registered(&doing, response.map_err(|status| refusal(&doing, status))?.into_inner())
}

/// What an SDK would send.
fn request(registration: Registration, features: &Features, trace: String) -> Result<RegisterResourceRequest, Error> {
    let Registration { token, name, custom, remote, inputs, options } = registration;
    supported(&options, features)?;
    if let Some(timeouts) = &options.custom_timeouts {
        timeouts.check()?;
    }
    // Whoever constructs a component elsewhere is told of outputs as such, and follows references itself.
    let capabilities = features.capabilities(remote);
    let property_dependencies = each_depends_on(&inputs, !(remote && capabilities.resources));
    let mut dependencies: BTreeSet<String> = options.depends_on.into_iter().collect();
    dependencies.extend(property_dependencies.values().flatten().cloned());
    let mut replacement_trigger = None;
    if let Some(trigger) = options.replacement_trigger.filter(|trigger| !trigger.is_null()) {
        dependencies.extend(depends_on(&trigger, true));
        replacement_trigger = Some(sent_value(&trigger, &capabilities)?);
    }
    let (aliases, alias_urns) = match features.has(Feature::AliasSpecs) {
        true => (options.aliases.into_iter().map(alias).collect(), Vec::new()),
        false => (Vec::new(), options.aliases.into_iter().filter_map(whole).collect()),
    };
    Ok(RegisterResourceRequest {
        object: Some(sent(&inputs, &capabilities)?),
        r#type: token,
        name,
        custom,
        remote,
        parent: options.parent.unwrap_or_default(),
        protect: options.protect,
        dependencies: dependencies.into_iter().collect(),
        property_dependencies: property_dependencies
            .into_iter()
            .map(|(name, urns)| (name, PropertyDependencies { urns }))
            .collect(),
        provider: options.provider.unwrap_or_default(),
        providers: options.providers.into_iter().collect::<BTreeMap<_, _>>(),
        delete_before_replace: options.delete_before_replace.unwrap_or_default(),
        delete_before_replace_defined: options.delete_before_replace.is_some(),
        version: options.version.unwrap_or_default(),
        plugin_download_url: options.plugin_download_url.unwrap_or_default(),
        ignore_changes: options.ignore_changes,
        replace_on_changes: options.replace_on_changes,
        additional_secret_outputs: options.additional_secret_outputs,
        hide_diffs: options.hide_diffs,
        import_id: options.import_id.unwrap_or_default(),
        custom_timeouts: options.custom_timeouts.map(timeouts),
        retain_on_delete: options.retain_on_delete,
        deleted_with: options.deleted_with.unwrap_or_default(),
        replace_with: options.replace_with,
        replacement_trigger,
        hooks: options.hooks.map(hooks),
        aliases,
        alias_ur_ns: alias_urns,
        alias_specs: true,
        accept_secrets: true,
        accept_resources: true,
        accepts_byte_string: true,
        supports_partial_values: true,
        supports_result_reporting: true,
        parent_stack_trace_handle: trace,
        ..RegisterResourceRequest::default()
    })
}

fn whole(alias: Alias) -> Option<String> {
    match alias {
        Alias::Urn(urn) => Some(urn),
        Alias::Parts(_) => None,
    }
}

fn registered(doing: &str, response: RegisterResourceResponse) -> Result<Registered, Error> {
    let urn = urn(response.urn)?;
    if response.result != Ended::Success as i32 {
        return Err(went_wrong(doing));
    }
    let id = known_id(response.id);
    if response.unknown {
        return Ok(Registered { urn, id, state: Value::Unknown });
    }
    let dependencies: Dependencies =
        response.property_dependencies.into_iter().map(|(name, property)| (name, property.urns)).collect();
    let state = with_dependencies(received(response.object)?, dependencies);
    Ok(Registered { urn, id, state: Value::Object(state) })
}
