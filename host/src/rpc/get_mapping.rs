//! GetMapping: how names of another ecosystem map to this package's. No mapping is an empty answer, not an error.

use bulkhead_proto::provider::{GetMappingRequest, GetMappingResponse};
use tonic::Status;

use super::conversation::Conversation;
use super::status::failed;

pub(super) async fn get_mapping(
    conversation: &Conversation,
    request: GetMappingRequest,
) -> Result<GetMappingResponse, Status> {
    // Engines of before GetMappings name no provider, and mean the primary one.
    let provider = Some(request.provider.as_str()).filter(|provider| !provider.is_empty());
    let mapping = conversation.sessions.own().mapping(&request.key, provider).await;
    let mapping = mapping.map_err(|error| failed("get the mapping", error))?;
    Ok(mapping.map_or_else(GetMappingResponse::default, |mapping| GetMappingResponse {
        provider: mapping.provider,
        data: mapping.data.into(),
    }))
}
