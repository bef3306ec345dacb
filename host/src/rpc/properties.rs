//! Property bags between the wire and the waist.

use bulkhead_proto::raw::Struct;
use bulkhead_value::wire::encode::Capabilities;
use bulkhead_value::wire::{decode, encode};
use bulkhead_value::{Bounds, Object, PropertyPath, Value};
use tonic::Status;

/// Decodes a bag, absent ones included. `label` names the request's field in errors.
pub(super) fn optional(bag: Option<Struct>, label: &str) -> Result<Option<Object>, Status> {
    bag.map(|bag| decode::properties(bag.as_bytes(), &Bounds::default()))
        .transpose()
        .map_err(|error| Status::invalid_argument(format!("decode {label}: {error}")))
}

/// Decodes a bag; an absent one is empty.
pub(super) fn required(bag: Option<Struct>, label: &str) -> Result<Object, Status> {
    optional(bag, label).map(Option::unwrap_or_default)
}

/// Decodes a bag of recorded values, which are always known.
pub(super) fn recorded(bag: Option<Struct>, label: &str) -> Result<Option<Object>, Status> {
    let object = optional(bag, label)?;
    match object.as_ref().and_then(Object::first_unknown) {
        Some(path) => {
            Err(Status::invalid_argument(format!("decode {label}: {path}: recorded values can't be unknown")))
        }
        None => Ok(object),
    }
}

/// Encodes a bag as the engine accepts it.
pub(super) fn encoded(object: &Object, capabilities: &Capabilities) -> Result<Struct, Status> {
    encode::properties(object, capabilities)
        .map(Struct::from_bytes)
        .map_err(|error| Status::failed_precondition(format!("encode the result: {error}")))
}

/// Encodes as much of a bag as the engine accepts, and says what of it can't be sent: what is known of a resource that
/// exists must reach the engine, whatever else the provider put beside it.
pub(super) fn sendable(object: &Object, capabilities: &Capabilities) -> (Struct, Vec<String>) {
    let Err(all) = encode::properties(object, capabilities) else {
        return (encoded(object, capabilities).unwrap_or_default(), Vec::new());
    };
    let alone = |(name, value): (&String, &Value)| Object::from([(name.clone(), value.clone())]);
    let fits = |entry: &(&String, &Value)| encode::properties(&alone(*entry), capabilities).is_ok();
    let rest: Object = object.iter().filter(fits).map(|(name, value)| (name.clone(), value.clone())).collect();
    let reason = format!("the provider's result can't be sent: {all}; this is a bug in the provider");
    (encoded(&rest, capabilities).unwrap_or_default(), vec![reason])
}

/// Parses paths that a program wrote.
pub(super) fn paths(paths: &[String]) -> Result<Vec<PropertyPath>, Status> {
    let parse = |path: &String| {
        PropertyPath::parse(path)
            .map_err(|error| Status::invalid_argument(format!("read the property path `{path}`: {error}")))
    };
    paths.iter().map(parse).collect()
}

/// A list of strings as a value.
pub(super) fn strings(strings: impl IntoIterator<Item = String>) -> Value {
    Value::List(strings.into_iter().map(Value::String).collect())
}
