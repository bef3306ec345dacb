//! `alias.proto`: names that a resource used to have, so that renaming it isn't replacing it.

pub use crate::generated::pulumirpc::{Alias, alias};
