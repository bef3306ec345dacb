//! The executable under test, as a command line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Finished, run};
use crate::settings::hide_settings;
use crate::target;

/// Bulkhead's executable.
#[derive(Clone, Debug)]
pub struct Bulkhead {
    executable: PathBuf,
}

impl Bulkhead {
    /// The executable at a path.
    pub fn new(executable: impl Into<PathBuf>) -> Self {
        Self { executable: executable.into() }
    }

    /// The executable's path.
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// A command line, not started. Compiled components are cached for all tests, as they are for all commands of a user.
    pub fn command(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(&self.executable);
        command.args(arguments).env("BULKHEAD_CACHE_DIR", cache());
        hide_settings(&mut command);
        command
    }

    /// Runs a command line.
    #[track_caller]
    pub fn run(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Finished {
        run(&mut self.command(arguments))
    }
}

/// The cache of compiled components that all tests share.
pub(crate) fn cache() -> PathBuf {
    target::directory().join("guests-out").join("cache")
}
