//! Components themselves, kept beside what was compiled of them, by digest: what was recorded in a project is found again after
//! its file has moved, gone, or become another.

use std::path::PathBuf;

use super::artefact::Artefact;
use super::cache::Cache;
use super::load_error::LoadError;

/// What the file of a kept component is called, after its digest.
const NAME: &str = "wasm";

impl Cache {
    /// Keeps a component, in place of whatever is kept under its digest.
    ///
    /// # Errors
    /// A file that became another one since it was looked at.
    pub fn keep_component(&self, artefact: &Artefact) -> Result<(), LoadError> {
        self.keep(artefact.digest(), NAME, &artefact.bytes()?);
        Ok(())
    }

    /// The file of a kept component. Whether it still is what it was called after is for its reader to look at.
    pub fn kept_component(&self, digest: &str) -> Option<PathBuf> {
        self.file(digest, NAME).filter(|path| path.is_file())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_is_kept_under_its_digest() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("cache"));
        let bytes = vec![0, b'a', b's', b'm', 0x0d, 0, 1, 0];
        let artefact = Artefact::of(bytes.clone()).unwrap();
        assert_eq!(cache.kept_component(artefact.digest()), None);
        cache.keep_component(&artefact).unwrap();
        let kept = cache.kept_component(artefact.digest()).unwrap();
        assert_eq!(std::fs::read(kept).unwrap(), bytes);
        Cache::disabled().keep_component(&artefact).unwrap();
        assert_eq!(Cache::disabled().kept_component(artefact.digest()), None);
    }
}
