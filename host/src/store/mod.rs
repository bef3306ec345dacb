//! What belongs to one store: the call it is serving, its limits and its meter. Data, and no calls.
//!
//! Instances (`component`) and what they import (`imports`) both work on it, and would otherwise depend on each other.

mod allowance;
mod announced;
mod authority;
mod chance;
mod composing;
mod computing;
mod deciding;
mod descriptions;
mod ending;
mod file_turns;
mod files;
mod handles;
mod kept;
mod limits;
mod memory;
mod meter;
mod session;
mod shortages;
mod sockets;
mod state;
mod surroundings;
mod telling;

pub(crate) use allowance::Allowance;
pub(crate) use announced::{Announced, Checkpoint};
pub(crate) use authority::Authority;
pub(crate) use composing::{Composing, ResourceRequest, ValueRequest};
pub(crate) use computing::Computing;
#[cfg(test)]
pub(crate) use computing::work;
pub use deciding::Deciding;
pub(crate) use descriptions::Descriptions;
pub(crate) use ending::Ending;
pub(crate) use file_turns::FileTurns;
pub(crate) use files::{Files, Opened};
pub(crate) use handles::HANDLES;
pub(crate) use kept::{KEPT, Kept, Room};
pub use limits::Limits;
pub(crate) use limits::TICK;
pub(crate) use memory::{Amount, Holding, Memory, Share, Spare};
pub(crate) use meter::{MEMORIES, Refused, Wanted};
pub use session::SessionLimits;
pub(crate) use session::{Guard, Refusal, Session};
pub(crate) use shortages::{Server, Shortage, Shortages};
pub(crate) use state::{Serving, State, Terms};
pub(crate) use surroundings::{Looked, Surroundings, Unopened, Unrecorded, Variables, Way};
