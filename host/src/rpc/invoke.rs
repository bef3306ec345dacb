//! Invoke.

use std::collections::BTreeSet;

use bulkhead_proto::provider::{InvokeRequest, InvokeResponse};
use bulkhead_value::wire::encode::Capabilities;
use bulkhead_value::{Object, Output, Value};
use tonic::Status;

use super::check::failures;
use super::conversation::Conversation;
use super::internal_keys::hidden;
use super::properties::{encoded, required};
use super::status::failed;
use crate::provider::Error;

const DOING: &str = "call the function";

pub(super) async fn invoke(conversation: &Conversation, request: InvokeRequest) -> Result<InvokeResponse, Status> {
    let mut arguments = hidden(required(request.args, "args")?);
    let engine = conversation.engine();
    let dependencies = arguments.settle();
    let answer = conversation.session.invoke(&request.tok, &arguments, request.preview).await;
    match answer.map_err(|error| failed(DOING, error))? {
        Err(rejected) => Ok(InvokeResponse { r#return: None, failures: failures(rejected) }),
        Ok(Value::Object(result)) => {
            let accepts = Capabilities { outputs: engine.outputs_in_invoke, ..engine.accepts };
            let result = encoded(&depending(result, dependencies), &accepts)?;
            Ok(InvokeResponse { r#return: Some(result), failures: Vec::new() })
        }
        Ok(_) => Err(failed(DOING, Error::provider_bug("the function returned something that isn't an object"))),
    }
}

/// The result, of which every part depends on what the arguments depend on: functions don't say more.
fn depending(result: Object, dependencies: BTreeSet<String>) -> Object {
    if dependencies.is_empty() {
        return result;
    }
    let depending = |value: Value| {
        let (secret, value) = (matches!(value, Value::Secret(_)), value.into_plain());
        let dependencies = dependencies.iter().cloned().collect();
        Value::from(Output { value: Some(Box::new(value)), secret, dependencies })
    };
    result.into_map().into_iter().map(|(name, value)| (name, depending(value))).collect()
}
