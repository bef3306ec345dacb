//! What belongs to one store: the call it is serving, its limits and its meter. Data, and no calls.
//!
//! Instances (`component`) and what they import (`imports`) both work on it, and would otherwise depend on each other.

mod authority;
mod chance;
mod composing;
mod ending;
mod files;
mod limits;
mod session;
mod sockets;
mod state;
mod surroundings;

pub(crate) use authority::Authority;
pub(crate) use composing::{Composing, ResourceRequest, ValueRequest};
pub(crate) use ending::Ending;
pub(crate) use files::Files;
pub use limits::Limits;
pub(crate) use limits::TICK;
pub use session::SessionLimits;
pub(crate) use session::{Guard, Refusal, Session};
pub(crate) use state::{Checkpoint, Serving, State};
pub(crate) use surroundings::Surroundings;
