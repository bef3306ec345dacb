//! The waist: what a provider does, in terms of neither a protocol nor a sandbox.
//!
//! Two things would otherwise know each other: front ends that speak an engine's protocol, and the component that a
//! provider is. Here they meet. A front end calls [`Session`]; a component implements [`Guest`]; what the package schema
//! already says (check, diff, preview, secrets, conformance) is answered in between and reaches no guest.
//!
//! This module and those below it may not mention protobuf, tonic, WIT or wasmtime, and may not require what only one
//! protocol has: a URN, a random seed, a timeout are optional everywhere, and keys such as `__defaults` are unknown here.

mod check;
mod configure;
mod context;
mod create;
mod delete;
mod diff;
mod error;
mod guest;
mod invoke;
mod log;
mod outcome;
mod preview;
mod read;
mod session;
mod typed;
mod update;
mod upgrade;

pub use check::CheckRequest;
pub use context::{Context, Notes, Prior, Record};
pub use error::{Error, ErrorKind, Fault, MissingKey, Partial};
pub use guest::{Call, Component, Created, Exports, Guest, GuestCheck, GuestDiff, Snapshot, Updated};
pub use log::{Log, Message, Severity, Silent, shortened};
pub use outcome::{Outcome, ReadOutcome};
pub use session::Session;

pub use bulkhead_schema::{Change, ChangeKind, Checked, Difference, Failure, FailureKind, Preview};
