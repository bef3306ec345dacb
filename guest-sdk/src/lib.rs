//! Write Pulumi providers as WebAssembly components.

// The derives name this crate by its absolute path, in its own tests too.
extern crate self as bulkhead_sdk;

#[doc(hidden)]
pub mod bindings;
pub mod config;
mod enumeration;
mod error;
#[doc(hidden)]
pub mod export;
pub mod function;
mod host;
mod manifest;
mod path;
pub mod provider;
pub mod record;
pub mod resource;
pub mod schema;
pub mod value;

// The four concepts: inputs, state, configuration, resources. A derive has the name of the trait that it implements.
pub use crate::config::{Config, Connection};
pub use crate::enumeration::Enum;
pub use crate::record::{Inputs, Object, State};
pub use crate::resource::{Create, Created, Delete, Read, Resource, Snapshot, Update, Updated};
pub use bulkhead_sdk_macros::{Config, Enum, Inputs, Object, State, function, provider, resource};

// What they are made of.
pub use crate::error::{Error, ErrorKind, Failure, Result};
pub use crate::path::{Path, Segment};
pub use crate::value::{Archive, Asset, Fields, Json, Ref, Secret, Value};

// What a provider may ask of the host.
pub use crate::host::{checkpoint, log, operation};
