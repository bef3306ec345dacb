//! The leak guard: what a guest was told in confidence, it may not tell anybody by accident.
//!
//! A guest gets secrets in clear, and says things: messages, errors, names, results. All of it ends up on terminals, in logs and in
//! state files. So at the one place that every call passes ([`Guarded`]), the secrets of its request are gathered ([`Leaks`]); texts
//! that repeat one say `[secret]` in its place, and values that do are marked secret.
//!
//! This keeps a careless guest from leaking. One that means to can spell a secret in ways that nobody looks for: what it can reach
//! is for permissions to say. Ids and URNs aren't touched, since nobody could find the resource again.

mod call;
mod deployment;
mod encodings;
mod escapes;
mod gathered;
mod guarded;
mod names;
mod patterns;
mod room;
mod sought;
mod structured;

pub use call::Leaks;
pub(crate) use call::Spelt;
pub(super) use guarded::Guarded;
