//! A directory of the cache: what is looked up in it and kept in it, by digest.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use wasmtime::Engine;

use super::super::compiler::Compiler;
use super::super::load_error::LoadError;
use super::code::{self, Code};
use super::files::{DOCUMENTS, STRANGE, fixed, ours, prepare, write};
use super::stale;
use crate::scarcity;

/// Both of them, unread. A schema may have tens of megabytes, and is there once.
pub(in super::super) type Documents = [Arc<[u8]>; 2];

/// What to do where nothing can be kept.
const ROOM: &str =
    "see that there is room and that you may write there, or name another directory with BULKHEAD_CACHE_DIR";

/// A directory for compiled components and what was learnt about them.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: Option<PathBuf>,
    compiler: Option<Compiler>,
    /// Whether it was told that something can't be kept.
    told: Arc<AtomicBool>,
}

impl Cache {
    /// What to do where there is no directory for it.
    pub(crate) const NAME_ONE: &str =
        "components are compiled anew each time; name a directory of your own with BULKHEAD_CACHE_DIR";

    /// Where compiled code lies, if anywhere.
    pub(in super::super) fn directory(&self) -> Option<&Path> {
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
        Self { directory: usable.is_ok().then_some(directory), compiler: None, told: Arc::default() }
    }

    /// No cache: everything is compiled each time.
    pub fn disabled() -> Self {
        Self { directory: None, compiler: None, told: Arc::default() }
    }

    /// The same cache, for which a compiler makes what isn't there yet. Without one this process does.
    #[must_use]
    pub fn compiling_with(self, compiler: Compiler) -> Self {
        Self { compiler: Some(compiler), ..self }
    }

    /// What compiles, if it isn't this process.
    pub(in super::super) fn compiler(&self) -> Option<&Compiler> {
        self.compiler.as_ref()
    }

    /// A component's machine code, from the cache or compiled now.
    ///
    /// # Errors
    /// The compiler's. A process that may run none.
    pub(in super::super) fn component(
        &self,
        engine: &Engine,
        digest: &str,
        compile: impl FnOnce() -> Result<Code, LoadError>,
    ) -> Result<Code, LoadError> {
        let Some(directory) = &self.directory else { return compile() };
        let path = directory.join(code::name(engine, digest));
        if let Some(code) = code::load(engine, &path, digest)? {
            return Ok(code);
        }
        let compiled = compile()?;
        match code::sealed(&compiled, digest).and_then(|code| write(&path, &code)) {
            // Beside compiling, it takes no time to look at all that is there.
            Ok(()) => stale::sweep(directory, SystemTime::now()),
            Err(error) => self.tell(directory, &error),
        }
        Ok(compiled)
    }

    /// A document that was learnt about a component earlier.
    pub(in super::super) fn document(&self, digest: &str, name: &str) -> Option<Vec<u8>> {
        let path = self.file(digest, name)?;
        read(&path)
            .inspect_err(|error| {
                if error.kind() != io::ErrorKind::NotFound {
                    let hint = scarcity::remedy(error).unwrap_or(STRANGE);
                    tracing::warn!("what is cached in {} can't be used: {error}; hint: {hint}", path.display());
                }
            })
            .ok()
    }

    /// What a component said of itself earlier.
    pub(in super::super) fn documents(&self, digest: &str) -> Option<Documents> {
        let [schema, manifest] = DOCUMENTS.map(|name| self.document(digest, name));
        Some([schema?.into(), manifest?.into()])
    }

