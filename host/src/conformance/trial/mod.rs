//! A provider tried out: served over real gRPC, and asked what an engine asks.
//!
//! Inputs are generated from the schema, so what a provider says of them can be judged without knowing the provider. A refusal
//! of inputs that only the schema allows is no mistake: a real service knows more. A crash is one, and so is a promise that
//! isn't kept. Nothing is created unless the caller says so, and whatever is created is deleted again.

mod checks;
mod components;
mod composing;
mod configuration;
mod engine;
mod functions;
mod handshake;
mod inputs;
mod lifecycle;
mod lists;
mod methods;
mod monitor;
mod parameters;
mod previews;
mod refusal;
mod run;
mod subject;
mod words;

pub(super) use run::Trial;
pub use run::Tried;
