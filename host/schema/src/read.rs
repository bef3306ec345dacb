//! What an engine is shown of a resource that was read.
//!
//! An engine compares inputs. A change that somebody made behind its back has to show up in them, and what a server made
//! of the inputs by itself must not, or every refresh would undo it.

mod concealed;
mod filled;
mod import;
mod pairing;
mod reached;
mod refresh;
mod restrict;

pub use import::{inputs_from_state, inputs_on_record};
pub use reached::{left_undone, reached_by_now, shown_after_reaching};
pub use refresh::shown_inputs;

#[cfg(test)]
mod tests;
