//! Where things are: the repository, and a directory of this crate's own in cargo's target directory.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The repository's root.
pub(super) fn repository() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// A directory of this crate's own in the target directory that this executable was built into.
///
/// # Errors
/// There is no target directory, or it can't be written to.
pub(crate) fn own(name: &str) -> Result<PathBuf> {
    let executable = std::env::current_exe().context("find this executable")?;
    // Cargo tags only those that it makes, and guests that were built first have made it: theirs lies within it.
    let is_left = |directory: &Path, file: &str| directory.join(file).is_file();
    let target = executable.ancestors().find(|at| is_left(at, ".rustc_info.json") || is_left(at, "CACHEDIR.TAG"));
    let target = target.context("find cargo's target directory: run this with `cargo run`")?;
    let directory = target.join("benchmarks").join(name);
    fs::create_dir_all(&directory).with_context(|| format!("make {}", directory.display()))?;
    Ok(directory)
}
