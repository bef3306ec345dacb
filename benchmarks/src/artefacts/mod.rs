//! What is measured, built from this tree: as users get it, in release profiles, and never from a cache of somebody's machine.

mod bulkhead;
mod contenders;
mod directory;
mod hostile;
mod peer;

pub(crate) use contenders::{Artefacts, hosting, prepare, provider};
pub(crate) use directory::own;
pub(crate) use hostile::{Hosting, zeros};
