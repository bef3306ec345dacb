//! What a provider may ask of the host. One file per import of the contract.
//!
//! Outside of a component (in a provider's own unit tests) there is no host: messages are kept for
//! [`testing`](crate::testing) to look at, and what only a host knows is an error.

pub mod log;
pub mod operation;

mod checkpoint;
pub(crate) mod defaults;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod record;

pub use checkpoint::checkpoint;
