//! A component's file, before it is loaded: its digest, and what it says of itself.
//!
//! Engines start a provider twice per command. Reading, hashing and taking apart a file that is as it was the last time would
//! take longer than all the rest of a start, so the cache remembers what came out. What is remembered leads only to machine
//! code and documents that are stored under the same digest: of a file that nobody read again, nothing is ever run.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bulkhead_policy::MOST_COMPONENT;

use super::cache::{Cache, Documents};
use super::description::{Description, DescriptionError};
use super::digest::digest;
use super::known::Identity;
use super::load_error::LoadError;
use super::sections::{Sections, SectionsError, package_name, package_version};
use crate::regular;
use crate::store::Limits;

/// A component that can be loaded.
pub struct Artefact {
    digest: String,
    documents: Option<Documents>,
    wasm: Wasm,
}

enum Wasm {
    Read(Vec<u8>),
    /// Not read, because it is as it was when it had this digest.
    Known(PathBuf),
}

impl Artefact {
    /// Looks at a component's file, and reads it unless the cache knows it.
    ///
    /// # Errors
    /// A file that can't be read, or isn't a component.
    pub fn open(cache: &Cache, path: &Path) -> Result<Self, LoadError> {
        let unreadable = |error| LoadError::Unreadable { path: path.to_owned(), error };
        let mut file = regular::open(path).map_err(unreadable)?;
        let identity = Identity::of(&file);
        if let Some(digest) = identity.as_ref().and_then(|identity| cache.known(path, identity))
            && let Some(documents) = cache.documents(&digest)
        {
            return Ok(Self { digest, documents: Some(documents), wasm: Wasm::Known(path.to_owned()) });
        }
        let size = file.metadata().map_err(unreadable)?.len();
        if size > MOST_COMPONENT {
            return Err(LoadError::Large { found: size, limit: MOST_COMPONENT, place: None });
        }
        let mut bytes = Vec::new();
        Read::take(&mut file, MOST_COMPONENT).read_to_end(&mut bytes).map_err(unreadable)?;
        let artefact = Self::of(bytes)?;
        if let Some([schema, manifest]) = &artefact.documents {
            cache.keep_documents(&artefact.digest, [schema, manifest]);
        }
        // Whoever writes while it is being read leaves another identity behind.
        if let Some(identity) = identity.filter(|before| Identity::of(&file).as_ref() == Some(before)) {
            cache.remember(path, &identity, &artefact.digest);
        }
        Ok(artefact)
    }

    /// A component in memory.
    ///
    /// # Errors
    /// Bytes that aren't a component.
    pub fn of(bytes: Vec<u8>) -> Result<Self, LoadError> {
        Ok(Self { documents: in_sections(&bytes)?, digest: digest(&bytes), wasm: Wasm::Read(bytes) })
    }

    /// Holds its size to what an operator allows.
    ///
    /// # Errors
    /// More than that.
    pub(super) fn fits(&self, limits: &Limits) -> Result<(), LoadError> {
        let limit = u64::try_from(limits.component).unwrap_or(u64::MAX);
        let found = match &self.wasm {
            Wasm::Read(bytes) => bytes.len() as u64,
            Wasm::Known(path) => std::fs::metadata(path).map_or(0, |metadata| metadata.len()),
        };
        if found > limit {
            return Err(LoadError::Large { found, limit, place: Some(limits.place("component")) });
        }
        Ok(())
    }

    /// The component's digest.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The package that its section says it is, before any of it is checked. None if it has to be asked.
    pub(crate) fn package_name(&self) -> Option<String> {
        let [schema, _] = self.documents.as_ref()?;
        package_name(schema)
    }

    /// The version that its section says its package has, likewise.
    pub(crate) fn package_version(&self) -> Option<String> {
        let [schema, _] = self.documents.as_ref()?;
        package_version(schema)
    }

    /// Its schema and manifest, unread. None if it has to be asked.
    pub(super) fn documents(&self) -> Option<Documents> {
        self.documents.clone()
    }

