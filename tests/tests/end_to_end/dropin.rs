//! The provider of `providers/random` takes the place of the native `random` provider, and engines, programs and stacks
//! can't tell.
//!
//! What the native provider says is recorded in `dropin/`; how it was recorded is in `dropin/README.md`.

mod conversation;
mod replay;
mod shape;
mod stacks;
mod taken_back;
