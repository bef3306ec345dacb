//! What changed between recorded inputs and new ones, and what that means for the resource.
//!
//! The answer decides whether a resource is left alone, updated or destroyed and made again, so each rule errs on the side
//! that an operator would: what can't be told to be equal is a change, and what isn't a change to the resource, such as
//! to spell out a default, is none. A change is a place and a kind; it never shows a value.

mod apart;
mod beyond;
mod compare;
mod comparison;
mod configuration;
mod omitted;
mod recorded;
mod stable;

pub use beyond::as_given;
pub use compare::diff;
pub(crate) use compare::same;
pub use comparison::{Change, ChangeKind, Comparison, Difference};
pub use configuration::diff_configuration;

#[cfg(test)]
mod tests;