    /// What the component says of itself in its sections, or in the index that the cache has of them. None if it has to be asked.
    pub fn description(&self, cache: &Cache) -> Option<Result<Description, DescriptionError>> {
        let described = |documents| Description::recalled(cache, &self.digest, documents);
        match (described(self.documents.clone()?), &self.wasm) {
            // What was kept isn't what the file says, or a cache that somebody damaged would keep the provider from starting.
            (Err(_), Wasm::Known(_)) => in_sections(&self.bytes().ok()?).ok()?.map(described),
            (described, _) => Some(described),
        }
    }

    /// The component's bytes, for the compiler.
    ///
    /// # Errors
    /// A file that became unreadable, or another one, since its digest was recalled.
    pub(super) fn bytes(&self) -> Result<Cow<'_, [u8]>, LoadError> {
        let path = match &self.wasm {
            Wasm::Read(bytes) => return Ok(Cow::Borrowed(bytes)),
            Wasm::Known(path) => path,
        };
        let changed = || Err(io::Error::other("it changed while it was being loaded"));
        regular::read(path, MOST_COMPONENT)
            .and_then(|bytes| if digest(&bytes) == self.digest { Ok(bytes) } else { changed() })
            .map(Cow::Owned)
            .map_err(|error| LoadError::Unreadable { path: path.clone(), error })
    }
}

/// Both documents of a component, if they are in its sections.
fn in_sections(component: &[u8]) -> Result<Option<Documents>, SectionsError> {
    let Sections { schema, manifest } = Sections::read(component)?;
    Ok(schema.zip(manifest).map(|(schema, manifest)| [schema.into(), manifest.into()]))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs::File;

    use super::super::sections::embed;
    use super::*;

    const COMPONENT: [u8; 8] = [0, b'a', b's', b'm', 0x0d, 0, 1, 0];

    #[test]
    fn what_never_ends_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("cache"));
        let fifo = directory.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        for path in [fifo.as_path(), Path::new("/dev/zero")] {
            let error = Artefact::open(&cache, path).err().unwrap().to_string();
            assert!(error.contains("it is no regular file"), "{error}");
        }
    }

    #[test]
    fn a_file_that_is_known_is_not_read_again_until_it_changes() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("cache"));
        let path = directory.path().join("x.wasm");
        let wasm = embed(&COMPONENT, br#"{"name": "x"}"#, b"{}").unwrap();
        std::fs::write(&path, &wasm).unwrap();
        assert_eq!(Artefact::open(&cache, &path).unwrap().digest(), digest(&wasm));

        // Another digest than the file's shows that nobody looked.
        cache.record(&path, &Identity::of(&File::open(&path).unwrap()).unwrap(), "d");
        assert_eq!(
            Artefact::open(&cache, &path).unwrap().digest(),
            digest(&wasm),
            "nothing is cached under that digest"
        );
        cache.keep_documents("d", [br#"{"name": "y"}"#, br#"{"manifestVersion": 1, "contract": "0.1.0"}"#]);
        let known = Artefact::open(&cache, &path).unwrap();
        assert_eq!(known.digest(), "d");
        assert_eq!(known.description(&cache).unwrap().unwrap().package.name, "y");
        let error = known.bytes().unwrap_err().to_string();
        assert_eq!(error, format!("can't read {}: it changed while it was being loaded", path.display()));

        std::fs::write(&path, [&wasm[..], &[0, 2, 1, b'a']].concat()).unwrap();
        assert_ne!(Artefact::open(&cache, &path).unwrap().digest(), "d");
    }

    #[test]
    fn documents_that_were_damaged_are_read_from_the_file_again() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("cache"));
        let path = directory.path().join("x.wasm");
        let manifest = br#"{"manifestVersion": 1, "contract": "0.1.0"}"#;
        let wasm = embed(&COMPONENT, br#"{"name": "x"}"#, manifest).unwrap();
        std::fs::write(&path, &wasm).unwrap();
        cache.record(&path, &Identity::of(&File::open(&path).unwrap()).unwrap(), &digest(&wasm));
        for damaged in [&b""[..], b"{", b"[]", b"\xff"] {
            cache.keep_documents(&digest(&wasm), [damaged, manifest]);
            let artefact = Artefact::open(&cache, &path).unwrap();
            assert!(matches!(artefact.wasm, Wasm::Known(_)));
            assert_eq!(artefact.description(&cache).unwrap().unwrap().package.name, "x");
        }
    }
}
