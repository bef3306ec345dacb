//! Parameterize: makes the provider that of another package, or adds one to it.

use bulkhead_proto::provider::parameterize_request::Parameters as Given;
use bulkhead_proto::provider::{ParameterizeRequest, ParameterizeResponse};
use tonic::Status;

use super::conversation::Conversation;
use super::status::failed;
use crate::provider::{Parameters, Subpackage};

const DOING: &str = "take the parameter";

pub(super) async fn parameterize(
    conversation: &Conversation,
    request: ParameterizeRequest,
) -> Result<ParameterizeResponse, Status> {
    let parameters = match request.parameters {
        Some(Given::Args(arguments)) => Parameters::Arguments(arguments.args),
        Some(Given::Value(value)) => Parameters::Recorded {
            subpackage: Subpackage { name: value.name, version: value.version },
            bytes: value.value.into(),
        },
        None => return Err(Status::invalid_argument(format!("{DOING}: there are neither arguments nor a value"))),
    };
    let made = conversation.sessions.parameterize(parameters).await.map_err(|error| failed(DOING, error))?;
    Ok(ParameterizeResponse { name: made.name, version: made.version })
}
