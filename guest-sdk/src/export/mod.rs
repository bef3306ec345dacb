//! The contract's exports, done by the provider's table.
//!
//! Every interface has a file that decodes, calls the table and encodes, and decides nothing. An interface is exported only if
//! [`provider!`](crate::provider!) finds a use for it.

mod component;
mod components;
mod config;
mod configured;
pub(crate) mod convert;
mod error;
mod functions;
mod lists;
mod mappings;
mod overrides;
#[cfg(target_arch = "wasm32")]
mod panic;
mod parameterization;
mod resources;
mod schema;

pub use component::{ChecksItsConfig, Component, Configures, DiffsItsConfig};
pub use configured::Configured;
pub(crate) use error::read_error;
