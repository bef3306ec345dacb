//! Which functions of the executable run when a provider is started and called, as the linker is told to put them together.
//!
//! The executable is large, mostly by a compiler that hardly any run needs. Of what a run does need, 2.5 MB, there is something in almost every
//! corner of it, and the system maps 64 KiB around each. Side by side they take a third of the memory, and fewer entries of the
//! caches that every call begins with.
//!
//! ```text
//!   symbols (nm) ──► breakpoints (a process of its own) ── those that were hit ──► script (host/first.ld)
//! ```

mod breakpoints;
mod run;
mod script;
mod symbols;

pub(crate) use run::{order, tracing};
