//! Machine code as it lies in the cache: named after the component and the engine, and sealed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use wasmtime::Engine;
use wasmtime::component::Component;

use super::super::load_error::LoadError;
use super::files::{CODE, STRANGE, ours};
use crate::scarcity;

/// How a file of machine code is put together. Files of another format are neither read nor complained about.
const FORMAT: u32 = 4;

/// A compiled component.
pub(in super::super) struct Code {
    pub(in super::super) component: Component,
    /// How many items each instance of it has, which nobody counts in machine code.
    pub(in super::super) items: u64,
}

/// What the file of a component's machine code is called.
pub(super) fn name(engine: &Engine, digest: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (FORMAT, engine.precompile_compatibility_hash()).hash(&mut hasher);
    format!("{digest}-{:016x}{CODE}", hasher.finish())
}

/// What is written of machine code, the component's digest last: what doesn't end so isn't whole.
///
/// # Errors
/// Code that can't be written.
pub(super) fn sealed(code: &Code, digest: &str) -> io::Result<Vec<u8>> {
    let machine_code = code.component.serialize().map_err(io::Error::other)?;
    Ok([&machine_code, &code.items.to_le_bytes()[..], digest.as_bytes()].concat())
}

/// Loads machine code that this host wrote. None if there is none, or if it isn't to be trusted.
///
/// # Errors
/// A system that lets this process run no machine code of its own: what is compiled anew couldn't be run either.
pub(super) fn load(engine: &Engine, path: &Path, seal: &str) -> Result<Option<Code>, LoadError> {
    let unusable = |error: io::Error| {
        let hint = scarcity::remedy(&error).unwrap_or(STRANGE);
        tracing::warn!("the cached code {} can't be used and is compiled anew: {error}; hint: {hint}", path.display());
        Ok(None)
    };
    let items = match unsealed(path, seal) {
        Ok(Some(items)) => items,
        Ok(None) => return Ok(None),
        Err(error) => return unusable(error),
    };
    let component = match mapped(engine, path) {
        // Where files aren't executed (`noexec`), none can be mapped as code. Reading it takes longer, and compiling a hundred times that.
        Err(error) if refuses(&error) => match read(engine, path) {
            Err(error) if refuses(&error) => return Err(LoadError::Unmapped(error)),
            read => read,
        },
        mapped => mapped,
    };
    component.map_or_else(unusable, |component| Ok(Some(Code { component, items })))
}

/// Whether the system forbids something, rather than having none of it.
fn refuses(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

/// Machine code, a file's pages being its memory.
fn mapped(engine: &Engine, path: &Path) -> io::Result<Component> {
    #[expect(
        unsafe_code,
        reason = "the file is in a directory that only this user can write to, and only the cache writes there"
    )]
    // SAFETY: `prepare` refused directories that others own or may write to, `unsealed` such files, and `write` puts only
    // what `serialize` returned under this name, complete or not at all.
    let mapped = unsafe { Component::deserialize_file(engine, path) };
    mapped.map_err(cause)
}

/// The same, in memory of its own.
fn read(engine: &Engine, path: &Path) -> io::Result<Component> {
    let mut code = Vec::new();
    ours(path)?.read_to_end(&mut code)?;
    #[expect(unsafe_code, reason = "as above")]
    // SAFETY: as above.
    let read = unsafe { Component::deserialize(engine, code) };
    read.map_err(cause)
}

fn cause(error: wasmtime::Error) -> io::Error {
    let cause = error.root_cause();
    scarcity::error_of_system(cause).unwrap_or_else(|| io::Error::other(cause.to_string()))
}

