//! `bulkhead bundle`: a directory with `pulumi-resource-NAME` and `NAME.wasm`, which works wherever an engine looks for
//! plugins: a `plugins:` path, PATH, or a tarball for `pulumi plugin install --file`.

use std::fs;
use std::io;
use std::path::Path;

use super::component::load;
use super::error::CommandError;
use crate::component::Cache;

/// Writes a bundle and says what came of it.
///
/// # Errors
/// A file that isn't a usable provider, or a directory that can't be written to.
pub async fn bundle(component: &Path, directory: &Path, cache: &Cache) -> Result<Vec<u8>, CommandError> {
    let (_, description) = load("bundle", component, cache).await?;
    let name = &description.package.name;
    let failed = |what: &str, error: io::Error| {
        CommandError::new(format!("bundle {}: {what}: {error}", component.display()))
            .hint("choose a directory that you may write to")
    };
    fs::create_dir_all(directory).map_err(|error| failed(&format!("make {}", directory.display()), error))?;
    let executable = std::env::current_exe().map_err(|error| failed("find this executable", error))?;
    let plugin = directory.join(format!("pulumi-resource-{name}{}", std::env::consts::EXE_SUFFIX));
    place(&executable, &plugin, true).map_err(|error| failed(&format!("write {}", plugin.display()), error))?;
    let wasm = directory.join(format!("{name}.wasm"));
    place(component, &wasm, false).map_err(|error| failed(&format!("write {}", wasm.display()), error))?;
    Ok(format!("{}\n{}\n", plugin.display(), wasm.display()).into_bytes())
}

/// Puts a file in place, replacing what is there: a hard link if wanted and possible, a copy otherwise. A running executable can't be
/// written to, but its name can be given to another file.
fn place(from: &Path, to: &Path, link: bool) -> io::Result<()> {
    if let (Ok(from), Ok(to)) = (from.canonicalize(), to.canonicalize())
        && from == to
    {
        return Ok(());
    }
    let temporary = to.with_extension(format!("{}.tmp", std::process::id()));
    let placed = if link {
        fs::hard_link(from, &temporary).or_else(|_| fs::copy(from, &temporary).map(drop))
    } else {
        fs::copy(from, &temporary).map(drop)
    };
    let placed = placed.and_then(|()| fs::rename(&temporary, to));
    // Left over after a failure, and also where both names were links to one file: renaming does nothing then.
    let _ = fs::remove_file(&temporary);
    placed
}
