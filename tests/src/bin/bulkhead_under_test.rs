//! The host's executable under another name, so that cargo builds it before the tests that run it.

use std::process::ExitCode;

fn main() -> ExitCode {
    bulkhead::run(std::env::args_os().collect())
}
