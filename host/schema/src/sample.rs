//! Values that a schema allows, and some that it doesn't, made from the schema alone.
//!
//! A provider is tried out before anybody has written a program for it. What is tried must pass its check, or the trial says
//! nothing about the rest; so types, enums, constants, ranges, lengths, patterns and relations between properties are all kept
//! to, and what can't be satisfied is said. What the schema doesn't say (that a region exists, that a minimum stands
//! below a maximum) can't be known here.
//!
//! Equal seeds make equal values, on every machine. A property's value depends on the seed and its place alone, so that another
//! property doesn't change it.

mod choice;
mod draw;
mod pattern;
mod sampler;
mod text;
mod variation;
mod wrong;

pub use sampler::{Extent, Sample, Sampler};
pub use variation::variations;
pub use wrong::{Wrong, wrong};

#[cfg(test)]
mod tests;
