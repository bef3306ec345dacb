//! A provider that attacks in some of its calls, and a language host to serve several of it in one process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::bulkhead::Bulkhead;
use super::directory::{own, repository};

/// The guest: an example of `tests/guests/hostile`.
const GUEST: &str = "some-calls";
/// What is soon exceeded, so that an attack is over soon after it was stopped; and memory that eight can have at once.
const OPERATOR: &str = "[limits]\ncompute = \"200ms\"\nwall = \"500ms\"\nmemory = \"512MiB\"\n";

/// What is attacked.
#[derive(Debug)]
pub(crate) struct Hosting {
    /// The language host.
    pub(crate) executable: PathBuf,
    /// Where compiled code is kept.
    pub(crate) cache: PathBuf,
    /// The directory of the project that the providers serve, which is theirs, too.
    pub(crate) project: PathBuf,
}

/// Builds the guest, and puts it where a language host finds it.
pub(super) fn prepare(bulkhead: &Bulkhead) -> Result<Hosting> {
    let (directory, cache) = (own("attacked")?, own("cache/attacked")?);
    let project = directory.join("project");
    fs::create_dir_all(&project).context("make a project")?;
    fs::copy(built()?, project.join("hostile.wasm")).context("copy the guest")?;
    fs::write(project.join("Pulumi.yaml"), "name: attacked\nruntime: yaml\n").context("write a project")?;
    fs::write(project.join("PulumiPlugin.yaml"), "runtime: wasm\n").context("write a plugin")?;
    fs::write(project.join("bulkhead.toml"), OPERATOR).context("write limits")?;
    let executable = directory.join("pulumi-language-wasm");
    fs::copy(bulkhead.executable(), &executable).context("copy the executable")?;
    Ok(Hosting { executable, cache, project })
}

/// The component of the guest.
fn built() -> Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--example", GUEST, "--locked", "--target", "wasm32-wasip2"]);
    cargo.args(["--message-format", "json-render-diagnostics"]);
    cargo.current_dir(repository().join("tests/guests/hostile")).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = cargo.output().context("start cargo")?;
    ensure!(output.status.success(), "build {GUEST}: cargo ended with {}", output.status);
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let files = messages.filter_map(|message| Some(message.get("filenames")?.as_array()?.clone()));
    let named = |file: &PathBuf| {
        let stem = |path: &Path| path.file_stem().is_some_and(|stem| stem.to_string_lossy().replace('_', "-") == GUEST);
        stem(file) && file.extension().is_some_and(|kind| kind == "wasm")
    };
    let mut components = files.flatten().filter_map(|file| file.as_str().map(PathBuf::from)).filter(named);
    components.next_back().with_context(|| format!("build {GUEST}: cargo named no component"))
}
