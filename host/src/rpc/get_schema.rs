//! GetSchema: the package schema's text, of the provider's package or of a sub-package, before any configuration.

use bulkhead_proto::provider::{GetSchemaRequest, GetSchemaResponse};
use tonic::Status;

use super::conversation::Conversation;
use super::status::failed;

pub(super) fn get_schema(conversation: &Conversation, request: &GetSchemaRequest) -> Result<GetSchemaResponse, Status> {
    if request.version != 0 {
        return Err(Status::invalid_argument(format!(
            "get the schema: schema format {} isn't known, only 0 is",
            request.version
        )));
    }
    let schema = conversation.sessions.schema(&request.subpackage_name, &request.subpackage_version);
    let schema = schema.map_err(|error| failed("get the schema", error))?;
    Ok(GetSchemaResponse { schema: String::from_utf8_lossy(&schema).into_owned() })
}
