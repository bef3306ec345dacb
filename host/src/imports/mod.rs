//! The host's side of each capability that a component may import.
//!
//! Every WASI interface is always linked, since languages' standard libraries import several without using them; with
//! nothing granted they are empty. So the list of a component's imports is an upper bound of what it does, and its
//! manifest is what it asks for. An import asks policy, then acts; it may not know protobuf or tonic.

mod assets;
mod counted;
mod defaults;
mod engine;
mod environment;
mod explaining;
mod fetching;
mod filesystem;
mod handles;
mod http;
mod link;
mod log;
mod looked_for;
mod operation;
mod other_packages;
mod own_providers;
mod packages;
mod policy;
mod proxies;
mod random;
mod session;
mod sockets;
mod views;
mod waiting;

pub(crate) use link::linker;
