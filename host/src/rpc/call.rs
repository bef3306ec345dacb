//! Call: a method, which may use the engine as a component may.

use std::sync::Arc;

use bulkhead_proto::provider::call_response::ReturnDependencies;
use bulkhead_proto::provider::{CallRequest, CallResponse};
use bulkhead_value::wire::encode::Capabilities;
use tonic::Status;

use super::check::failures;
use super::construct::told;
use super::conversation::Conversation;
use super::monitor::{Monitor, config, parallel};
use super::properties::{encoded, required};
use super::status::failed;
use crate::provider::{MethodRequest, Surroundings};

const DOING: &str = "call the method";

pub(super) async fn call(conversation: &Conversation, request: CallRequest) -> Result<CallResponse, Status> {
    let session = conversation.sessions.settled(&request.tok).await;
    session.guest_has_components().map_err(|error| failed(DOING, error))?;
    let said = Surroundings {
        organization: request.organization,
        project: request.project,
        stack: request.stack,
        preview: request.dry_run,
        parallel: parallel(request.parallel),
        config: config(request.config, &request.config_secret_keys),
    };
    let monitor = Monitor::new(&conversation.monitors, &request.monitor_endpoint, request.stack_trace_handle, said)
        .map_err(|error| failed(DOING, error))?;
    let asked = MethodRequest {
        arguments: session.marked_arguments(&request.tok, required(request.args, "args")?),
        token: request.tok,
        dependencies: request.arg_dependencies.into_iter().map(|(name, of)| (name, of.urns)).collect(),
        preview: request.dry_run,
    };
    let answer = session.call_method(&asked, Arc::new(monitor)).await;
    let called = match answer.map_err(|error| failed(DOING, error))? {
        Ok(called) => called,
        Err(rejected) => return Ok(CallResponse { failures: failures(rejected), ..CallResponse::default() }),
    };
    let dependencies = told(&called.value, called.dependencies, request.accepts_output_values);
    let capabilities = Capabilities { outputs: request.accepts_output_values, ..conversation.capabilities() };
    Ok(CallResponse {
        r#return: Some(encoded(&called.value, &capabilities).map_err(|error| failed(DOING, error))?),
        failures: Vec::new(),
        return_dependencies: dependencies.into_iter().map(|(name, urns)| (name, ReturnDependencies { urns })).collect(),
    })
}
