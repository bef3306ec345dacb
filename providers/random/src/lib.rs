//! The `random` provider.

pub mod draw;
pub mod go_rand;