    /// Where a document about a component is kept. None without a directory.
    pub(in super::super) fn file(&self, digest: &str, name: &str) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join(format!("{digest}.{name}")))
    }

    /// Keeps what a component says of itself, in the order of [`DOCUMENTS`]. What is there already isn't written again.
    pub(in super::super) fn keep_documents(&self, digest: &str, documents: [&[u8]; 2]) {
        for (name, document) in DOCUMENTS.into_iter().zip(documents) {
            let there = self.file(digest, name).and_then(|path| read(&path).ok());
            if there.is_none_or(|there| there != document) {
                self.keep(digest, name, document);
            }
        }
    }

    /// Keeps a document about a component.
    pub(in super::super) fn keep(&self, digest: &str, name: &str, document: &[u8]) {
        if let Some(directory) = &self.directory
            && let Err(error) = self.put(digest, name, document)
        {
            self.tell(directory, &error);
        }
    }

    /// Keeps a document that saves a look at a file, and nothing else: where it can't be kept, there is nothing to tell anybody.
    pub(in super::super) fn note(&self, digest: &str, name: &str, document: &[u8]) {
        let _ = self.put(digest, name, document);
    }

    fn put(&self, digest: &str, name: &str, document: &[u8]) -> io::Result<()> {
        self.file(digest, name).map_or(Ok(()), |path| write(&path, document))
    }

    /// Tells that something can't be kept, once, whatever else there is to keep: the reason is the same. What a component says of itself
    /// comes first, and what takes seconds in each command is its code, so this is about all of it.
    fn tell(&self, directory: &Path, error: &io::Error) {
        if !self.told.swap(true, Ordering::Relaxed) {
            let (place, hint) = (directory.display(), scarcity::remedy(error).unwrap_or(ROOM));
            tracing::warn!(
                "the provider can't be cached in {place}, so each command may have to compile it anew: {error}; hint: {hint}"
            );
        }
    }
}

/// All of a file that the cache wrote.
///
/// # Errors
/// There is none, or something else.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut document = Vec::new();
    ours(path)?.read_to_end(&mut document)?;
    Ok(document)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use wasmtime::component::Component;

    use super::super::super::digest::digest;
    use super::super::code::unsealed;
    use super::*;
    use crate::told::told;

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
    fn what_nobody_needs_any_more_goes_when_something_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path());
        component(&cache);
        let code = cache.file(&digest(COMPONENT), "wasm").unwrap().with_extension("");
        let [left, kept] = ["1-0-1.tmp", "wasm"].map(|name| code.with_extension(name));
        for file in [&left, &kept] {
            let long_ago =
                fs::FileTimes::new().set_modified(SystemTime::UNIX_EPOCH).set_accessed(SystemTime::UNIX_EPOCH);
            fs::File::create(file).unwrap().set_times(long_ago).unwrap();
        }
        component(&cache);
        assert!(left.exists(), "a start that writes nothing looks for nothing");
        compiled(&cache, &[COMPONENT, &[0, 2, 1, b'a']].concat());
        assert!(!left.exists() && kept.exists());
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
    fn what_is_there_already_is_not_written_again() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path());
        let inodes = || -> Vec<u64> {
            let file = |name| fs::metadata(cache.file("d", name).unwrap()).unwrap().ino();
            DOCUMENTS.map(file).to_vec()
        };
        cache.keep_documents("d", [b"{}", b"[]"]);
        let first = inodes();
        cache.keep_documents("d", [b"{}", b"[]"]);
        assert_eq!(inodes(), first);
        cache.keep_documents("d", [b"{}", b"[1]"]);
        let [schema, manifest] = cache.documents("d").unwrap();
        assert_eq!((&*schema, &*manifest), (&b"{}"[..], &b"[1]"[..]));
        assert_eq!(inodes()[0], first[0]);
    }

    /// Where the disk is full, or read-only, the same is true of all that is made at a start, whatever of it comes first.
    #[test]
    fn where_nothing_can_be_kept_it_is_told_once_that_a_provider_is_compiled_anew() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("cache");
        let cache = Cache::new(&place);
        fs::remove_dir(&place).unwrap();
        assert!(told(|| cache.note("d", "known.json", b"{}")).is_empty());
        let told = told(|| {
            cache.keep_documents("d", [b"{}", b"[]"]);
            cache.keep("d", "index", b"{}");
            component(&cache);
            cache.keep("d", "wasm", COMPONENT);
        });
        let place = place.display();
        let expected = format!(
            "the provider can't be cached in {place}, so each command may have to compile it anew: No such file or directory (os error 2); \
             hint: {ROOM}"
        );
        assert_eq!(told, [expected]);
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
        assert_eq!(unsealed(&file, &digest(COMPONENT)).unwrap(), Some(1_000_000));
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
