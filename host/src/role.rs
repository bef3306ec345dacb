//! What this process is, by the name it was called as, and how its failure is told.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::cli;
use crate::plugin::{self, Plugin, PluginError, plugin_name};
use crate::process::{default_cache, on_a_deep_stack, runtime};

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
