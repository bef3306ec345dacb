//! Marking what is secret.
//!
//! A guest gets secrets in clear and returns plain values, and what it returns ends up in a state file, on terminals and in
//! other resources. So whatever comes back is marked again: by the schema, by the inputs, and by value.

mod mark;
mod repeated;

pub use mark::{mark, mark_return};

#[cfg(test)]
mod tests;
