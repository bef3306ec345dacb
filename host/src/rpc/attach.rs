//! Attach: the engine's address, for a provider that the engine didn't start.

use bulkhead_proto::plugin::PluginAttach;
use tonic::Status;

use super::conversation::Current;

pub(super) fn attach(current: &Current, request: &PluginAttach) -> Result<(), Status> {
    if request.address.is_empty() {
        return Err(Status::invalid_argument("attach to an engine: its address is empty"));
    }
    current.link().connect(&request.address);
    Ok(())
}
