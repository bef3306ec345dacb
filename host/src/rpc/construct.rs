//! Construct.

use std::sync::Arc;

use bulkhead_proto::provider::construct_response::PropertyDependencies;
use bulkhead_proto::provider::{ConstructRequest, ConstructResponse};
use bulkhead_value::wire::decode;
use bulkhead_value::wire::encode::Capabilities;
use bulkhead_value::{Bounds, Object};
use tonic::Status;

use super::conversation::Conversation;
use super::monitor::{Monitor, alias_of, config, hooks_of, parallel, timeouts_of};
use super::properties::{encoded, required};
use super::status::{failed, rejected};
use crate::provider::{self, Dependencies, Error, ErrorKind, ResourceOptions, Surroundings, depends_on};

const DOING: &str = "construct the component";

pub(super) async fn construct(
    conversation: &Conversation,
    mut request: ConstructRequest,
) -> Result<ConstructResponse, Status> {
    let session = conversation.sessions.settled(&request.r#type).await;
    session.guest_has_components().map_err(|error| failed(DOING, error))?;
    let inputs = session.marked_inputs(&request.r#type, required(request.inputs.take(), "inputs")?);
    let said = Surroundings {
        organization: std::mem::take(&mut request.organization),
        project: std::mem::take(&mut request.project),
        stack: std::mem::take(&mut request.stack),
        preview: request.dry_run,
        parallel: parallel(request.parallel),
        config: config(std::mem::take(&mut request.config), &request.config_secret_keys),
    };
    let trace = std::mem::take(&mut request.stack_trace_handle);
    let monitor = Monitor::new(&conversation.monitors, &request.monitor_endpoint, trace, said)
        .map_err(|error| failed(DOING, error))?;
    let accepts_outputs = request.accepts_output_values;
    let asked = asked(request, inputs)?;
    let constructed = match session.construct(&asked, Arc::new(monitor)).await {
        Ok(constructed) => constructed,
        Err(Error { kind: ErrorKind::Rejected(failures), .. }) => {
            return Err(rejected(DOING, failures, &asked.inputs));
        }
        Err(error) => return Err(failed(DOING, error)),
    };
    let dependencies = told(&constructed.state, constructed.dependencies, accepts_outputs);
    let capabilities = Capabilities { outputs: accepts_outputs, ..conversation.capabilities() };
    Ok(ConstructResponse {
        urn: constructed.urn,
        state: Some(encoded(&constructed.state, &capabilities).map_err(|error| failed(DOING, error))?),
        state_dependencies: dependencies
            .into_iter()
            .map(|(name, urns)| (name, PropertyDependencies { urns }))
            .collect(),
    })
}

/// What results depend on, in the words of a caller that takes no outputs, or of one to whom outputs say it themselves.
pub(super) fn told(result: &Object, said: Dependencies, outputs: bool) -> Dependencies {
    let mut dependencies = said;
    dependencies.retain(|name, _| result.contains_key(name));
    if !outputs {
        for (name, value) in result {
            dependencies.entry(name.clone()).or_default().extend(depends_on(value, true));
        }
    }
    for urns in dependencies.values_mut() {
        urns.sort_unstable();
        urns.dedup();
    }
    dependencies
}

fn asked(request: ConstructRequest, inputs: Object) -> Result<provider::ConstructRequest, Status> {
    if request.name.is_empty() {
        return Err(Status::invalid_argument("the component has no name"));
    }
    let trigger = request.replacement_trigger.as_ref().map(|trigger| {
        decode::value(trigger.as_bytes(), &Bounds::default())
            .map_err(|error| Status::invalid_argument(format!("decode the replacement trigger: {error}")))
    });
    let custom_timeouts = request.custom_timeouts.map(timeouts_of);
    if let Some(timeouts) = &custom_timeouts {
        timeouts.check().map_err(|error| failed(DOING, error))?;
    }
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    Ok(provider::ConstructRequest {
        token: request.r#type,
        name: request.name,
        inputs,
        dependencies: request.input_dependencies.into_iter().map(|(name, of)| (name, of.urns)).collect(),
        preview: request.dry_run,
        options: ResourceOptions {
            parent: some(request.parent),
            depends_on: request.dependencies,
            protect: request.protect,
            providers: request.providers.into_iter().collect(),
            aliases: request.aliases.into_iter().filter_map(alias_of).collect(),
            ignore_changes: request.ignore_changes,
            replace_on_changes: request.replace_on_changes,
            additional_secret_outputs: request.additional_secret_outputs,
            delete_before_replace: request.delete_before_replace,
            custom_timeouts,
            retain_on_delete: request.retain_on_delete,
            deleted_with: some(request.deleted_with),
            replace_with: request.replace_with,
            hooks: request.resource_hooks.map(hooks_of),
            replacement_trigger: trigger.transpose()?.filter(|trigger| !trigger.is_null()),
            ..ResourceOptions::default()
        },
    })
}
