//! Handshake: the first call of a newer engine, with its address and what it can do. Repeated, it starts all over.

use std::sync::Arc;

use bulkhead_proto::provider::{ProviderHandshakeRequest, ProviderHandshakeResponse};
use tonic::Status;

use super::conversation::{Current, Engine};
use super::packages::Services;

pub(super) fn handshake(
    current: &Current,
    request: ProviderHandshakeRequest,
) -> Result<ProviderHandshakeResponse, Status> {
    if !request.engine_address.is_empty() {
        current.link().connect(&request.engine_address);
    }
    current.restart(Engine::of(&request), Arc::new(Services::of(&request)));
    Ok(answer(&request))
}

/// What this host says of itself to an engine, whichever provider it serves.
pub fn answer(request: &ProviderHandshakeRequest) -> ProviderHandshakeResponse {
    let engine = Engine::of(request);
    ProviderHandshakeResponse {
        accept_secrets: true,
        accept_resources: true,
        supports_autonaming_configuration: true,
        accepts_byte_string: true,
        accepts_outputs_in_check: engine.outputs_in_check,
        accepts_outputs_in_invoke: engine.outputs_in_invoke,
        // They have a meaning in Construct and Call only, which are there if the component exports them.
        accept_outputs: true,
        accepts_outputs_in_call: true,
    }
}
