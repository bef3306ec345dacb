//! Compiled components, so that a provider compiles once per machine instead of once per command.
//!
//! What lies in the cache is machine code that gets executed, so nobody else may write there: the directory and its files are
//! this user's own, and a file is named after the component's digest and the engine's compatibility hash, sealed with the
//! digest, written under a temporary name and renamed. Code that somebody ships is never loaded. A cache that can't be used
//! costs time, no call.

use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use wasmtime::Engine;
use wasmtime::component::Component;

use super::compiler::Compiler;
use super::load_error::LoadError;
use crate::regular;
use crate::scarcity;

/// The documents that a component describes itself by: its schema and its manifest.
const DOCUMENTS: [&str; 2] = ["schema.json", "manifest.json"];

/// Both of them, unread. A schema may have tens of megabytes, and is there once.
pub(super) type Documents = [Arc<[u8]>; 2];

/// How a file of machine code is put together. Files of another format are neither read nor complained about.
const FORMAT: u32 = 4;

/// What to do where nothing can be kept.
const ROOM: &str =
    "see that there is room and that you may write there, or name another directory with BULKHEAD_CACHE_DIR";

/// What to do where something lies there that can't be used.
const STRANGE: &str = "if this comes again, delete the file, and see who else writes to its directory";

/// A compiled component.
pub(super) struct Code {
    pub(super) component: Component,
    /// How many items each instance of it has, which nobody counts in machine code.
    pub(super) items: u64,
}

/// A directory for compiled components and what was learnt about them.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: Option<PathBuf>,
    compiler: Option<Compiler>,
}

impl Cache {
    /// What to do where there is no directory for it.
    pub(crate) const NAME_ONE: &str =
        "components are compiled anew each time; name a directory of your own with BULKHEAD_CACHE_DIR";

    /// Where compiled code lies, if anywhere.
    pub(super) fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// A cache in a directory, which is made if it isn't there.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        let usable = fixed(&directory).and_then(|()| prepare(&directory));
        if let Err(error) = &usable {
            let hint = Self::NAME_ONE;
            tracing::warn!("the compilation cache {} can't be used: {error}; hint: {hint}", directory.display());
        }
        Self { directory: usable.is_ok().then_some(directory), compiler: None }
    }

    /// No cache: everything is compiled each time.
    pub fn disabled() -> Self {
        Self { directory: None, compiler: None }
    }

    /// The same cache, for which a compiler makes what isn't there yet. Without one this process does.
    #[must_use]
    pub fn compiling_with(self, compiler: Compiler) -> Self {
        Self { compiler: Some(compiler), ..self }
    }

    /// What compiles, if it isn't this process.
    pub(super) fn compiler(&self) -> Option<&Compiler> {
        self.compiler.as_ref()
    }

    /// A component's machine code, from the cache or compiled now.
    ///
    /// # Errors
    /// The compiler's.
    pub(super) fn component(
        &self,
        engine: &Engine,
        digest: &str,
        compile: impl FnOnce() -> Result<Code, LoadError>,
    ) -> Result<Code, LoadError> {
        let Some(directory) = &self.directory else { return compile() };
        let mut hasher = DefaultHasher::new();
        (FORMAT, engine.precompile_compatibility_hash()).hash(&mut hasher);
        let path = directory.join(format!("{}-{:016x}.cwasm", digest, hasher.finish()));
        if let Some(code) = load(engine, &path, digest) {
            return Ok(code);
        }
        let compiled = compile()?;
        let sealed = |code: Vec<u8>| [&code, &compiled.items.to_le_bytes()[..], digest.as_bytes()].concat();
        let code = compiled.component.serialize().map_err(io::Error::other);
        if let Err(error) = code.and_then(|code| write(&path, &sealed(code))) {
            let hint = scarcity::remedy(&error).unwrap_or(ROOM);
            tracing::warn!("the compiled provider can't be cached in {}: {error}; hint: {hint}", directory.display());
        }
        Ok(compiled)
    }

    /// A document that was learnt about a component earlier.
    pub(super) fn document(&self, digest: &str, name: &str) -> Option<Vec<u8>> {
        let path = self.file(digest, name)?;
        let read = || -> io::Result<Vec<u8>> {
            let mut document = Vec::new();
            ours(&path)?.read_to_end(&mut document)?;
            Ok(document)
        };
        read()
            .inspect_err(|error| {
                if error.kind() != io::ErrorKind::NotFound {
                    let hint = scarcity::remedy(error).unwrap_or(STRANGE);
                    tracing::warn!("what is cached in {} can't be used: {error}; hint: {hint}", path.display());
                }
            })
            .ok()
    }

    /// What a component said of itself earlier.
    pub(super) fn documents(&self, digest: &str) -> Option<Documents> {
        let [schema, manifest] = DOCUMENTS.map(|name| self.document(digest, name));
        Some([schema?.into(), manifest?.into()])
    }

    /// Where a document about a component is kept. None without a directory.
    pub(super) fn file(&self, digest: &str, name: &str) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join(format!("{digest}.{name}")))
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
            let hint = scarcity::remedy(&error).unwrap_or(ROOM);
            tracing::warn!(
                "what the provider says of itself can't be cached in {}: {error}; hint: {hint}",
                directory.display()
            );
        }
    }
}

