//! The wire form: protobuf's `google.protobuf.Struct` and `Value`, as bytes.
//!
//! A general protobuf decoder recurses, and so limits the depth of a message to what its stack holds: prost gives up at 33
//! nested lists, where engines send hundreds. Here bytes become values, and values bytes, without anything in between
//! and without recursion.
//!
//! The codec knows signatures and sentinels, and nothing of what a request means: which side accepts what is for the
//! caller to say, in [`Capabilities`].

pub mod decode;
pub mod encode;
mod format;
mod reader;
mod writer;

pub use decode::DecodeError;
pub use encode::{Capabilities, EncodeError};
