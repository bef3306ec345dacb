//! Values to bytes.
//!
//! What is written depends on what the receiver said it takes, and is the same for the same value: keys are sorted. A
//! receiver that doesn't take a kind gets what upstream would send in its place, and where there is no such thing the
//! value is refused rather than changed.

mod capabilities;
mod error;
mod frame;
mod leaf;

use self::frame::{Encoder, Form};
pub use self::{
    capabilities::Capabilities,
    error::{EncodeError, Refusal},
};
use crate::{Object, Value, signature, tree::Children};

/// Encodes a `google.protobuf.Struct`: the properties of a response. Of several values that can't be sent, the error names
/// the last one.
pub fn properties(object: &Object, capabilities: &Capabilities) -> Result<Vec<u8>, EncodeError> {
    let mut encoder = Encoder::new(capabilities);
    encoder.open(Form::Properties, Children::members(object));
    if object.contains_key(signature::KEY) { encoder.refuse(Refusal::Key) } else { encoder.run() }
}

/// Encodes a `google.protobuf.Value`. Of several values that can't be sent, the error names the last one.
pub fn value(value: &Value, capabilities: &Capabilities) -> Result<Vec<u8>, EncodeError> {
    let mut encoder = Encoder::new(capabilities);
    encoder.open(Form::Bare, Children::root(value));
    encoder.run()
}
