//! What this process is, by the name it was called as, and how its failure is told.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use tokio::runtime::{Builder, Runtime};

use crate::cli;
use crate::component::Cache;
use crate::plugin::{self, Plugin, PluginError, plugin_name};

/// Runs the process that these arguments, the program's name first, describe.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(tracing::Level::WARN).without_time().init();
    let Some(argument0) = arguments.first().cloned() else { return ExitCode::from(64) };
    match plugin_name(&argument0) {
        None => cli::run(arguments),
        Some(name) => {
            let rest: Vec<String> =
                arguments.iter().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
            let executable = std::env::current_exe().ok();
            let served = Plugin::find(&name, &argument0, executable.as_deref())
                .map_err(|looked| PluginError::NoComponent { name, looked })
                .and_then(|plugin| runtime()?.block_on(plugin::run(&plugin, &rest, &default_cache())));
            match served {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => cli::report(&error, error.hint()),
            }
        }
    }
}

/// The runtime of all roles. A guest that computes holds a worker for a tick, so workers look for input after each poll.
pub(crate) fn runtime() -> std::io::Result<Runtime> {
    Builder::new_multi_thread().event_interval(1).thread_stack_size(16 << 20).enable_all().build()
}

/// The cache of compiled components: `BULKHEAD_CACHE_DIR`, or `bulkhead` in the user's cache directory.
pub(crate) fn default_cache() -> Cache {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let directory = named("BULKHEAD_CACHE_DIR")
        .or_else(|| named("XDG_CACHE_HOME").map(|cache| cache.join("bulkhead")))
        .or_else(|| std::env::home_dir().map(|home| home.join(".cache").join("bulkhead")));
    directory.map_or_else(Cache::disabled, Cache::new)
}
