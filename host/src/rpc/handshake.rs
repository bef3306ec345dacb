//! Handshake: the first call of a newer engine, with its address and what it can do. Repeated, it starts all over.

use bulkhead_proto::provider::{ProviderHandshakeRequest, ProviderHandshakeResponse};
use tonic::Status;

use super::conversation::Current;

pub(super) fn handshake(
    current: &Current,
    request: ProviderHandshakeRequest,
) -> Result<ProviderHandshakeResponse, Status> {
    if !request.engine_address.is_empty() {
        current.link().connect(&request.engine_address);
    }
    current.restart(request.accepts_byte_string);
    Ok(ProviderHandshakeResponse {
        accept_secrets: true,
        accept_resources: true,
        supports_autonaming_configuration: true,
        accepts_byte_string: true,
        // Outputs have a meaning in Construct and Call only.
        ..ProviderHandshakeResponse::default()
    })
}
