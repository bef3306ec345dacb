//! The native peer: `benchmarks/peer`, built as providers are released.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::directory::{own, repository};

/// Builds the peer's executable. Go builds only what changed.
pub(super) fn build() -> Result<PathBuf> {
    let executable = own("peer")?.join("pulumi-resource-benchmark");
    let mut go = Command::new("go");
    go.args(["build", "-mod", "readonly", "-trimpath", "-ldflags", "-s -w", "-o"]).arg(&executable).arg(".");
    go.current_dir(repository().join("benchmarks/peer")).env("CGO_ENABLED", "0").stdin(Stdio::null());
    let status = go.status().context("build the peer: start go (install Go 1.26 from https://go.dev/dl)")?;
    ensure!(status.success(), "build the peer: go ended with {status}");
    Ok(executable)
}
