//! Directories with a `PulumiPlugin.yaml` of `runtime: wasm`, as providers: `pulumi-language-wasm`.
//!
//! For the engine this is a language host that starts plugins. It starts none: each RunPlugin is a listener and a provider of its
//! own in this process, which goes when the stream does. What a language host writes is shown to users, so it writes nothing
//! but the port.

mod directory;
mod host;
mod plugin;
mod run;
mod runtime;

pub use directory::DirectoryError;
pub use run::{host_language, is_language_host};
