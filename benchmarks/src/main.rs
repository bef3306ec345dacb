//! What a provider costs under Bulkhead, beside what the same provider costs as a native executable.
//!
//! Speed is only worth a figure as a ratio: machines differ, and shared ones differ from minute to minute. So each measurement
//! takes all contenders in turn, on the same machine and in the same minutes, and says how busy others kept the machine. Nothing
//! here asserts: a benchmark that fails a build on a busy day teaches people to ignore it.
//!
//! ```text
//!   artefacts (built) ──► Contender ── started as ──► Plugin ── called by ──► load ──► Sample
//!                                                        └── read from /proc by ──► process
//!                      measure (one file per measurement) ──► report (tables, verdicts)
//! ```
//!
//! `order` measures nothing: it finds out which functions the linker has to put together.
//!
//! Linux only: processor time and memory come from `/proc`.

mod arguments;
mod artefacts;
mod attack;
mod contender;
mod host;
mod hostile;
mod load;
mod measure;
mod mix;
mod operation;
mod order;
mod plan;
mod plugin;
mod process;
mod replay;
mod report;
mod requests;
mod statistics;
mod values;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, What};

#[allow(clippy::print_stdout, clippy::print_stderr, reason = "the report and its progress are what this is for")]
fn main() -> ExitCode {
    let done = order::tracing().or_else(replay::replaying).unwrap_or_else(|| {
        let arguments = Arguments::parse();
        match arguments.what {
            What::Order => print!("{}", order::order(&arguments)?),
            _ => print!("{}", measure::run(&arguments)?),
        }
        Ok(ExitCode::SUCCESS)
    });
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: failed to {error:#}");
            ExitCode::FAILURE
        }
    }
}
