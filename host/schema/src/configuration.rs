//! Configuration: what travels as text, and what it means.
//!
//! Engines and SDKs send a configuration value that isn't a string as its JSON, or as itself, and they don't agree when.
//! Both are accepted and returned as they were given; a guest and a comparison get the value.

mod check;
mod decode;

pub use check::{check, explain};
pub use decode::typed;

/// Names that every configuration may have without declaring them: engines put the provider's version there, and where it can
/// be downloaded.
pub const EXEMPT: [&str; 2] = ["version", "pluginDownloadURL"];

#[cfg(test)]
mod tests;
