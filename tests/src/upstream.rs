//! Programs on top of upstream's Go modules (`tests/conformance/suite`), so that what judges a provider is upstream's own code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bulkhead::cache;
use crate::guest::repository;
use crate::process::{Finished, run};
use crate::pulumi::go;
use crate::target;

/// Builds a program of the module: a few seconds where the Pulumi CLI has been built from the same modules, minutes elsewhere.
///
/// # Panics
/// No Go, or no modules.
#[track_caller]
pub(crate) fn program(package: &str, called: &str) -> PathBuf {
    let executable = target::directory().join("conformance").join(called);
    target::exclusively("pulumi-cli.lock", || {
        let mut go = go(&repository().join("tests").join("conformance").join("suite"), "");
        let status = go.arg("-o").arg(&executable).arg(package).status();
        let status = status.expect("Go should be installed: https://go.dev/dl");
        assert!(status.success(), "{package} should build: go ended with {status}");
    });
    executable
}

/// The client that upstream's engine has of providers, as a program of its own.
pub struct Client {
    executable: PathBuf,
}

impl Client {
    /// Builds it.
    ///
    /// # Panics
    /// No Go, or no modules.
    #[track_caller]
    pub fn build() -> Self {
        Self { executable: program("./client", "client") }
    }

    /// Walks through the plugins in a directory with the resource monitor at an address, and returns what came of each call.
    #[track_caller]
    pub fn walk(&self, plugins: &Path, monitor: &str) -> Finished {
        let mut client = Command::new(&self.executable);
        client.arg(plugins).arg(monitor).env("BULKHEAD_CACHE_DIR", cache());
        run(&mut client)
    }

    /// Holds schemas to upstream's metaschema, and returns what came of each.
    #[track_caller]
    pub fn schemas(&self, files: &[PathBuf]) -> Finished {
        run(Command::new(&self.executable).arg("schemas").args(files))
    }
}

/// Puts what writes SDKs for Node.js and Python into a directory, under the names by which the CLI looks for it.
///
/// # Panics
/// No Go, no modules, or no room.
#[track_caller]
pub fn sdk_generators(directory: &Path) {
    let executable = program("./generator", "generator");
    for language in ["nodejs", "python"] {
        let copy = directory.join(format!("pulumi-language-{language}"));
        fs::copy(&executable, copy).expect("the target directory should be writable");
    }
}
