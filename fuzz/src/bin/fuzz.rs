//! Runs libFuzzer on a target: builds what is fuzzed with coverage, and starts from the corpus that is checked in.
//!
//! ```text
//! cargo run -p bulkhead-fuzz -- wire --seconds 600
//! ```
//!
//! What crashes is written to `fuzz/artifacts/TARGET`, and runs again with `--input FILE`. New inputs that reach new code are kept in
//! the target directory, for the next run.

use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use bulkhead_fuzz::{Mutation, Target, as_compiler, stand_in};
use clap::Parser;

/// Fuzzes what a guest or a peer controls.
#[derive(Parser)]
struct Arguments {
    /// wire, tree, schema or path
    target: String,
    /// For how long
    #[arg(long, default_value_t = 600)]
    seconds: u32,
    /// Changes inputs without looking at what they reach: needs no C++ compiler, and finds less
    #[arg(long)]
    blind: bool,
    /// What blind changes are drawn from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Runs one input instead, such as one that crashed
    #[arg(long)]
    input: Option<PathBuf>,
}

fn main() -> ExitCode {
    if let Some(mut compiler) = as_compiler(std::env::args_os().skip(1)) {
        let code = compiler.status().ok().and_then(|status| status.code());
        return code.and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from);
    }
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // With stderr closed there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "error: failed to {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let name = &arguments.target;
    let Some(target) = Target::named(name) else { bail!("fuzz `{name}`: there are wire, tree, schema and path") };
    if let Some(input) = &arguments.input {
        target.run(&fs::read(input).with_context(|| format!("read {}", input.display()))?);
        return Ok(());
    }
    if arguments.blind {
        return blindly(target, arguments);
    }
    let root = target.corpus();
    let package = root.ancestors().nth(2).context("find the fuzz crate")?;
    let found = package.join("artifacts").join(name);
    let kept = std::env::temp_dir().join("bulkhead-fuzz").join(name);
    for directory in [&found, &kept] {
        fs::create_dir_all(directory).with_context(|| format!("make {}", directory.display()))?;
    }
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let features = if target.is_in_host() { "libfuzzer,host" } else { "libfuzzer" };
    command.current_dir(package).args(["run", "-p", "bulkhead-fuzz", "--no-default-features", "--features", features]);
    command.args(["--bin", "libfuzzer", "--"]);
    command.arg(&kept).arg(&root);
    command.arg(format!("-max_total_time={}", arguments.seconds)).arg(format!("-artifact_prefix={}/", found.display()));
    command.args(["-print_final_stats=1", "-timeout=10", "-rss_limit_mb=2048", "-max_len=16384"]);
    let dictionary = package.join("dictionaries").join(format!("{name}.dict"));
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    command.env("BULKHEAD_FUZZ_TARGET", name);
    stand_in(&mut command).context("find this executable")?;
    let status = command.status().context("start cargo")?;
    ensure!(status.success(), "keep `{name}` from failing: {} has what it failed on", found.display());
    Ok(())
}

/// Changes inputs until the time is over. What fails is told, and ends the run.
fn blindly(target: Target, arguments: &Arguments) -> Result<()> {
    let corpus = target.inputs().context("read the corpus")?;
    let mut mutation = Mutation::of(corpus, arguments.seed);
    let (begun, mut runs) = (Instant::now(), 0_u64);
    while begun.elapsed() < Duration::from_secs(arguments.seconds.into()) {
        let input = mutation.next_input();
        let outcome = catch_unwind(AssertUnwindSafe(|| target.run(&input)));
        ensure!(outcome.is_ok(), "keep `{}` from failing on {:?}", target.name(), String::from_utf8_lossy(&input));
        runs += 1;
    }
    let said = format!("{}: {runs} inputs in {} s\n", target.name(), begun.elapsed().as_secs());
    Ok(std::io::stdout().write_all(said.as_bytes())?)
}
