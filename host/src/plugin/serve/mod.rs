//! A provider that engines attach to: `bulkhead serve X.wasm`, while its author changes it.
//!
//! Engines take one process for all their uses of an attached provider, say of no conversation where it ends, and expect each to
//! start afresh. Here every connection has a conversation of its own, with the component as it was when the connection shook
//! hands.

mod attachable;
mod connection;
mod run;
mod watch;

pub use run::{Served, Told, serve};
