//! [`Table`].

use bulkhead_sdk::{Fields, Inputs, Result};

use crate::plan::Attribute;

/// Inputs that the plan knows: facts about them, and about the state that they are part of.
pub trait Table: Inputs {
    /// All inputs, each of which is an output as well.
    const ATTRIBUTES: &'static [Attribute];
    /// Whether the native provider repeats the id among the outputs. It can't refresh a state without.
    const REPEATS_ID: bool = true;
    /// The other outputs that are lists.
    const LISTS: &'static [&'static str] = &[];
    /// Outputs that the native provider calls by another name, with that name.
    const RENAMED: &'static [(&'static str, &'static str)] = &[];

    /// Whether a plan can be made of inputs: natively all that plans refuses those that contradict each other in this way, not
    /// their check.
    fn agree(_: &Fields) -> Result<()> {
        Ok(())
    }
}
