//! Values on their way to a monitor and back.

use bulkhead_proto::raw::{Struct, Value as RawValue};
use bulkhead_value::signature::is_unknown;
use bulkhead_value::wire::encode::Capabilities;
use bulkhead_value::wire::{decode, encode};
use bulkhead_value::{Object, Value};

use super::super::properties::recorded_bounds;
use crate::provider::{Error, ErrorKind};

/// A bag as the monitor takes it.
///
/// # Errors
/// Values that it doesn't take, and that nothing takes the place of.
pub(super) fn sent(object: &Object, capabilities: &Capabilities) -> Result<Struct, Error> {
    let encoded = encode::properties(object, capabilities);
    encoded.map(Struct::from_bytes).map_err(|error| Error::new(ErrorKind::Failed, error.to_string()))
}

/// A single value as the monitor takes it.
///
/// # Errors
/// As [`sent`].
pub(super) fn sent_value(value: &Value, capabilities: &Capabilities) -> Result<RawValue, Error> {
    let encoded = encode::value(value, capabilities);
    encoded.map(RawValue::from_bytes).map_err(|error| Error::new(ErrorKind::Failed, error.to_string()))
}

/// A bag that the monitor sent; an absent one is empty.
///
/// # Errors
/// What can't be decoded within bounds.
pub(super) fn received(bag: Option<Struct>) -> Result<Object, Error> {
    let bag = bag.unwrap_or_default();
    decode::properties(bag.as_bytes(), &recorded_bounds())
        .map_err(|error| Error::new(ErrorKind::Failed, format!("decode the engine's answer: {error}")))
}

/// An id that the monitor sent, if it is known.
pub(super) fn known_id(id: String) -> Option<String> {
    Some(id).filter(|id| !id.is_empty() && !is_unknown(id))
}

/// A URN that the monitor sent.
///
/// # Errors
/// An empty one.
pub(super) fn urn(urn: String) -> Result<String, Error> {
    if urn.is_empty() {
        return Err(Error::new(ErrorKind::Failed, "the engine answered without a URN"));
    }
    Ok(urn)
}
