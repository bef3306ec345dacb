//! What users rely on, tried as users do: with the executable, real components and the real Pulumi CLI.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what goes wrong in a test fails it"
)]

use bulkhead_tests::{Bulkhead, Guest, Launch, Project};

mod assets;
mod base_provider;
mod canary;
mod check;
mod client;
mod command_line;
mod compiled_code;
mod components;
mod configuration;
mod conformance;
mod dropin;
mod generated_sdks;
mod grant;
mod hooks;
mod interrupt;
mod launch;
mod lifecycle;
mod methods;
mod naming;
mod new;
mod nothing_runs;
mod options;
mod own_tests;
mod parameterized;
mod plugin_contract;
mod plugin_directory;
mod powerdns;
mod published_sdks;
mod quickstart;
mod random;
mod refresh;
mod secrets;
mod serve;
mod views;
mod wrong_files;

/// The executable under test.
fn bulkhead() -> Bulkhead {
    Bulkhead::new(env!("CARGO_BIN_EXE_bulkhead-under-test"))
}

/// A guest of this crate, in `guests/`.
fn guest(name: &str) -> Guest {
    Guest::build(&bulkhead(), &format!("tests/guests/{name}"))
}

/// The real provider.
fn random() -> Guest {
    Guest::build(&bulkhead(), "providers/random")
}

/// A project that uses one of this crate's guests.
fn project(name: &str) -> Project {
    Project::new(&bulkhead(), &[&guest(name)], Launch::Plugins)
}
