//! A look at a resource of the deployment, by a function that the engine has built in.

use bulkhead_proto::resource::ResourceInvokeRequest;
use bulkhead_value::{Object, Value};

use super::operations::Monitor;
use super::refusal::{refusal, rejected};
use super::values::{known_id, received, sent, urn};
use crate::provider::{Error, ErrorKind, Registered};

/// The engine's own function.
const FUNCTION: &str = "pulumi:pulumi:getResource";

/// Looks up a resource by its URN.
pub(super) async fn hydrate(monitor: &Monitor, of: String) -> Result<Registered, Error> {
    const DOING: &str = "look up a resource of the deployment";
    if of.is_empty() {
        return Err(Error::new(ErrorKind::ProviderBug, format!("{DOING}: there is no URN")));
    }
    let features = &monitor.connection.known().await?.features;
    let arguments: Object = [("urn", Value::from(of))].into_iter().collect();
    let request = ResourceInvokeRequest {
        tok: FUNCTION.to_owned(),
        args: Some(sent(&arguments, &features.capabilities(false))?),
        accept_resources: true,
        accepts_byte_string: true,
        parent_stack_trace_handle: monitor.trace.clone(),
        ..ResourceInvokeRequest::default()
    };
    let _turn = monitor.turn().await?;
    let response = monitor.client().invoke(request).await;
    let response = response.map_err(|status| refusal(DOING, status))?.into_inner();
    if !response.failures.is_empty() {
        return Err(rejected(response.failures));
    }
    let mut found = received(response.r#return)?.into_map();
    let mut text = |name: &str| match found.remove(name).map(Value::into_plain) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let (urn, id) = (urn(text("urn"))?, known_id(text("id")));
    let state = match found.remove("state").map(Value::into_plain) {
        Some(Value::Object(state)) => Value::Object(state),
        _ => Value::Unknown,
    };
    Ok(Registered { urn, id, state })
}
