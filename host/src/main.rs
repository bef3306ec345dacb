//! One executable. What it is called as decides what it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    bulkhead::run(std::env::args_os().collect())
}
