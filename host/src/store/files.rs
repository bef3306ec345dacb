//! How many files the calls of one configuration may have to do with at once.
//!
//! Descriptors and blocking threads belong to the whole process: a guest that takes them all would stop the others, and the
//! server.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Files that are read at once in one configuration; more wait.
const READERS: usize = 8;

/// The files of one configuration.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    readers: Arc<Semaphore>,
    open: Arc<Semaphore>,
}

impl Files {
    /// With so many assets and archives open at once.
    pub(crate) fn new(open: usize) -> Self {
        let open = open.min(Semaphore::MAX_PERMITS);
        Self { readers: Arc::new(Semaphore::new(READERS)), open: Arc::new(Semaphore::new(open)) }
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

    /// The right to have one more open. None if there are too many.
    pub(crate) fn opening(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.open).try_acquire_owned().ok()
    }
}

impl Default for Files {
    fn default() -> Self {
        Self::new(1)
    }
}
