//! RegisterResourceOutputs.

use bulkhead_proto::resource::RegisterResourceOutputsRequest;
use bulkhead_value::Object;

use super::operations::Monitor;
use super::refusal::refusal;
use super::values::sent;
use crate::provider::{Error, ErrorKind};

/// Finishes a component with its outputs.
pub(super) async fn register_outputs(monitor: &Monitor, urn: String, outputs: Object) -> Result<(), Error> {
    const DOING: &str = "register the component's outputs";
    if urn.is_empty() {
        return Err(Error::new(ErrorKind::ProviderBug, format!("{DOING}: there is no URN")));
    }
    let features = &monitor.connection.known().await?.features;
    let outputs = sent(&outputs, &features.capabilities(false))
        .map_err(|error| Error { message: format!("{DOING}: {}", error.message), ..error })?;
    let _turn = monitor.turn().await?;
    let request = RegisterResourceOutputsRequest { urn, outputs: Some(outputs) };
    let response = monitor.client().register_resource_outputs(request).await;
    response.map(drop).map_err(|status| refusal(DOING, status))
}
