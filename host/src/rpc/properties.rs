//! Property bags between the wire and the waist.

use bulkhead_proto::raw::Struct;
use bulkhead_value::wire::encode::Capabilities;
use bulkhead_value::wire::{decode, encode};
use bulkhead_value::{Bounds, Object, PropertyPath, Value};
use tonic::Status;

use super::status::unreadable;
use super::transport::LARGEST_MESSAGE;
use crate::provider::{Error, ErrorKind};

/// The most that a result may measure, in bytes: of a message, some is for the rest of it.
const LARGEST_RESULT: usize = LARGEST_MESSAGE - (1 << 20);

/// Decodes a bag, absent ones included. `label` names the request's field in errors.
pub(super) fn optional(bag: Option<Struct>, label: &str) -> Result<Option<Object>, Status> {
    within(Bounds::default(), bag, label)
}

fn within(bounds: Bounds, bag: Option<Struct>, label: &str) -> Result<Option<Object>, Status> {
    bag.map(|bag| decode::properties(bag.as_bytes(), &bounds))
        .transpose()
        .map_err(|error| unreadable(format!("decode {label}: {}", error.located())))
}

/// Bounds of what is on record. What a guest returned within its limits has to be taken back, or the resource could be neither
/// changed nor deleted; on the wire, where each secret is an object of its own, it is deeper and has more values.
pub(crate) fn recorded_bounds() -> Bounds {
    let Bounds { depth, nodes, .. } = Bounds::default();
    Bounds { depth: depth + 64, nodes: nodes.saturating_mul(4), bytes: LARGEST_MESSAGE }
}

/// Decodes a bag; an absent one is empty.
pub(super) fn required(bag: Option<Struct>, label: &str) -> Result<Object, Status> {
    optional(bag, label).map(Option::unwrap_or_default)
}

/// Decodes a bag of recorded values, which are always known: a reference whose id isn't is to a component, which has none.
pub(super) fn recorded(bag: Option<Struct>, label: &str) -> Result<Option<Object>, Status> {
    let object = within(recorded_bounds(), bag, label)?;
    all_known(object, label)
}

/// The same of what may be what a program looks a resource up by. In a preview some of that isn't known yet, which engines leave out; of secrets
/// they leave out the contents alone.
pub(super) fn recorded_or_sought(bag: Option<Struct>, label: &str) -> Result<Option<Object>, Status> {
    let mut object = within(recorded_bounds(), bag, label)?;
    object.iter_mut().for_each(Object::drop_unknown_secrets);
    all_known(object, label)
}

fn all_known(mut object: Option<Object>, label: &str) -> Result<Option<Object>, Status> {
    if let Some(object) = object.as_mut().filter(|object| object.first_unknown().is_some()) {
        object.drop_unknown_ids();
    }
    match object.as_ref().and_then(Object::first_unknown) {
        Some(path) => {
            Err(Status::invalid_argument(format!("decode {label}: {path:#}: recorded values can't be unknown")))
        }
        None => Ok(object),
    }
}

/// Encodes a bag as the engine accepts it.
///
/// # Errors
/// The provider's bug: whatever else a bag may hold came from an engine, and goes back to it.
pub(super) fn encoded(object: &Object, capabilities: &Capabilities) -> Result<Struct, Error> {
    let unsendable = |error| Error::provider_bug(format!("the result can't be sent: {error}"));
    let bytes = encode::properties(object, capabilities).map_err(unsendable)?;
    if bytes.len() > LARGEST_RESULT {
        let (size, most) = (bytes.len() >> 20, LARGEST_RESULT >> 20);
        let message = format!("the result has {size} MiB, and a message may have {most}");
        return Err(Error::new(ErrorKind::Exhausted, message));
    }
    Ok(Struct::from_bytes(bytes))
}

/// Encodes as much of a bag as the engine accepts and fits into so many bytes, and says what of it can't be sent: what is known
/// of a resource that exists must reach the engine, whatever else the provider put beside it.
pub(super) fn sendable(object: &Object, capabilities: &Capabilities, room: usize) -> (Struct, Vec<String>) {
    let reason = match encode::properties(object, capabilities) {
        Ok(bytes) if bytes.len() <= room => return (Struct::from_bytes(bytes), Vec::new()),
        Ok(bytes) => format!("the result has {} KiB, more than can be recorded of it now", bytes.len() >> 10),
        Err(error) => format!("the provider's result can't be sent: {error}; this is a bug in the provider"),
    };
    // Copied once it is known to fit: beside the whole there is room for as much again, and not for more.
    let alone = |name: &String, value: &Value| {
        if encode::value(value, capabilities).is_ok_and(|bytes| bytes.len() > room) {
            return None;
        }
        let bytes = encode::properties(&Object::from([(name.clone(), value.clone())]), capabilities).ok()?;
        Some(bytes.len())
    };
    let mut parts: Vec<_> =
        object.iter().filter_map(|(name, value)| Some((alone(name, value)?, name, value))).collect();
    // The small ones first: of them most can be saved.
    parts.sort_by_key(|(size, ..)| *size);
    let mut left = room;
    let fits = |(size, name, value): (usize, &String, &Value)| {
        left = left.checked_sub(size)?;
        Some((name.clone(), value.clone()))
    };
    let rest: Object = parts.into_iter().map_while(fits).collect();
    (encode::properties(&rest, capabilities).map(Struct::from_bytes).unwrap_or_default(), vec![reason])
}

/// Parses paths that a program wrote. One that is empty names no property, and doesn't stand for all of them. One that can't be
/// parsed names none either, as engines have it (`processIgnoreChanges`): a mistake in it fails no preview.
pub(super) fn paths(paths: &[String]) -> Vec<PropertyPath> {
    let named = paths.iter().filter(|path| !path.is_empty());
    named.filter_map(|path| PropertyPath::parse(path).ok()).collect()
}

/// A list of strings as a value.
pub(super) fn strings(strings: impl IntoIterator<Item = String>) -> Value {
    Value::List(strings.into_iter().map(Value::String).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_name_nothing_are_left_out() {
        let written = ["", "keepers[", "a..b", "list[-1]", "keepers[\"a\"]x", "keepers.a"].map(str::to_owned);
        let read: Vec<_> = paths(&written).iter().map(ToString::to_string).collect();
        assert_eq!(read, ["a.b", "keepers.a.x", "keepers.a"]);
    }
}
