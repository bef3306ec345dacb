//! Commands and their arguments.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use super::error::{CommandError, report};
use super::{build, bundle, check, grant, inspect, new, schema, serve};
use crate::component::Cache;
use crate::process::{default_cache, runtime};

/// Runs infrastructure providers as sandboxed WebAssembly components.
#[derive(Debug, Parser)]
#[command(name = "bulkhead", version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build a provider crate into a component, with its schema and manifest embedded
    Build {
        /// The crate's directory
        #[arg(default_value = ".")]
        directory: PathBuf,
        /// The component to write; NAME.wasm in the present directory by default
        #[arg(short, long)]
        output: Option<PathBuf>,
    },
    /// Put a component and this executable together as a plugin that engines find
    Bundle {
        /// The component
        component: PathBuf,
        /// The directory to write to
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Look for mistakes in a component, and try it out as an engine would
    Check(check::Arguments),
    /// Show what a component asks for, and grant it in the project's bulkhead.toml
    Grant(grant::Arguments),
    /// Show what a component is, exports, asks for, and is granted
    Inspect {
        /// The component
        component: PathBuf,
        /// Write JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the files of a small provider into a new directory, to begin with
    New {
        /// The package's name, and the directory's
        name: String,
        /// The directory `guest-sdk` of a checkout of Bulkhead
        #[arg(long, value_name = "DIR")]
        sdk: PathBuf,
    },
    /// Show a component's package schema
    Schema {
        /// The component
        component: PathBuf,
    },
    /// Serve a component to engines that attach to it, and load it again whenever it changes
    Serve {
        /// The component
        component: PathBuf,
        /// The port of 127.0.0.1; a free one by default
        #[arg(short, long, default_value_t = 0, hide_default_value = true)]
        port: u16,
    },
}

/// Whether a word names a command.
pub(crate) fn is_command(word: &str) -> bool {
    word == "help" || Arguments::command().get_subcommands().any(|command| command.get_name() == word)
}

/// Runs the command line. Bad usage exits with 64.
pub(crate) fn run(arguments: Vec<OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { ExitCode::from(64) } else { ExitCode::SUCCESS };
            return ended(error.print(), code);
        }
    };
    match execute(arguments.command, &default_cache()) {
        Ok((output, code)) => said(&output, code),
        Err(error) => {
            let hint = error.hint.clone();
            report(&error, hint)
        }
    }
}

/// Says what there is to say, and gives the exit code.
pub(crate) fn said(output: &[u8], code: ExitCode) -> ExitCode {
    let mut stdout = std::io::stdout().lock();
    ended(stdout.write_all(output).and_then(|()| stdout.flush()), code)
}

/// The exit code of a command that has said what it had to say. Who closed a pipe has read enough; but a file that is short of
/// something is what somebody will take for the whole.
fn ended(written: io::Result<()>, code: ExitCode) -> ExitCode {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let hint = "write to where there is room; the command itself has done what it does";
            report(&CommandError::new(format!("write the output: {error}")), Some(hint.to_owned()))
        }
        _ => code,
    }
}

/// Executes a command: what it has to say on stdout, and the exit code.
fn execute(command: Command, cache: &Cache) -> Result<(Vec<u8>, ExitCode), CommandError> {
    let runtime = runtime().map_err(|error| CommandError::unstarted(&error))?;
    let executed = runtime.block_on(async {
        let said = match command {
            Command::Check(arguments) => {
                let (text, wrong) = check::check(&arguments, cache).await?;
                return Ok((text, if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }));
            }
            Command::Build { directory, output } => build::build(&directory, output.as_deref(), cache).await,
            Command::Bundle { component, output } => bundle::bundle(&component, &output, cache).await,
            Command::Grant(arguments) => grant::grant(&arguments, cache).await,
            Command::Inspect { component, json } => inspect::inspect(&component, json, cache).await,
            Command::New { name, sdk } => new::new(&name, &sdk),
            Command::Schema { component } => schema::schema(&component, cache).await,
            Command::Serve { component, port } => serve::serve(&component, port, cache).await,
        };
        said.map(|text| (text, ExitCode::SUCCESS))
    });
    // What still runs by then has had its time.
    runtime.shutdown_background();
    executed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_closed_pipe_is_no_failure() {
        let code = |written| format!("{:?}", ended(written, ExitCode::SUCCESS));
        let (success, failure) = (format!("{:?}", ExitCode::SUCCESS), format!("{:?}", ExitCode::FAILURE));
        assert_eq!(code(Ok(())), success);
        assert_eq!(code(Err(io::ErrorKind::BrokenPipe.into())), success);
        assert_eq!(code(Err(io::ErrorKind::StorageFull.into())), failure);
    }
}
