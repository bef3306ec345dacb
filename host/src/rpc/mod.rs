//! Pulumi's provider protocol in front of the waist: one file per RPC, each a recipe of decode, call, encode.
//!
//! Everything that only this protocol has ends here: URNs in requests, `__*` keys, `id` inside states, capability flags,
//! gRPC codes and their details. This module never sees a sandbox; it may not know wasmtime or WIT.

mod attach;
mod call;
mod cancel;
mod check;
mod check_config;
mod configure;
mod construct;
mod conversation;
mod create;
mod defaults;
mod delete;
mod diff;
mod diff_config;
mod difference;
mod displaced;
mod engine_service;
mod get_mapping;
mod get_mappings;
mod get_plugin_info;
mod get_schema;
mod given;
mod handshake;
mod identity;
mod internal_keys;
mod invoke;
mod large;
mod list;
mod monitor;
mod packages;
mod parameterize;
mod properties;
mod reached;
mod read;
mod record;
mod schema_version;
mod service;
mod share;
mod status;
mod transport;
mod unsaid;
mod update;
mod view_names;
mod views;

pub use conversation::{EngineLink, Offer};
pub use handshake::answer as handshake_answer;
pub use monitor::PackageOrigin;
pub(crate) use properties::recorded_bounds;
pub use service::Service;
pub(crate) use transport::{LARGEST_HEADERS, LARGEST_MESSAGE, Own, method};
pub use transport::{Largest, Server};
