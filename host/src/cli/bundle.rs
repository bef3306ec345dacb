//! `bulkhead bundle`: a directory with `pulumi-resource-NAME` and `NAME.wasm`, which works wherever an engine looks for
//! plugins: a `plugins:` path, PATH, or a tarball for `pulumi plugin install --file`.

use std::fs;
use std::io;
use std::path::Path;

use super::component::{here, load};
use super::error::CommandError;
use super::whole::{copy, remedy};
use crate::component::Cache;
use crate::plugin::BASE;

/// Writes a bundle and says what came of it.
///
/// # Errors
/// A file that isn't a usable provider, or a directory that can't be written to.
pub async fn bundle(component: &Path, directory: &Path, cache: &Cache) -> Result<Vec<u8>, CommandError> {
    let (_, description) = load("bundle", component, here, cache).await?;
    let name = &description.package.name;
    if name == BASE {
        return Err(CommandError::new(format!("bundle {}: `{BASE}` is the base provider's name", component.display()))
            .hint("give the package another name"));
    }
    let failed = |what: &str, error: io::Error| {
        CommandError::new(format!("bundle {}: {what}: {error}", component.display()))
            .due_to(&error, remedy(&error).unwrap_or("choose a directory that you may write to and that has room"))
    };
    let unread = |path: &Path, error: io::Error| {
        CommandError::new(format!("bundle {}: read {}: {error}", component.display(), path.display()))
            .due_to(&error, "let yourself read it: a bundle has a copy of it")
    };
    fs::create_dir_all(directory).map_err(|error| failed(&format!("make {}", directory.display()), error))?;
    let executable = std::env::current_exe().map_err(|error| unread(Path::new("this executable"), error))?;
    // What can't be copied for its own sake is none of the directory's.
    for original in [executable.as_path(), component] {
        fs::File::open(original).map_err(|error| unread(original, error))?;
    }
    let plugin = directory.join(format!("pulumi-resource-{name}{}", std::env::consts::EXE_SUFFIX));
    place(&executable, &plugin).map_err(|error| failed(&format!("write {}", plugin.display()), error))?;
    let wasm = directory.join(format!("{name}.wasm"));
    place(component, &wasm).map_err(|error| failed(&format!("write {}", wasm.display()), error))?;
    Ok(format!("{}\n{}\n", plugin.display(), wasm.display()).into_bytes())
}

/// Puts a copy in place, replacing what is there. A running executable can't be written to, but its name can be given to another
/// file. Not a hard link: a file that was written in one go starts about a millisecond sooner than what a linker left, and
/// stays what it is when the original is built again.
fn place(from: &Path, to: &Path) -> io::Result<()> {
    if let (Ok(from), Ok(to)) = (from.canonicalize(), to.canonicalize())
        && from == to
    {
        return Ok(());
    }
    copy(from, to)
}
