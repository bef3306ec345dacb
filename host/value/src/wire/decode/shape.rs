//! What an object on the wire stands for.
//!
//! The signature is looked for before the members are read: only then is it known, when one of them is wrong, that they
//! belong to a secret.

mod fields;

use super::{Fault, Head, frame::read_entry, head};
use crate::{
    Kind, Object, Value, signature,
    wire::{format::STRUCT_FIELDS, reader::Reader},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A plain object.
    Plain,
    /// The members of an archive.
    Members,
    Secret,
    Asset,
    Archive,
    Reference,
    Output,
    Bytes,
}

impl Shape {
    /// What the signature in this message says. A message that can't be read is left to whoever reads its members.
    pub(super) fn of(message: &[u8]) -> Result<Self, Fault> {
        let mut entries = Reader::new(message);
        let mut signature = None;
        while let Ok(Some(entry)) = entries.next(STRUCT_FIELDS) {
            if let Ok((key, value)) = entry.bytes().map_err(Fault::from).and_then(read_entry)
                && key == signature::KEY.as_bytes()
            {
                signature = Some(value);
            }
        }
        let Some(signature) = signature else { return Ok(Self::Plain) };
        let Ok(Head::Leaf(Value::String(signature))) = head(signature) else { return Err(Fault::Signature) };
        match signature.as_str() {
            signature::SECRET => Ok(Self::Secret),
            signature::ASSET => Ok(Self::Asset),
            signature::ARCHIVE => Ok(Self::Archive),
            signature::REFERENCE => Ok(Self::Reference),
            signature::OUTPUT => Ok(Self::Output),
            signature::BYTES => Ok(Self::Bytes),
            _ => Err(Fault::Signature),
        }
    }

    /// The value that these members make.
    pub(super) fn build(self, fields: Object) -> Result<Value, Fault> {
        let (kind, built) = match self {
            Self::Plain | Self::Members => return Ok(Value::Object(fields)),
            Self::Secret => return Ok(fields::secret(fields)),
            Self::Asset => (Kind::Asset, fields::asset(fields)),
            Self::Archive => (Kind::Archive, fields::archive(fields)),
            Self::Reference => (Kind::Reference, fields::reference(fields)),
            Self::Output => (Kind::Output, fields::output(fields)),
            Self::Bytes => (Kind::Bytes, fields::bytes(fields)),
        };
        built.map_err(|problem| Fault::Malformed { kind, problem })
    }
}
