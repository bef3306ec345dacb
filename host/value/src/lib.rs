//! Property values: what an engine and a provider tell each other about a resource.
//!
//! Engines speak of resources in values that JSON has no words for: secrets, values not known yet, assets, references to
//! other resources. On the wire they hide inside `google.protobuf.Struct` behind signature strings. This crate gives
//! every kind a type of its own ([`Value`]), reads and writes the wire form ([`wire`]), and names places in values
//! ([`PropertyPath`]) and resources ([`Urn`]).
//!
//! What a peer or a guest sends decides the shape of a value, so nothing here recurses, nothing panics, nothing allocates
//! by a length that was only claimed, and no error or `Debug` output shows what is secret.
//!
//! This crate knows neither gRPC nor WebAssembly nor schemas, and it does no input or output: an asset's path or address
//! is data here, never opened.
//!
//! ```
//! use bulkhead_value::{Object, Value, wire};
//!
//! let inputs: Object = [("length", Value::from(8)), ("password", Value::from("hunter2").secret())].into_iter().collect();
//! let bytes = wire::encode::properties(&inputs, &wire::Capabilities::ALL)?;
//! assert_eq!(wire::decode::properties(&bytes, &Default::default())?, inputs);
//! assert_eq!(format!("{inputs:?}"), r#"{"length": 8.0, "password": [secret]}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod asset;
mod bounds;
mod collection;
mod conversion;
mod equality;
mod kind;
mod list;
mod object;
mod output;
mod path;
mod reference;
mod secret;
pub mod signature;
mod tree;
mod urn;
mod value;
pub mod wire;

pub use archive::{Archive, ArchiveFormat, ArchiveSource};
pub use asset::{Asset, AssetSource};
pub use bounds::Bounds;
pub use collection::Collection;
pub use equality::equivalent;
pub use kind::Kind;
pub use list::List;
pub use object::Object;
pub use output::Output;
pub use path::{AccessError, PathError, PropertyPath, Segment};
pub use reference::{Reference, ReferenceId};
pub use secret::Secret;
pub use urn::{Urn, UrnError};
pub use value::Value;
