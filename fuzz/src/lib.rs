//! Fuzz targets: what a guest or a peer controls, as functions of bytes.
//!
//! A sandbox is as good as the code that reads what comes out of it. Each [`Target`] reads bytes of one kind and states what must
//! hold whatever they are: it ends, in memory that the bytes don't decide, and what was understood comes back the same.
//! Three drivers share them: `cargo test` changes what is in `corpus/` for a few seconds; `cargo run -p bulkhead-fuzz -- TARGET`
//! runs libFuzzer, which is led by coverage, on the pinned toolchain, or with `--blind` the same changes as the tests for as long
//! as one likes; and any other fuzzer may call [`Target::run`].
//!
//! This crate holds no product code, and nothing depends on it.

mod instrumentation;
mod mutation;
mod path;
mod schema;
mod target;
mod wire;

pub use instrumentation::{as_compiler, stand_in};
pub use mutation::Mutation;
pub use target::Target;
