//! The real Pulumi CLI, with its host for YAML programs.
//!
//! One on the PATH is used if it is recent enough. Else both executables are built from their Go modules
//! (`tests/pulumi-cli`, exact versions), which takes minutes once and no network afterwards: there is no release of the CLI
//! in a package registry.

use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use crate::guest::repository;
use crate::target;

/// The version that is built: major, minor, patch. A CLI on the PATH may be of a later minor version.
const VERSION: (u32, u32, u32) = (3, 259, 0);
/// The packages of the two executables.
const PACKAGES: [&str; 2] =
    ["github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"];
const EXECUTABLES: [&str; 2] = ["pulumi", "pulumi-language-yaml"];

/// The CLI.
#[derive(Clone, Debug)]
pub struct Pulumi {
    directory: PathBuf,
}

/// Why there is no CLI.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PulumiError {
    /// Go isn't installed.
    #[error(
        "failed to build the Pulumi CLI: start go: {0}\n\
         hint: install Go from https://go.dev/dl, or Pulumi v3.259.0 or later from https://www.pulumi.com/docs/install"
    )]
    NoGo(String),
    /// Go couldn't build it.
    #[error(
        "failed to build the Pulumi CLI: go ended with {0}; its messages are above\n\
         hint: the build needs about 5 GB of disk, and a Go module proxy the first time"
    )]
    Build(ExitStatus),
    /// The result can't be kept.
    #[error("failed to build the Pulumi CLI: write to the target directory: {0}")]
    Write(String),
}

impl Pulumi {
    /// The CLI, found or built, once for this process. `told` hears before anything slow is done.
    ///
    /// # Errors
    /// No CLI, and no Go to build one.
    pub fn obtain(told: impl FnOnce(&str)) -> Result<Self, PulumiError> {
        static OBTAINED: OnceLock<Result<Pulumi, PulumiError>> = OnceLock::new();
        OBTAINED.get_or_init(|| Self::on_path().map_or_else(|| Self::built(told), Ok)).clone()
    }

    /// The directory of both executables.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    fn on_path() -> Option<Self> {
        let path = std::env::var_os("PATH")?;
        let complete = |directory: &PathBuf| EXECUTABLES.iter().all(|name| directory.join(name).is_file());
        let found = std::env::split_paths(&path).filter(complete).map(|directory| Self { directory });
        found.into_iter().find(Self::is_recent)
    }

    fn is_recent(&self) -> bool {
        let mut version = Command::new(self.directory.join("pulumi"));
        version.arg("version").env("PULUMI_SKIP_UPDATE_CHECK", "true").stdin(Stdio::null());
        version.output().is_ok_and(|output| fits(&String::from_utf8_lossy(&output.stdout)))
    }

    fn built(told: impl FnOnce(&str)) -> Result<Self, PulumiError> {
        let module = repository().join("tests").join("pulumi-cli");
        let sums = fs::read(module.join("go.sum")).map_err(|error| PulumiError::Write(error.to_string()))?;
        let mut hasher = DefaultHasher::new();
        (VERSION, sums).hash(&mut hasher);
        let parent = target::directory().join("pulumi-cli");
        let directory = parent.join(format!("{:016x}", hasher.finish()));
        target::exclusively("pulumi-cli.lock", || {
            if !directory.is_dir() {
                told("building the Pulumi CLI from its Go modules, which takes some minutes the first time");
                let written = |result: io::Result<()>| result.map_err(|error| PulumiError::Write(error.to_string()));
                let unfinished = parent.join("unfinished");
                written(fs::create_dir_all(&unfinished))?;
                build(&module, &unfinished)?;
                written(fs::rename(&unfinished, &directory))?;
            }
            Ok(Self { directory })
        })
    }
}

/// Whether a version as the CLI prints it, e.g. `v3.259.0`, is recent enough.
fn fits(version: &str) -> bool {
    let mut parts = version.trim().trim_start_matches('v').split('.').map_while(|part| part.parse::<u32>().ok());
    let (major, minor, _) = VERSION;
    parts.next() == Some(major) && parts.next().is_some_and(|found| found >= minor)
}

fn build(module: &Path, out: &Path) -> Result<(), PulumiError> {
    let (major, minor, patch) = VERSION;
    // Without it the CLI takes itself for a development build and asks nobody for plugins.
    let version = format!("github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v{major}.{minor}.{patch}");
    let mut out = out.as_os_str().to_owned();
    out.push(OsStr::new("/"));
    let mut go = go(module, &format!("-X {version}"));
    let status = go.arg("-o").arg(out).args(PACKAGES).status().map_err(|error| PulumiError::NoGo(error.to_string()))?;
    if status.success() { Ok(()) } else { Err(PulumiError::Build(status)) }
}

/// Go's compiler for the packages of a module. All that is compiled has the same flags, so that what the CLI and others consist of
/// is compiled once.
pub(crate) fn go(module: &Path, link: &str) -> Command {
    let mut go = Command::new("go");
    go.current_dir(module).env("CGO_ENABLED", "0").stdin(Stdio::null());
    // Without what Google's storage has for gRPC, a hundred packages that states in files have nothing to do with.
    go.args(["build", "-p", "2", "-mod", "readonly", "-trimpath", "-tags", "disable_grpc_modules"]);
    go.args(["-ldflags", &format!("-s -w {link}")]);
    go
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_later_minor_version_will_do() {
        for (version, will_do) in [
            ("v3.259.0\n", true),
            ("v3.272.1", true),
            ("3.300.0-alpha.1+dirty", true),
            ("v3.258.9", false),
            ("v4.0.0", false),
            ("", false),
        ] {
            assert_eq!(fits(version), will_do, "{version}");
        }
    }
}
