//! `bulkhead build`: a provider crate, compiled, described and checked, as one component.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::cargo;
use super::component::here;
use super::error::CommandError;
use super::whole::{remedy, replace};
use crate::component::{Cache, Description, Loaded, Runtime, digest, embed};

/// Builds a provider crate and says what came out. The component holds its schema and manifest in custom sections, so that no
/// host has to run it to learn what it is.
///
/// # Errors
/// A crate that doesn't compile, or isn't a provider, or describes itself wrongly.
pub async fn build(directory: &Path, output: Option<&Path>, cache: &Cache) -> Result<Vec<u8>, CommandError> {
    let compiled = cargo::compile(directory)?;
    let failed = |what: String| CommandError::new(format!("build {}: {what}", directory.display()));
    let bytes = fs::read(&compiled)
        .map_err(|error| failed(format!("read {}: {error}", compiled.display())).due_to(&error, "build it again"))?;
    let runtime = Runtime::new().map_err(|error| failed(error.to_string()).perhaps(error.hint()))?;
    // Which provider it is, it says only once it runs.
    let limits = here("").map_err(|error| failed(error.to_string()).hint(error.hint()))?;
    let loaded = Loaded::from_bytes(&runtime, cache, limits, &bytes)
        .map_err(|error| failed(error.to_string()).hint(error.hint()))?;
    let description = Description::of(&loaded).await.map_err(|error| {
        failed(error.to_string()).hint("mend what the provider says of itself, then build it again")
    })?;
    let component =
        embed(&bytes, &description.schema, &description.manifest_json).map_err(|error| failed(error.to_string()))?;
    let output = output.map_or_else(|| PathBuf::from(format!("{}.wasm", description.package.name)), Path::to_owned);
    write(&output, &component).map_err(|error| {
        failed(format!("write {}: {error}", output.display()))
            .due_to(&error, remedy(&error).unwrap_or("choose another file with `-o`, where there is room"))
    })?;
    let version = description.package.version.as_ref().map(ToString::to_string).unwrap_or_default();
    let said = format!(
        "{} {version}: {} ({} bytes, sha256:{})\n",
        description.package.name,
        output.display(),
        component.len(),
        digest(&component)
    );
    Ok(said.into_bytes())
}

/// Writes a component where it is to be. Half of one would be in the place of the whole one that was there, and be served to engines.
fn write(output: &Path, component: &[u8]) -> io::Result<()> {
    let real = output.canonicalize().unwrap_or_else(|_| output.to_owned());
    match fs::metadata(&real) {
        // A pipe or a terminal isn't replaced.
        Ok(found) if !found.is_file() => fs::write(&real, component),
        _ => replace(&real, component),
    }
}
