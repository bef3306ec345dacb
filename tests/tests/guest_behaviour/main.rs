//! What guests may do, and what comes of it for an engine: through the real gRPC surface, with real components.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what goes wrong in a test fails it"
)]

use bulkhead::component::Limits;
use bulkhead_tests::serving::Serving;
use bulkhead_tests::{Bulkhead, Guest};
use bulkhead_value::{Object, Value};

mod assets;
mod audit;
mod codes;
mod components;
mod configuration;
mod creating;
mod executable;
mod existing;
mod followed;
mod functions;
mod granted;
mod instances;
mod leaks;
mod lies;
mod limits;
mod lists;
mod loading;
mod mappings;
mod naming;
mod network;
mod operator;
mod orphans;
mod outside;
mod overrides;
mod packages;
mod parameters;
mod protocol;
mod published;
mod recorded;
mod requests;
mod session;
mod shapes;
mod stopping;
mod talking;
mod traced;
mod tracing;
mod unasked;
mod values;
mod views;

/// The executable under test.
fn bulkhead() -> Bulkhead {
    Bulkhead::new(env!("CARGO_BIN_EXE_bulkhead-under-test"))
}

/// A guest of this crate, in `guests/`.
fn guest(name: &str) -> Guest {
    Guest::build(&bulkhead(), &format!("tests/guests/{name}"))
}

/// The guest `behaviours`, served and configured.
async fn behaviours() -> Serving {
    limited(Limits::default()).await
}

/// The guest `behaviours` under other limits, served and configured.
async fn limited(limits: Limits) -> Serving {
    Serving::start(&guest("behaviours"), limits).await.ready(labelled("test")).await
}

/// The least configuration that `behaviours` takes.
fn labelled(label: &str) -> Object {
    object([("label", label)])
}

/// An object.
fn object<const N: usize, V: Into<Value>>(fields: [(&str, V); N]) -> Object {
    fields.into_iter().collect()
}

/// The inputs that ask for an act.
fn act(act: &str) -> Object {
    object([("act", act)])
}

/// The message of a failure: what the provider says of its own stands alone, as with native ones.
fn said(what: &str, doing: &str, message: &str) -> String {
    if what == "fail" { message.to_owned() } else { format!("{doing}: {message}") }
}

/// Shows that the host serves on, and that the same configuration still answers.
async fn serves_on(serving: &Serving) {
    let created =
        serving.create("behaviours:index:Creating", act("succeed")).await.expect("the next call should succeed");
    assert_eq!(created.id, "made-1");
}
