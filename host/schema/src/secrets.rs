//! Marking what is secret.
//!
//! A guest gets secrets in clear and returns plain values, and what it returns ends up in a state file, on terminals and in
//! other resources. So whatever comes back is marked again: by the schema, by the inputs, and by value.

mod mark;
mod marking;
mod repeated;
mod rewritten;
mod telling;

pub use mark::{mark, mark_return};
pub use marking::Marking;
pub use rewritten::mark_rewritten;
pub use telling::{mark_repeating, mark_value_repeating, telling};

#[cfg(test)]
mod tests;
