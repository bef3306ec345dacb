//! Bulkhead's side: the executable that users get, and bundles made with its own commands.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::directory::{own, repository};

/// The executable.
#[derive(Clone, Debug)]
pub(super) struct Bulkhead {
    executable: PathBuf,
}

/// A component, put together with the executable as a plugin.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    /// The plugin's executable.
    pub(super) executable: PathBuf,
    /// The component.
    pub(super) component: PathBuf,
    /// Where its compiled code is kept. Nothing else is.
    pub(super) cache: PathBuf,
}

impl Bulkhead {
    /// An executable that is there already.
    pub(super) fn at(executable: &Path) -> Result<Self> {
        let executable = executable.canonicalize().with_context(|| format!("find {}", executable.display()))?;
        Ok(Self { executable })
    }

    /// Builds the executable, by itself, so that it has no features but its own.
    pub(super) fn build() -> Result<Self> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--release", "--locked", "-p", "bulkhead", "--bin", "bulkhead"]);
        cargo.args(["--message-format", "json-render-diagnostics"]).current_dir(repository());
        let output = cargo.stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("start cargo")?;
        ensure!(output.status.success(), "build bulkhead: cargo ended with {}", output.status);
        let text = String::from_utf8_lossy(&output.stdout);
        let executable = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let mut executable = executable.filter_map(|message| Some(PathBuf::from(message.get("executable")?.as_str()?)));
        Ok(Self { executable: executable.next_back().context("build bulkhead: cargo named no executable")? })
    }

    /// The executable's file.
    pub(super) fn executable(&self) -> &Path {
        &self.executable
    }

    /// Builds a provider crate of the repository into a component and bundles it. Its code is compiled and cached on the way.
    pub(super) fn bundle(&self, name: &str, provider: &str) -> Result<Bundle> {
        let (directory, cache) = (own(&format!("bulkhead/{name}"))?, own(&format!("cache/{name}"))?);
        let component = directory.join(format!("{name}.wasm"));
        let provider = repository().join(provider);
        self.run(["build".as_ref(), provider.as_os_str(), "-o".as_ref(), component.as_os_str()], &cache)?;
        // Building compiled what wasn't described yet.
        fs::remove_dir_all(&cache).with_context(|| format!("empty {}", cache.display()))?;
        let plugin = directory.join("plugin");
        self.run(["bundle".as_ref(), component.as_os_str(), "-o".as_ref(), plugin.as_os_str()], &cache)?;
        Ok(Bundle { executable: plugin.join(format!("pulumi-resource-{name}")), component, cache })
    }

    fn run<'a>(&self, arguments: impl IntoIterator<Item = &'a OsStr>, cache: &Path) -> Result<()> {
        let mut command = Command::new(&self.executable);
        command.args(arguments).env("BULKHEAD_CACHE_DIR", cache).stdin(Stdio::null()).stdout(Stdio::null());
        let status = command.status().with_context(|| format!("start {}", self.executable.display()))?;
        ensure!(status.success(), "run {command:?}: it ended with {status}");
        Ok(())
    }
}