/// Loads machine code that this host wrote. None if there is none, or if it isn't to be trusted.
fn load(engine: &Engine, path: &Path, seal: &str) -> Option<Code> {
    #[expect(
        unsafe_code,
        reason = "the file is in a directory that only this user can write to, and only this module writes there"
    )]
    // SAFETY: `prepare` refused directories that others own or may write to, `sealed` such files, and `write` puts only
    // what `serialize` returned under this name, complete or not at all.
    let deserialized = || unsafe { Component::deserialize_file(engine, path) };
    let why = |error: wasmtime::Error| {
        let cause = error.root_cause();
        scarcity::error_of_system(cause).unwrap_or_else(|| io::Error::other(cause.to_string()))
    };
    let code = |items| deserialized().map(|component| Code { component, items }).map_err(why);
    let loaded = sealed(path, seal).and_then(|items| items.map(code).transpose());
    loaded.unwrap_or_else(|error| {
        let hint = scarcity::remedy(&error).unwrap_or(STRANGE);
        tracing::warn!("the cached code {} can't be used and is compiled anew: {error}; hint: {hint}", path.display());
        None
    })
}

/// The count at the end of a file that this module wrote for the component, whole, and that nobody else can have changed. None if there
/// is no file.
///
/// # Errors
/// There is something else.
fn sealed(path: &Path, seal: &str) -> io::Result<Option<u64>> {
    let mut file = match ours(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let (mut items, mut end) = ([0; size_of::<u64>()], vec![0; seal.len()]);
    let length = u64::try_from(items.len().saturating_add(end.len())).unwrap_or(u64::MAX);
    let before = file.metadata()?.len().checked_sub(length);
    file.seek(SeekFrom::Start(before.ok_or(io::ErrorKind::UnexpectedEof)?))?;
    file.read_exact(&mut items)?;
    file.read_exact(&mut end)?;
    if end != seal.as_bytes() {
        return Err(io::Error::other("it is incomplete, or another component's"));
    }
    Ok(Some(u64::from_le_bytes(items)))
}

/// Opens a file that this module wrote, and that nobody else can have changed: no link, which leads to who knows what, no pipe and no
/// device, and no file of somebody else's.
///
/// # Errors
/// There is none, or something else.
fn ours(path: &Path) -> io::Result<File> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let file = regular::open(path)?;
    only_ours(&file.metadata()?)?;
    Ok(file)
}

/// Writes a file completely or not at all, beside readers and other writers.
fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    // Two writers never share a temporary file, even if they are of one process, or have the same number in two containers.
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let temporary = path.with_extension(format!("{}-{count}-{}.tmp", std::process::id(), now.as_nanos()));
    let mut file = private(&temporary)?;
    // Its seal is at its end: in what a power failure left of it, zeros before that would be run as code.
    let whole = file.write_all(contents).and_then(|()| synced(file.sync_all()));
    whole.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // Leaving it would fill a disk that is full already.
        let _ = fs::remove_file(&temporary);
    })
}

/// What came of writing a file through to the disk. Some systems for files can't, and what a power failure may leave there, they don't say
/// of any file.
fn synced(outcome: io::Result<()>) -> io::Result<()> {
    outcome.or_else(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    })
}

/// A new file that only this user may read and write.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Refuses a directory that is another one wherever a process runs: that of a project, say, which came with code in it.
fn fixed(directory: &Path) -> io::Result<()> {
    match directory.is_absolute() {
        true => Ok(()),
        false => Err(io::Error::other("it is a relative path, and machine code is run only from one place")),
    }
}

/// Makes the directory, or checks that an existing one is nobody else's business. Its mode is for its owner to change: it may
/// have other uses.
#[cfg(unix)]
fn prepare(directory: &Path) -> io::Result<()> {
    std::os::unix::fs::DirBuilderExt::mode(fs::DirBuilder::new().recursive(true), 0o700).create(directory)?;
    only_ours(&fs::metadata(directory)?)
}

/// Refuses what another user owns or may write to.
#[cfg(unix)]
fn only_ours(metadata: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;

    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("it belongs to another user"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(io::Error::other("others may write to it, which `chmod go-w` ends"));
    }
    Ok(())
}

