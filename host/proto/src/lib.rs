//! Pulumi's wire protocol, as of v3.272.0: the host speaks it to engines, and engines must not notice the difference.
//!
//! One module for each `.proto` file, with its messages, its clients and its servers. Two packages of the protocol have messages of
//! the same name (`GetMappingRequest` is the provider's and the mapper's), so there is no module that holds them all.
//!
//! # What differs from plain generated code
//!
//! - `google.protobuf.Struct` and `Value` are [`raw::Struct`] and [`raw::Value`], which keep their bytes. They are decoded elsewhere,
//!   without recursion.
//! - `map` fields are `BTreeMap`, so that a message has one encoding. `bytes` fields are [`bytes::Bytes`].
//! - Each method of a server trait has a default that answers UNIMPLEMENTED, as engines expect for what a provider lacks.
//! - `Debug` shows no property values, configuration or environment.
//! - Fields that newer peers no longer use carry no `#[deprecated]`: a host has to read what older ones send.
//!
//! This crate only says what stands on the wire. What a field means to a provider is for its callers.

mod confidential;
mod generated;

pub mod alias;
pub mod callback;
pub mod engine;
pub mod errors;
pub mod hcl;
pub mod language;
pub mod loader;
pub mod mapper;
pub mod plugin;
pub mod provider;
pub mod raw;
pub mod resource;
pub mod resource_status;
pub mod source;
pub mod status;
pub mod traces;
