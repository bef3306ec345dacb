//! What a component asks for, and in words: permissions as data and pure functions.
//!
//! A provider that people don't trust states its wishes in its manifest; an operator reads them before granting any. This
//! crate is the part of that conversation that needs no runtime, so that it serves components and any later kind of
//! guest alike. It may not know tokio, wasmtime, tonic or the contract's types, and it reads no files. An
//! operator sets limits; grants and decisions come with the sandbox, and until then nothing is granted.

#![forbid(unsafe_code)]

mod explain;
mod operator;
mod request;

pub use explain::explain;
pub use operator::{Isolation, LimitSettings, OperatorFile, OperatorFileError};
pub use request::{
    Access, EnvironmentRequest, FilesystemRequest, LimitName, LimitRequest, NetworkRequest, Phase, RequestError,
    Requests,
};