#[cfg(not(unix))]
fn only_ours(_: &fs::Metadata) -> io::Result<()> {
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

    use super::super::digest::digest;
    use super::*;

    const COMPONENT: &[u8] = &[0, b'a', b's', b'm', 0x0d, 0, 1, 0];

    fn compiled(cache: &Cache, wasm: &[u8]) -> Code {
        let engine = Engine::default();
        let compile = || {
            let component = Component::new(&engine, wasm).map_err(|error| LoadError::Compile(error.to_string()))?;
            Ok(Code { component, items: 1_000_000 })
        };
        cache.component(&engine, &digest(wasm), compile).unwrap()
    }

    fn component(cache: &Cache) -> Code {
        compiled(cache, COMPONENT)
    }

    fn files(directory: &Path) -> Vec<PathBuf> {
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn a_directory_of_another_user_is_not_ours() {
        let directory = tempfile::tempdir().unwrap();
        let theirs = match rustix::process::geteuid().is_root() {
            true => {
                std::os::unix::fs::chown(directory.path(), Some(65_534), None).unwrap();
                directory.path()
            }
            false => Path::new("/"),
        };
        assert_eq!(prepare(theirs).unwrap_err().to_string(), "it belongs to another user");
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
        let again = cache.component(&Engine::default(), &digest(COMPONENT), || panic!("it is compiled again"));
        assert_eq!(again.unwrap().items, 1_000_000, "what was counted then is known");
    }

    #[test]
    fn a_directory_that_others_may_write_to_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o777)).unwrap();
        component(&Cache::new(directory.path()));
        assert_eq!(fs::metadata(directory.path()).unwrap().permissions().mode() & 0o777, 0o777);
        assert!(files(directory.path()).is_empty());
        // That others may look into it does no harm.
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
        component(&Cache::new(directory.path()));
        assert_eq!(files(directory.path()).len(), 1);
    }

    /// Whatever stands where machine code should be, the component's own is compiled and takes its place.
    #[test]
    fn code_that_nobody_can_vouch_for_is_compiled_anew_and_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let (ours, elsewhere) = (directory.path().join("ours"), directory.path().join("elsewhere"));
        let cache = Cache::new(&ours);
        component(&cache);
        let [file] = files(&ours).try_into().unwrap();
        let whole = fs::read(&file).unwrap();
        // Another component's, under this one's name: well-formed, and wrong.
        let other = [COMPONENT, &[0, 2, 1, b'a']].concat();
        let others = Cache::new(&elsewhere);
        compiled(&others, &other);
        let [other] = files(&elsewhere).try_into().unwrap();
        let other = fs::read(other).unwrap();
        let flipped = [&[!whole[0]], &whole[1..]].concat();
        for damaged in [b"", &b"damaged"[..], &whole[..whole.len() / 2], &whole[..whole.len() - 1], &flipped, &other] {
            fs::write(&file, damaged).unwrap();
            component(&cache);
            assert_eq!(fs::read(&file).unwrap(), whole, "{} bytes", damaged.len());
        }
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        component(&cache);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

        let target = elsewhere.join("target");
        fs::rename(&file, &target).unwrap();
        std::os::unix::fs::symlink(&target, &file).unwrap();
        component(&cache);
        assert!(fs::symlink_metadata(&file).unwrap().is_file(), "a link is replaced, not followed");
        assert_eq!(files(&ours).len(), 1, "no temporary file is left");
    }

    /// Whatever stands where a document should be, nobody is waited for, nothing else is read, and the document takes its place.
    #[test]
    fn documents_that_nobody_can_vouch_for_are_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("ours"));
        cache.keep("d", "schema.json", b"{}");
        let [file] = files(&directory.path().join("ours")).try_into().unwrap();
        let document = || cache.document("d", "schema.json");
        assert_eq!(document().unwrap(), b"{}");
        let elsewhere = directory.path().join("elsewhere");
        fs::write(&elsewhere, "{}").unwrap();
        let pipe = |path: &Path| rustix::fs::mkfifoat(rustix::fs::CWD, path, rustix::fs::Mode::RUSR).unwrap();
        let placed: [&dyn Fn(); 5] = [
            &|| std::os::unix::fs::symlink(&elsewhere, &file).unwrap(),
            &|| std::os::unix::fs::symlink("/dev/zero", &file).unwrap(),
            &|| pipe(&file),
            &|| fs::create_dir(&file).unwrap(),
            &|| {
                fs::write(&file, "{}").unwrap();
                fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
            },
        ];
        for (case, place) in placed.iter().enumerate() {
            fs::remove_file(&file).unwrap();
            place();
            assert_eq!(document(), None, "{case}");
            if file.is_dir() {
                fs::remove_dir(&file).unwrap();
            }
            cache.keep("d", "schema.json", b"{}");
            assert_eq!(document().unwrap(), b"{}", "{case}");
        }
        assert_eq!(fs::read(&elsewhere).unwrap(), b"{}", "a link is replaced, not followed");
    }

    #[test]
    fn a_directory_that_depends_on_where_a_process_runs_is_left_alone() {
        for directory in ["cache", "./cache", "../cache", ""] {
            assert_eq!(Cache::new(directory).directory(), None);
            assert!(!Path::new("cache").exists() && !Path::new("../cache").exists());
            let refused = fixed(Path::new(directory)).unwrap_err().to_string();
            assert_eq!(refused, "it is a relative path, and machine code is run only from one place");
        }
    }

    #[test]
    fn writers_do_not_disturb_each_other() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| component(&cache));
            }
        });
        let [file] = files(directory.path()).try_into().unwrap();
        assert_eq!(sealed(&file, &digest(COMPONENT)).unwrap(), Some(1_000_000));
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
