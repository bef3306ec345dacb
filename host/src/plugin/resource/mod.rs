//! A provider as a process that an engine starts: `pulumi-resource-NAME` runs `NAME.wasm` beside it.

mod locate;
mod run;

pub use locate::{Plugin, plugin_name};
pub use run::run;
