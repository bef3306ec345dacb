//! The harness of the end-to-end tests: Bulkhead's executable, real components and the real Pulumi CLI, put together so that
//! a test reads as what a user does.
//!
//! Nothing is faked here and nothing is skipped: what a test needs is built, once for all test processes, and if it can't be
//! (no Go, no compile target) the test fails and says what to install. The one stand-in is for a service that keeps keys (`keys.rs`).
//! Nothing of the machine's own set-up is read or written: each [`Project`] has a home, a backend and an environment of its own, and
//! Bulkhead's settings are hidden from commands ([`hide_settings`]).
//!
//! ```text
//!   Bulkhead (executable) ── builds ──► Guest (component) ── bundled into ──► Project ◄── runs in ── Pulumi (CLI)
//!                                                                               │
//!                                                             Finished, Update (events), State
//! ```

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what goes wrong in a harness is a failed test"
)]

mod authority;
mod bulkhead;
pub mod composing;
mod conformance;
pub mod engine;
mod examples;
mod gate;
mod guest;
mod keys;
pub mod monitor;
mod plugin;
mod powerdns;
mod process;
mod project;
mod pulumi;
mod redact;
mod running;
mod sdk;
pub mod serving;
mod settings;
mod state;
mod target;
mod update;
mod upstream;
mod waiting;

pub use authority::Authority;
pub use bulkhead::Bulkhead;
pub use conformance::{Conformance, Manifests};
pub use examples::hostile;
pub use gate::Gate;
pub use guest::{Guest, repository, without_room};
pub use plugin::{Plugin, Stdin};
pub use powerdns::{PowerDns, PowerDnsError};
pub use process::{Finished, Process, cargo, run};
pub use project::{Launch, Project};
pub use pulumi::{Pulumi, PulumiError};
pub use redact::Redaction;
pub use running::{quiet_within, running};
pub use sdk::Sdk;
pub use settings::hide_settings;
pub use state::State;
pub use target::temporary_directory;
pub use update::Update;
pub use upstream::{Client, sdk_generators};
pub use waiting::{in_time, until};
