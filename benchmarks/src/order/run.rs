//! A run under a tracer, of what most runs consist of: start, configuration, and each operation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use tokio::runtime::Builder;

use super::breakpoints;
use super::script::script;
use super::symbols::functions;
use crate::arguments::Arguments;
use crate::artefacts::{own, provider};
use crate::contender::Contender;
use crate::operation::Operation;
use crate::plugin::Plugin;
use crate::requests::Requests;

/// Names the executable that this process traces, where it does.
const TRACED: &str = "BULKHEAD_BENCHMARKS_TRACED";
/// Names the file for what it reached.
const REACHED: &str = "BULKHEAD_BENCHMARKS_REACHED";
/// How often each operation is done. What happens every so often happens too, then.
const TIMES: usize = 100;

/// Traces, if this process was started to.
pub(crate) fn tracing() -> Option<Result<ExitCode>> {
    let (traced, reached) = (std::env::var_os(TRACED)?, std::env::var_os(REACHED)?);
    Some(breakpoints::run(Path::new(&traced), Path::new(&reached)))
}

/// The linker script for the executable that is asked for, which has to have its symbols.
///
/// # Errors
/// It doesn't have them, doesn't start, or doesn't answer.
pub(crate) fn order(arguments: &Arguments) -> Result<String> {
    let ours = provider(arguments)?;
    let (executable, reached) = (ours.executable.clone(), own("order")?.join("reached"));
    let functions = functions(&executable)?;
    let mut environment = ours.environment.clone();
    environment.extend([(TRACED, executable), (REACHED, reached.clone())]);
    let tracer: PathBuf = std::env::current_exe().context("find this executable")?;
    let contender = Contender { executable: tracer, environment, ..ours };
    let runtime = Builder::new_multi_thread().enable_all().build().context("start the callers")?;
    runtime.block_on(calls(&contender))?;
    let reached = std::fs::read_to_string(&reached).context("read what it reached")?;
    let reached: Vec<u64> = reached.lines().filter_map(|address| address.parse().ok()).collect();
    Ok(script(&functions, &reached))
}

async fn calls(contender: &Contender) -> Result<()> {
    let mut plugin = Plugin::start(contender).await?;
    let requests = Requests::random_string(contender, &mut plugin.client).await?;
    for operation in Operation::ALL {
        for _ in 0..TIMES {
            requests.perform(operation, &mut plugin.client).await?;
        }
    }
    Ok(())
}
