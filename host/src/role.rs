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
                .and_then(|plugin| {
                    on_a_deep_stack(|| {
                        let runtime = runtime()?;
                        let served = runtime.block_on(plugin::run(&plugin, &rest, &default_cache()));
                        // What still runs by then has had its time.
                        runtime.shutdown_background();
                        served
                    })?
                });
            match served {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => cli::report(&error, error.hint()),
            }
        }
    }
}

/// What the deepest values need in the least optimised build, bytes.
const STACK: usize = 16 << 20;

/// The runtime of all roles: one thread, since what engines ask is mostly answered sooner than another thread is woken. Guests
/// that take long and large requests leave it.
pub(crate) fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().thread_stack_size(STACK).enable_all().build()
}

/// Runs something on a thread whose stack doesn't depend on the user's limits.
fn on_a_deep_stack<T: Send>(run: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("engine".to_owned()).stack_size(STACK).spawn_scoped(scope, run)?;
        thread.join().map_err(|_| std::io::Error::other("the host failed"))
    })
}

/// The cache of compiled components: `BULKHEAD_CACHE_DIR`, or `bulkhead` in the user's cache directory.
pub(crate) fn default_cache() -> Cache {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let directory = named("BULKHEAD_CACHE_DIR")
        .or_else(|| named("XDG_CACHE_HOME").map(|cache| cache.join("bulkhead")))
        .or_else(|| std::env::home_dir().map(|home| home.join(".cache").join("bulkhead")));
    directory.map_or_else(Cache::disabled, Cache::new)
}
