//! Configuration: what travels as text, and what it means.
//!
//! Engines and SDKs send a configuration value that isn't a string as its JSON, or as itself, and they don't agree when.
//! Both are accepted and returned as they were given; a guest and a comparison get the value.

mod check;
mod decode;

pub use check::check;
pub use decode::typed;

/// Names that every configuration may have without declaring them: the engine puts the provider's version there.
pub const EXEMPT: [&str; 1] = ["version"];

#[cfg(test)]
mod tests;
