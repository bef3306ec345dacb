//! The engine's resource monitor, as the deployment that components are constructed in: one file per operation.
//!
//! Each Construct and Call names the monitor that it belongs to. Connections are kept for the length of a conversation; what
//! differs from call to call (the stack trace, what older engines say in the request, the order of operations) isn't shared.

mod call;
mod connection;
mod dependencies;
mod features;
mod hydrate;
mod invoke;
mod operations;
mod options;
mod package;
mod read;
mod refusal;
mod register;
mod register_outputs;
mod traced;
mod values;

pub(super) use connection::Connections;
pub(super) use features::{config, parallel};
pub(super) use operations::Monitor;
pub(super) use options::{alias_of, hooks_of, timeouts_of};
pub use package::PackageOrigin;
