//! How many packages the calls of one configuration may have described at once.
//!
//! A schema has tens of megabytes, and nobody knows beforehand how many, so that they are in the account of a guest's memory only once
//! they are there. All calls together would have gigabytes that are still coming.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Packages that are described at once in one configuration; more wait.
const AT_ONCE: usize = 8;

/// The descriptions of one configuration. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Descriptions(Arc<Semaphore>);

impl Descriptions {
    /// Waits for the right to have one more, for as long as it is held.
    pub(crate) async fn one(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).acquire_owned().await.ok()
    }
}

impl Default for Descriptions {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}
