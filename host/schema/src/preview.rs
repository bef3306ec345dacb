//! What an operation would return, without calling the provider.
//!
//! A preview must not promise what may come out otherwise: programs go on with what it says. So a property is known only
//! where the schema says what it will be, and unknown everywhere else, at every depth.

mod before;
mod echo;
mod origin;
mod outputs;

pub use origin::{Origin, Origins, Preview};
pub use outputs::{preview_create, preview_update};

#[cfg(test)]
mod tests;
