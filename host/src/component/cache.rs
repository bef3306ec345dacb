//! Compiled components, so that a provider compiles once per machine instead of once per command.
//!
//! What lies in the cache is machine code that gets executed, so nobody else may write there: the directory is the host's
//! own, mode 0700, and a file is named after the component's digest and the engine's compatibility hash, written under a
//! temporary name and renamed. Code that somebody ships is never loaded. A cache that can't be used costs time, no call.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use wasmtime::Engine;
use wasmtime::component::Component;

use super::artefact::Artefact;
use super::load::LoadError;

/// The documents that a component describes itself by: its schema and its manifest.
pub(super) const DOCUMENTS: [&str; 2] = ["schema.json", "manifest.json"];

/// A directory for compiled components and what was learnt about them.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: Option<PathBuf>,
}

impl Cache {
    /// A cache in a directory, which is made if it isn't there.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        let usable = prepare(&directory);
        if let Err(error) = &usable {
            tracing::warn!("the compilation cache {} can't be used: {error}", directory.display());
        }
        Self { directory: usable.is_ok().then_some(directory) }
    }

    /// No cache: everything is compiled each time.
    pub fn disabled() -> Self {
        Self { directory: None }
    }

    /// A component's machine code, from the cache or compiled now.
    ///
    /// # Errors
    /// The compiler's, or a file that can't be read any more.
    pub(super) fn component(&self, engine: &Engine, artefact: &Artefact) -> Result<Component, LoadError> {
        let compiled = || {
            Component::new(engine, artefact.bytes()?)
                .map_err(|error| LoadError::Compile(error.root_cause().to_string()))
        };
        let Some(directory) = &self.directory else { return compiled() };
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        let path = directory.join(format!("{}-{:016x}.cwasm", artefact.digest(), hasher.finish()));
        if let Some(component) = load(engine, &path) {
            return Ok(component);
        }
        let component = compiled()?;
        if let Err(error) = component.serialize().map_err(io::Error::other).and_then(|code| write(&path, &code)) {
            tracing::warn!("the compiled provider can't be cached in {}: {error}", directory.display());
        }
        Ok(component)
    }

    /// A document that was learnt about a component earlier.
    pub(super) fn document(&self, digest: &str, name: &str) -> Option<Vec<u8>> {
        fs::read(self.directory.as_ref()?.join(format!("{digest}.{name}"))).ok()
    }

    /// Keeps what a component says of itself, in the order of [`DOCUMENTS`].
    pub(super) fn keep_documents(&self, digest: &str, documents: [&[u8]; 2]) {
        for (name, document) in DOCUMENTS.into_iter().zip(documents) {
            self.keep(digest, name, document);
        }
    }

    /// Keeps a document about a component.
    pub(super) fn keep(&self, digest: &str, name: &str, document: &[u8]) {
        if let Some(directory) = &self.directory
            && let Err(error) = write(&directory.join(format!("{digest}.{name}")), document)
        {
            tracing::warn!("what the provider says of itself can't be cached in {}: {error}", directory.display());
        }
    }
}

/// Loads machine code that this host wrote. None if there is none, or if the engine refuses it.
fn load(engine: &Engine, path: &Path) -> Option<Component> {
    if !path.is_file() {
        return None;
    }
    #[expect(
        unsafe_code,
        reason = "the file is in a directory that only this user can write to, and only this module writes there"
    )]
    // SAFETY: `prepare` refused directories that others own or may write to, and `write` puts only what `serialize`
    // returned under this name, complete or not at all.
    let loaded = unsafe { Component::deserialize_file(engine, path) };
    match loaded {
        Ok(component) => Some(component),
        Err(error) => {
            tracing::warn!("the cached code {} can't be used and is compiled anew: {error}", path.display());
            None
        }
    }
}

/// Writes a file completely or not at all, beside readers and other writers.
fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&temporary, contents).and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // Leaving it would fill a disk that is full already.
        let _ = fs::remove_file(&temporary);
    })
}

/// Makes the directory, or checks that an existing one is nobody else's business.
#[cfg(unix)]
fn prepare(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};

    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let metadata = fs::metadata(directory)?;
    let own = fs::metadata("/proc/self").map(|process| process.uid()).unwrap_or_else(|_| metadata.uid());
    if metadata.uid() != own {
        return Err(io::Error::other("it belongs to another user"));
    }
    if metadata.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(directory, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn prepare(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use super::*;

    const COMPONENT: &[u8] = &[0, b'a', b's', b'm', 0x0d, 0, 1, 0];

    fn component(cache: &Cache) -> Component {
        cache.component(&Engine::default(), &Artefact::of(COMPONENT.to_vec()).unwrap()).unwrap()
    }

    fn files(directory: &Path) -> Vec<PathBuf> {
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn code_is_compiled_once_into_a_directory_that_is_only_ours() {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("deep/cache");
        let cache = Cache::new(&directory);
        component(&cache);
        let mode = fs::metadata(&directory).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        let [file] = files(&directory).try_into().unwrap();
        assert!(file.extension().is_some_and(|extension| extension == "cwasm"));
        let inode = || fs::metadata(&file).unwrap().ino();
        let first = inode();
        component(&cache);
        assert_eq!(inode(), first, "it isn't compiled and written again");
    }

    #[test]
    fn a_directory_that_others_may_write_to_is_closed_before_use() {
        let directory = tempfile::tempdir().unwrap();
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o777)).unwrap();
        component(&Cache::new(directory.path()));
        assert_eq!(fs::metadata(directory.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn damaged_code_is_compiled_anew_and_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path());
        component(&cache);
        let [file] = files(directory.path()).try_into().unwrap();
        fs::write(&file, b"damaged").unwrap();
        component(&cache);
        assert!(fs::metadata(&file).unwrap().len() > 100, "the file was replaced");
    }

    #[test]
    fn a_cache_that_cannot_be_used_costs_time_only() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, b"").unwrap();
        for cache in [Cache::new(file.join("below")), Cache::disabled()] {
            component(&cache);
            cache.keep("d", "schema.json", b"{}");
            assert_eq!(cache.document("d", "schema.json"), None);
        }
    }
}
