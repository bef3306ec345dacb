//! Invoke.

use bulkhead_proto::provider::{InvokeRequest, InvokeResponse};
use bulkhead_value::Value;
use tonic::Status;

use super::check::failures;
use super::conversation::Conversation;
use super::internal_keys::hidden;
use super::properties::{encoded, required};
use super::status::failed;
use crate::provider::Error;

const DOING: &str = "call the function";

pub(super) async fn invoke(conversation: &Conversation, request: InvokeRequest) -> Result<InvokeResponse, Status> {
    let arguments = hidden(required(request.args, "args")?);
    let answer = conversation.session.invoke(&request.tok, &arguments, request.preview).await;
    match answer.map_err(|error| failed(DOING, error))? {
        Err(rejected) => Ok(InvokeResponse { r#return: None, failures: failures(rejected) }),
        Ok(Value::Object(result)) => {
            let result = encoded(&result, &conversation.capabilities())?;
            Ok(InvokeResponse { r#return: Some(result), failures: Vec::new() })
        }
        Ok(_) => Err(failed(DOING, Error::provider_bug("the function returned something that isn't an object"))),
    }
}
