//! GetMappings: which providers of another ecosystem there are mappings for.

use bulkhead_proto::provider::{GetMappingsRequest, GetMappingsResponse};
use tonic::Status;

use super::conversation::Conversation;
use super::status::failed;

pub(super) async fn get_mappings(
    conversation: &Conversation,
    request: GetMappingsRequest,
) -> Result<GetMappingsResponse, Status> {
    let providers = conversation.sessions.own().mappings(&request.key).await;
    Ok(GetMappingsResponse { providers: providers.map_err(|error| failed("get the mappings", error))? })
}