/// The count at the end of a file that this module wrote for the component, whole, and that nobody else can have changed. None if there
/// is no file.
///
/// # Errors
/// There is something else.
pub(super) fn unsealed(path: &Path, seal: &str) -> io::Result<Option<u64>> {
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

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::process::Command;

    use super::super::super::digest::digest;
    use super::super::directory::Cache;
    use super::*;

    /// With a module that has a function: what has no code can be had anywhere.
    const COMPONENT: &[u8] =
        b"\0asm\x0d\0\x01\0\x01\x18\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x0a\x04\x01\x02\0\x0b";
    /// Names a directory to whoever is started again, in other circumstances.
    const DIRECTORY: &str = "BULKHEAD_TEST_DIRECTORY";
    /// What ends with this can't have its circumstances here.
    const IMPOSSIBLE: i32 = 77;

    /// Runs one of these tests again, by a shell: what it does to its process is none of the others' business.
    fn again(test: &str, directory: &Path, script: &str) {
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(std::env::current_exe().unwrap());
        command.arg("--exact").arg(format!("component::cache::code::tests::{test}")).env(DIRECTORY, directory);
        let ended = command.output().unwrap();
        let told = String::from_utf8_lossy(&ended.stdout);
        assert!(
            ended.status.success() && told.contains("1 passed") || ended.status.code() == Some(IMPOSSIBLE),
            "{told}"
        );
    }

    fn component(cache: &Cache, compile: impl FnOnce() -> Code) -> Result<Code, LoadError> {
        cache.component(&Engine::default(), &digest(COMPONENT), || Ok(compile()))
    }

    fn compiled() -> Code {
        Code { component: Component::new(&Engine::default(), COMPONENT).unwrap(), items: 7 }
    }

    #[test]
    fn code_that_lies_where_files_are_not_executed_is_run_from_memory() {
        let Some(directory) = std::env::var_os(DIRECTORY) else {
            let directory = tempfile::tempdir().unwrap();
            let mounted = format!("mount -t tmpfs -o noexec none \"${DIRECTORY}\" || exit 77; exec \"$0\" \"$@\"");
            // Many systems have no place of its own for a process that a user started, or that root did in a container.
            let aside = "unshare --map-root-user --mount";
            let script = format!("{aside} true || exit 77; exec {aside} sh -c '{mounted}' \"$0\" \"$@\"");
            return again("code_that_lies_where_files_are_not_executed_is_run_from_memory", directory.path(), &script);
        };
        let cache = Cache::new(Path::new(&directory).join("cache"));
        component(&cache, compiled).unwrap();
        let engine = Engine::default();
        let refused = mapped(&engine, &cache.directory().unwrap().join(name(&engine, &digest(COMPONENT))));
        assert!(refused.is_err_and(|error| refuses(&error)), "it can be mapped");
        let code = component(&cache, || panic!("it is compiled again")).unwrap();
        assert_eq!(code.items, 7);
    }

    #[test]
    fn a_process_that_may_run_no_code_of_its_own_is_told_so_and_compiles_nothing_anew() {
        let Some(directory) = std::env::var_os(DIRECTORY) else {
            let directory = tempfile::tempdir().unwrap();
            component(&Cache::new(directory.path().join("cache")), compiled).unwrap();
            return again(
                "a_process_that_may_run_no_code_of_its_own_is_told_so_and_compiles_nothing_anew",
                directory.path(),
                "exec \"$0\" \"$@\"",
            );
        };
        #[expect(unsafe_code, reason = "nobody else has a call for it")]
        // SAFETY: it takes numbers only.
        let refused = unsafe { libc::prctl(libc::PR_SET_MDWE, libc::PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) };
        if refused != 0 {
            std::process::exit(IMPOSSIBLE);
        }
        let cache = Cache::new(Path::new(&directory).join("cache"));
        let error = component(&cache, || panic!("it is compiled again")).err().unwrap();
        assert_eq!(
            error.to_string(),
            "the component can't be run: this process can't have its machine code in memory: Permission denied (os error 13)"
        );
        assert!(error.hint().starts_with("let this process run code that it made"), "{}", error.hint());
        // Nor can what a compiler made.
        let anew = Component::new(&Engine::default(), COMPONENT).err().unwrap();
        assert!(matches!(LoadError::unmapped(&anew), Some(LoadError::Unmapped(_))), "{anew:#}");
    }
}
