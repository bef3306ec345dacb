//! Whether inputs are what the schema says, and what they are completed with.
//!
//! A user's mistake is a failure with its place, not an error, and all are told at once. What was given is never changed:
//! an engine shows it and compares it later. What isn't known yet is right until it is known.

mod environment;
mod fill;
mod inputs;
mod names;
mod relations;
mod request;
mod validation;

pub use inputs::{check, findings};
pub(crate) use relations::Exclusions;
pub use request::{Autonaming, AutonamingMode, CheckRequest, Checked, Findings};
pub(crate) use validation::{Tries, broken_rules};

#[cfg(test)]
mod tests;
