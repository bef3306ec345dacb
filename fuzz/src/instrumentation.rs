//! Coverage for libFuzzer, from the compiler of the pinned toolchain.
//!
//! The pass that counts is part of every compiler; only the sanitizers that look for broken memory need a nightly one, and nothing
//! here is unsafe. Cargo lets a program stand in for the compiler of workspace members alone, so dependencies stay as
//! they were built: of all that runs, only our own code leads the fuzzer.

use std::ffi::OsString;
use std::process::Command;

/// What says that this process stands in for the compiler.
const STAND_IN: &str = "BULKHEAD_FUZZ_INSTRUMENTS";

/// The crates that are fuzzed.
const FUZZED: [&str; 4] = ["bulkhead", "bulkhead_value", "bulkhead_schema", "bulkhead_fuzz"];

/// The compiler's flags: counters of edges, and what comparisons compare.
const FLAGS: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// Lets this executable stand in for the compiler in whatever a cargo command compiles.
///
/// # Errors
/// The executable can't be found.
pub fn stand_in(cargo: &mut Command) -> std::io::Result<()> {
    cargo.env("RUSTC_WORKSPACE_WRAPPER", std::env::current_exe()?).env(STAND_IN, "1");
    Ok(())
}

/// If this process stands in for the compiler: the compiler, with flags for the crates that are fuzzed.
pub fn as_compiler(mut arguments: impl Iterator<Item = OsString>) -> Option<Command> {
    std::env::var_os(STAND_IN)?;
    let mut compiler = Command::new(arguments.next()?);
    let arguments: Vec<OsString> = arguments.collect();
    let named = arguments.iter().skip_while(|argument| *argument != "--crate-name").nth(1);
    let fuzzed = named.and_then(|name| name.to_str()).is_some_and(|name| FUZZED.contains(&name));
    compiler.args(&arguments);
    if fuzzed {
        compiler.args(FLAGS);
    }
    Some(compiler)
}
