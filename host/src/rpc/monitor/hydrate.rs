//! A look at a resource of the deployment, by a function that the engine has built in.

use bulkhead_proto::resource::ResourceInvokeRequest;
use bulkhead_value::{Object, Value};

use super::dependencies::depending;
use super::operations::Monitor;
use super::refusal::{refusal, rejected};
use super::values::{known_id, received, sent, urn};
use crate::provider::{Error, ErrorKind, Registered, bare, each_may_depend};

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
        return Err(rejected(DOING, response.failures));
    }
    let mut found = received(response.r#return)?.into_map();
    let mut text = |name: &str| match found.remove(name).map(Value::into_plain) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let (urn, id) = (urn(text("urn"))?, known_id(text("id")));
    let state = state_of(found.remove("state").unwrap_or(Value::Unknown))?;
    Ok(Registered { urn, id, state })
}

/// A state by its members, each of which is what all of it is said to be: secret, or depending on something.
///
/// # Errors
/// Too much to say of each.
fn state_of(said: Value) -> Result<Value, Error> {
    let (Value::Object(state), is_secret, urns) = bare(said) else { return Ok(Value::Unknown) };
    each_may_depend(state.len(), &urns)?;
    let marked = |(name, value): (String, Value)| {
        let value = if is_secret { value.secret() } else { value };
        (name, if urns.is_empty() { value } else { depending(value, urns.clone()) })
    };
    Ok(Value::Object(state.into_map().into_iter().map(marked).collect()))
}

#[cfg(test)]
mod tests {
    use bulkhead_value::Output;

    use super::*;

    #[test]
    fn what_all_of_a_state_is_each_member_of_it_is() {
        let state = || Value::Object([("a", Value::from("x")), ("b", Value::Unknown)].into_iter().collect());
        let output = |value: Option<Value>, secret, urns: &[&str]| {
            let dependencies = urns.iter().map(|urn| (*urn).to_owned()).collect();
            Value::from(Output { value: value.map(Box::new), secret, dependencies })
        };
        let member = |said: Value, name| state_of(said).unwrap().as_object().and_then(|state| state.get(name).cloned());
        assert_eq!(state_of(state()).unwrap(), state());
        assert_eq!(member(state().secret(), "a"), Some(Value::from("x").secret()));
        let depends = output(Some(state().secret()), false, &["u"]);
        assert_eq!(member(depends, "a"), Some(output(Some("x".into()), true, &["u"])));
        assert_eq!(member(output(Some(state()), true, &[]), "a"), Some(Value::from("x").secret()));
        assert_eq!(member(output(Some(state()), false, &["u"]), "b"), Some(output(None, false, &["u"])));
        for unknown in [Value::Unknown, Value::Null, output(None, true, &["u"]), Value::from("x").secret()] {
            assert_eq!(state_of(unknown).unwrap(), Value::Unknown);
        }
    }
}
