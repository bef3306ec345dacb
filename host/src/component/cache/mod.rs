//! Compiled components, so that a provider compiles once per machine instead of once per command.
//!
//! What lies in the cache is machine code that gets executed, so nobody else may write there: the directory and its files are
//! this user's own, and a file is named after the component's digest and the engine's compatibility hash, sealed with the
//! digest, written under a temporary name and renamed. Code that somebody ships is never loaded. A cache that can't be used
//! costs time, no call.

mod code;
mod directory;
mod files;
mod stale;

pub(super) use code::Code;
pub use directory::Cache;
pub(super) use directory::Documents;
pub(super) use files::{INDEX, KNOWN};
