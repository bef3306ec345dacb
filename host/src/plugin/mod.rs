//! A provider as a process that an engine starts: `pulumi-resource-NAME`.
//!
//! The launch contract lives here and nowhere else: where the component is, what stands on stdout (one line, the port), and
//! when the process leaves. Everything slow happens before the port line, for which engines wait without limit.

mod announce;
mod engine_log;
mod launch;
mod locate;
mod operator;
mod serve;
mod shutdown;

pub use launch::{PluginError, run};
pub use locate::{Plugin, plugin_name};
pub use operator::OperatorError;
