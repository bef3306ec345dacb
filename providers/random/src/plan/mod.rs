//! What becomes of inputs: which values a resource has after a create or update, what of it changes, and what of that has it
//! drawn anew.
//!
//! The native provider answers Check, Diff, previews, Update and Read from one plan of this kind, which it makes of the
//! recorded state and the new inputs, never of the old inputs. Stacks depend on its very answers, down to what it makes of a
//! number where text is due, so the same plan is made here, from tables of facts about each resource. Nothing is drawn here.

mod attribute;
mod coerce;
mod compare;
mod encoding;
mod ignore;
mod numerals;
mod predict;

pub use attribute::{Attribute, Kind, Replaces, Unset};
pub use coerce::coerced;
pub use compare::{Changed, changes, stays, there};
pub use encoding::encoding;
pub use ignore::set_back;
pub use predict::predicted;
