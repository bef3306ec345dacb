//! `google.protobuf.Struct` and `Value`, undecoded.
//!
//! Property values nest as deep as a user's program makes them, and a generated `Struct` is decoded by recursion: prost gives up at a
//! depth of some 33, and reports it as an internal error. So a message keeps the bytes, and the value codec decodes them in a loop,
//! straight into values, within its own limits. Nothing here looks into them: a malformed field within is found there.
//!
//! The contents of both types may be secret. `Debug` shows how many bytes there are, never which.
//!
//! Fields stand in the order in which they arrived. Their keys, lengths and numbers are rewritten in the shortest form, which is what
//! every encoder writes anyway; whatever is nested in them is kept byte for byte.

use std::fmt;

use bytes::{Buf, BufMut};
use prost::encoding::{self, DecodeContext, WireType};
use prost::{DecodeError, Message, Name};

/// The encoded bytes of a `google.protobuf.Struct`: property names and their values. Empty bytes are an empty struct.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Struct(Vec<u8>);

/// The encoded bytes of a single `google.protobuf.Value`. Empty bytes are a value of no kind, which is no valid value.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Value(Vec<u8>);

macro_rules! keeps_bytes {
    ($type:ident) => {
        impl $type {
            /// Takes the encoding as it is, without a look at whether it is well-formed.
            pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Self {
                Self(bytes.into())
            }

            /// The encoding, without the length that precedes it inside another message.
            pub fn as_bytes(&self) -> &[u8] {
                &self.0
            }

            /// The encoding, without the length that precedes it inside another message.
            pub fn into_bytes(self) -> Vec<u8> {
                self.0
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!(stringify!($type), "({} bytes)"), self.0.len())
            }
        }

        impl Name for $type {
            const NAME: &'static str = stringify!($type);
            const PACKAGE: &'static str = "google.protobuf";
        }

        impl Message for $type {
            fn encode_raw(&self, buffer: &mut impl BufMut) {
                buffer.put_slice(&self.0);
            }

            fn merge_field(
                &mut self,
                tag: u32,
                wire_type: WireType,
                buffer: &mut impl Buf,
                context: DecodeContext,
            ) -> Result<(), DecodeError> {
                append_field(&mut self.0, tag, wire_type, buffer, context)
            }

            fn encoded_len(&self) -> usize {
                self.0.len()
            }

            fn clear(&mut self) {
                self.0.clear();
            }
        }
    };
}

keeps_bytes!(Struct);
keeps_bytes!(Value);

/// The most that the first field makes room for, itself and others, in bytes: most messages need no more.
const ROOM: usize = 256;

/// Moves one field, whose key has been read, from `buffer` to the end of `kept`. Whatever its length claims, no more is allocated than
/// the buffer holds. Groups are refused: neither type has any, and to skip one is to recurse.
fn append_field(
    kept: &mut Vec<u8>,
    tag: u32,
    wire_type: WireType,
    buffer: &mut impl Buf,
    context: DecodeContext,
) -> Result<(), DecodeError> {
    match wire_type {
        WireType::Varint => {
            let number = encoding::decode_varint(buffer)?;
            encoding::uint64::encode(tag, &number, kept);
        }
        WireType::SixtyFourBit => {
            let mut number = 0;
            encoding::fixed64::merge(wire_type, &mut number, buffer, context)?;
            encoding::fixed64::encode(tag, &number, kept);
        }
        WireType::ThirtyTwoBit => {
            let mut number = 0;
            encoding::fixed32::merge(wire_type, &mut number, buffer, context)?;
            encoding::fixed32::encode(tag, &number, kept);
        }
        WireType::LengthDelimited => {
            let claimed = encoding::decode_varint(buffer)?;
            let Some(length) = usize::try_from(claimed).ok().filter(|length| *length <= buffer.remaining()) else {
                // Nobody but the library can make such an error: here it reads of one byte, and there is none.
                return encoding::bytes::merge(wire_type, &mut Vec::new(), &mut [1].as_slice(), context);
            };
            if kept.is_empty() {
                kept.reserve(buffer.remaining().min(ROOM));
            }
            encoding::encode_key(tag, wire_type, kept);
            encoding::encode_varint(claimed, kept);
            kept.put(buffer.take(length));
        }
        WireType::StartGroup | WireType::EndGroup => {
            encoding::check_wire_type(WireType::LengthDelimited, wire_type)?;
        }
    }
    Ok(())
}
