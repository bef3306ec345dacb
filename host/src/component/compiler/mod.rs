//! The compiler's process: Bulkhead's own executable, started again to make machine code of one component.
//!
//! A thread that compiles can't be ended from outside, what it takes can't be bounded, and its crash is that of all calls. A
//! process has none of this. It is given a component through its stdin and a bound for its memory, and nothing else of its host's:
//! neither its environment nor its directory. It runs nothing of what it compiles.
//!
//! ```text
//!   process (the host's side)                                   inside (the other)
//!      EXECUTABLE --compile-component LENGTH [MEMORY]  ──────►  bounds itself
//!      the component, and then nothing for as long as      ───►  compiles; ends when its stdin does
//!        the host wants the answer
//!      ◄── machine code (stdout) and 0, or why not (stderr) and 1 ── or something else: it crashed
//! ```

mod inside;
mod process;
mod unfolded;

pub(crate) use inside::compile_component;
pub use process::Compiler;
