//! Machine code as it lies in the cache: named after the component and the engine, and sealed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use wasmtime::Engine;
use wasmtime::component::Component;

use super::files::{STRANGE, ours};
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
    format!("{digest}-{:016x}.cwasm", hasher.finish())
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
pub(super) fn load(engine: &Engine, path: &Path, seal: &str) -> Option<Code> {
    #[expect(
        unsafe_code,
        reason = "the file is in a directory that only this user can write to, and only the cache writes there"
    )]
    // SAFETY: `prepare` refused directories that others own or may write to, `unsealed` such files, and `write` puts only
    // what `serialize` returned under this name, complete or not at all.
    let deserialized = || unsafe { Component::deserialize_file(engine, path) };
    let why = |error: wasmtime::Error| {
        let cause = error.root_cause();
        scarcity::error_of_system(cause).unwrap_or_else(|| io::Error::other(cause.to_string()))
    };
    let code = |items| deserialized().map(|component| Code { component, items }).map_err(why);
    let loaded = unsealed(path, seal).and_then(|items| items.map(code).transpose());
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
