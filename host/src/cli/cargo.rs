//! Cargo, as `bulkhead build` needs it: a provider crate compiled to a component.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::error::CommandError;

/// The compile target of components.
const TARGET: &str = "wasm32-wasip2";

/// A compiler message, as far as it matters here.
#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    target: Target,
    #[serde(default)]
    filenames: Vec<PathBuf>,
    #[serde(default)]
    manifest_path: PathBuf,
}

#[derive(Default, Deserialize)]
struct Target {
    #[serde(default)]
    crate_types: Vec<String>,
}

/// Compiles the provider crate in a directory, in release mode: the `.wasm` file that came out.
///
/// # Errors
/// No crate there, no compile target, a failed compilation, or a crate that isn't a provider.
pub(super) fn compile(directory: &Path) -> Result<PathBuf, CommandError> {
    let manifest = directory.join("Cargo.toml");
    if !manifest.is_file() {
        return Err(CommandError::new(format!("build {}: there is no Cargo.toml", directory.display()))
            .hint("name the directory of a provider crate: `bulkhead build DIR`"));
    }
    // All of its crates would be compiled, and none of them found to be the one that was meant.
    if is_workspace_alone(&manifest) {
        return Err(CommandError::new(format!(
            "build {}: its Cargo.toml has a workspace and no crate",
            directory.display()
        ))
        .hint("name the directory of one of the crates: `bulkhead build DIR`"));
    }
    let manifest = manifest
        .canonicalize()
        .map_err(|error| CommandError::new(format!("build {}: {error}", directory.display())))?;
    install_target(directory)?;
    let output = cargo(directory)
        .args(["build", "--release", "--target", TARGET, "--lib", "--message-format", "json-render-diagnostics"])
        .stdout(Stdio::piped())
        .output()
        .map_err(|error| no_rust("cargo", directory, &error))?;
    if !output.status.success() {
        return Err(CommandError::new(format!(
            "build {}: cargo didn't succeed; its messages are above",
            directory.display()
        )));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
    let own = messages.filter(|message| {
        message.reason == "compiler-artifact"
            && message.manifest_path == manifest
            && message.target.crate_types.iter().any(|kind| kind == "cdylib")
    });
    let wasm =
        own.flat_map(|message| message.filenames).find(|path| path.extension().is_some_and(|kind| kind == "wasm"));
    wasm.ok_or_else(|| {
        CommandError::new(format!("build {}: the crate makes no WebAssembly library", directory.display()))
            .hint("add `[lib]` with `crate-type = [\"cdylib\"]` to its Cargo.toml")
    })
}

/// Whether a Cargo.toml has crates elsewhere and none of its own. What can't be read is Cargo's to tell.
fn is_workspace_alone(manifest: &Path) -> bool {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let manifest = text.parse::<toml_edit::DocumentMut>().unwrap_or_default();
    // Older editions say `project`.
    manifest.contains_key("workspace") && !manifest.contains_key("package") && !manifest.contains_key("project")
}

/// Cargo in a directory. A toolchain or target directory chosen for this process is the caller's business.
fn cargo(directory: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(directory).stdin(Stdio::null()).stderr(Stdio::inherit());
    command
}

fn no_rust(tool: &str, directory: &Path, error: &std::io::Error) -> CommandError {
    CommandError::new(format!("build {}: start {tool}: {error}", directory.display()))
        .due_to(error, "install Rust from https://rustup.rs")
}

/// Installs the compile target if rustup is there to do it and it is missing.
fn install_target(directory: &Path) -> Result<(), CommandError> {
    let mut sysroot = Command::new("rustc");
    sysroot.current_dir(directory).args(["--print", "target-libdir", "--target", TARGET]).stderr(Stdio::null());
    let output = sysroot.output().map_err(|error| no_rust("rustc", directory, &error))?;
    if output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir() {
        return Ok(());
    }
    let added =
        Command::new("rustup").current_dir(directory).args(["target", "add", TARGET]).stdout(Stdio::null()).status();
    if added.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(CommandError::new(format!("build {}: the compile target {TARGET} isn't installed", directory.display()))
        .hint(format!("rustup target add {TARGET}")))
}
