//! How many files the calls of one configuration may have to do with at once.
//!
//! Descriptors and blocking threads belong to the whole process: a guest that takes them all would stop the others, and the
//! server.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Files that are read at once in one configuration; more wait.
const READERS: usize = 8;
/// Files and directories that instances have open at once in granted directories; more are refused.
const OPEN: usize = 256;

/// The files of one configuration.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    readers: Arc<Semaphore>,
    open: Arc<Semaphore>,
    descriptors: Arc<Semaphore>,
}

/// The right to have a file or directory open, for as long as anything has it open.
pub(crate) type Opened = Arc<OwnedSemaphorePermit>;

impl Files {
    /// With so many assets and archives open at once.
    pub(crate) fn new(open: usize) -> Self {
        let open = open.min(Semaphore::MAX_PERMITS);
        let [readers, open, descriptors] = [READERS, open, OPEN].map(|most| Arc::new(Semaphore::new(most)));
        Self { readers, open, descriptors }
    }

    /// Waits for the right to read.
    pub(crate) async fn reading(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.readers).acquire_owned().await.ok()
    }

    /// Takes the right to read from everybody, for as long as it is held.
    #[cfg(test)]
    pub(crate) async fn none_left(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.readers).acquire_many_owned(READERS as u32).await.ok()
    }

    /// The right to have one more open in a granted directory.
    ///
    /// # Errors
    /// How many there are.
    pub(crate) fn descriptor(&self) -> Result<Opened, usize> {
        Arc::clone(&self.descriptors).try_acquire_owned().map(Arc::new).map_err(|_| OPEN)
    }

    /// The right to have one more asset or archive open. None if there are too many.
    pub(crate) fn opening(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.open).try_acquire_owned().ok()
    }
}

impl Default for Files {
    fn default() -> Self {
        Self::new(1)
    }
}
