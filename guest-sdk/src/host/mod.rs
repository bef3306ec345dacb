//! What a provider may ask of the host. One file per import of the contract.
//!
//! Outside of a component (in a provider's own unit tests) there is no host, and `native` stands in for it.

pub mod assets;
pub mod log;
pub mod operation;
pub mod packages;
pub mod session;
pub mod views;
pub mod wait;

mod checkpoint;
pub(crate) mod defaults;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod native;

pub use checkpoint::checkpoint;

#[cfg(target_arch = "wasm32")]
pub(crate) use crate::bindings::wit as imports;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native as imports;
