//! What this process is, by the name it was called as, and how its failure is told.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use crate::audit::HostCalls;
use crate::cli::{self, CommandError};
use crate::component::compile_component;
use crate::plugin::{self, BASE, Plugin, PluginError, is_language_host, plugin_name};
use crate::process::{default_cache, have_files_open, on_a_deep_stack, runtime};

/// Runs the process that these arguments, the program's name first, describe.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    // Whatever it is called: a compiler is any of the others, started again by itself.
    if let Some(compiled) = compile_component(&arguments) {
        return compiled;
    }
    have_files_open();
    // The first thread's stack is as small as a user likes (`ulimit -s`), and even to read arguments takes more than that may be.
    let ended = on_a_deep_stack(|| started(arguments));
    ended.unwrap_or_else(|error| {
        let error = CommandError::unstarted(&error);
        cli::report(&error, error.hint.clone())
    })
}

fn started(arguments: Vec<OsString>) -> ExitCode {
    let Some(argument0) = arguments.first().cloned() else { return ExitCode::from(64) };
    let rest: Vec<String> = arguments.iter().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    if let Some(text) = introduction(&argument0, &rest) {
        return cli::said(text.as_bytes(), ExitCode::SUCCESS);
    }
    if is_language_host(&argument0) && !is_commanded(&rest) {
        // What it writes is shown to users as it is, so nothing is logged but where a provider's engine takes it.
        tracing_subscriber::registry().with(plugin::warnings()).with(HostCalls.with_filter(HostCalls)).init();
        return ended(until_done(async || plugin::host_language(&rest, &default_cache()).await));
    }
    let warnings = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false).event_format(Plainly);
    tracing_subscriber::registry()
        .with(warnings.with_filter(LevelFilter::WARN))
        .with(plugin::warnings())
        .with(HostCalls.with_filter(HostCalls))
        .init();
    match plugin_name(&argument0) {
        // Whoever has a bundle and nothing else has the commands that denials name, too. Engines pass an address, or nothing.
        Some(_) if is_commanded(&rest) => cli::run(arguments),
        None => cli::run(arguments),
        Some(name) if name == BASE => ended(until_done(async || plugin::provide_base(&rest, &default_cache()).await)),
        Some(name) => ended(provider(name, &argument0, &rest)),
    }
}

/// Lines as commands tell them: engines and files get them too, and nobody reads colours, levels or names of modules there.
struct Plainly;

impl<S, N> FormatEvent<S, N> for Plainly
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut to: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        to.write_str(if *event.metadata().level() == Level::ERROR { "error: " } else { "warning: " })?;
        context.format_fields(to.by_ref(), event)?;
        to.write_char('\n')
    }
}

/// What a plugin tells somebody who tries it by hand, and would else be shown a port and wait for ever. No engine asks that.
fn introduction(argument0: &OsStr, rest: &[String]) -> Option<String> {
    if !is_language_host(argument0) && plugin_name(argument0).is_none() {
        return None;
    }
    let name = Path::new(argument0).file_name()?.to_string_lossy();
    let version = format!("bulkhead {}\n", env!("CARGO_PKG_VERSION"));
    match rest {
        [asked] if asked == "--version" || asked == "-V" => Some(version),
        [asked] if asked == "--help" || asked == "-h" => Some(format!(
            "{version}{name} is a plugin: engines start it and attach to the port that it prints.\n\
             For people it has the commands of `bulkhead`: `{name} help`.\n"
        )),
        _ => None,
    }
}

/// Whether somebody has a plugin run a command. Most have only to look at an address for it.
fn is_commanded(rest: &[String]) -> bool {
    let word = rest.first().filter(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()));
    word.is_some_and(|word| cli::is_command(word))
}

fn provider(name: String, argument0: &OsStr, rest: &[String]) -> Result<(), PluginError> {
    let executable = std::env::current_exe().ok();
    let search = std::env::var_os("PATH");
    let plugin = Plugin::find(&name, argument0, executable.as_deref(), search.as_deref())
        .map_err(|looked| PluginError::NoComponent { name, looked });
    until_done(async move || plugin::run(plugin, rest, &default_cache()).await)
}

/// Runs what serves an engine to its end.
fn until_done(serving: impl AsyncFnOnce() -> Result<(), PluginError>) -> Result<(), PluginError> {
    let runtime = runtime()?;
    let served = runtime.block_on(serving());
    // What still runs by then has had its time.
    runtime.shutdown_background();
    served
}

fn ended(served: Result<(), PluginError>) -> ExitCode {
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => cli::report(&error, error.hint()),
    }
}
