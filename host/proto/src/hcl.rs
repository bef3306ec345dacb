//! `codegen/hcl.proto`: diagnostics with source ranges, as code generation reports them.

pub use crate::generated::pulumirpc::codegen::{Diagnostic, DiagnosticSeverity, Pos, Range};
