//! Providers as engines find them: each way to be launched, and the contract with whoever launched it.
//!
//! The launch contract lives here and nowhere else: where the component is, what stands on stdout (one line, the port), and
//! when the process leaves. Everything slow happens before the port line, for which engines wait without limit.
//!
//! ```text
//!   resource   pulumi-resource-NAME    one provider, whose component lies beside the executable
//!   base       pulumi-resource-wasm    whichever component its parameter refers to
//!   language   pulumi-language-wasm    the providers of plugin directories, all in one process
//!   serve      bulkhead serve X.wasm   one provider at a port that engines attach to, again and again
//!       │
//!       ▼
//!   load (file → offer), refusal (instead of one) · operator (files) · engine_log, warned · server, announce, shutdown (the process)
//! ```

mod announce;
mod base;
mod engine_log;
mod error;
mod incoming;
mod language;
mod load;
mod operator;
mod refusal;
mod resource;
mod said;
mod serve;
mod server;
mod shutdown;
mod warned;

pub use base::{BASE, provide_base};
pub use error::PluginError;
pub use language::{DirectoryError, host_language, is_language_host};
pub use operator::{
    OperatorError, TrialFiles, absolute, is_in_project, limits, permissions, permissions_with, project_file,
    read as read_operator_file, review,
};
pub use resource::{Plugin, plugin_name, run};
pub use serve::{Served, Told, serve};
pub(crate) use shutdown::Departure;
pub(crate) use warned::warnings;
