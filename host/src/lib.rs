//! Bulkhead: infrastructure providers as sandboxed WebAssembly components, under the engine that people already use.
//!
//! ```text
//!   engine / CLI ──gRPC──► plugin ► rpc ──► provider (the waist) ◄── component ► wit ► guest.wasm
//!                                              │                        │            │
//!                                    bulkhead_schema            instance pool    imports ► bulkhead_policy
//! ```
//!
//! Arrows are imports, and go one way. `rpc` never sees wasmtime, `component` never sees protobuf, and `provider` knows neither.
//! `host/ARCHITECTURE.md` has the rules, and a test holds the code to them.

mod assets;
pub mod audit;
pub mod cli;
pub mod component;
pub mod conformance;
mod imports;
mod legible;
mod outgoing;
pub mod plugin;
mod process;
mod project_files;
pub mod provider;
mod real_path;
mod regular;
mod role;
pub mod rpc;
mod scarcity;
mod store;
mod telemetry;
mod threads;
#[cfg(test)]
mod told;
mod user_places;
mod wit;

pub use outgoing::Resolver;
pub use role::run;
#[doc(hidden)]
pub use wit::decode_tree;
