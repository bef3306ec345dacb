//! `source.proto`: where in a program a call was made.

pub use crate::generated::pulumirpc::{SourcePosition, StackFrame, StackTrace};
