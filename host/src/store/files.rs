//! How many files the calls of one configuration may have to do with at once.
//!
//! Descriptors and blocking threads belong to the whole process: a guest that takes them all would stop the others, and the
//! server.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::file_turns::FileTurns;
use super::meter::{Refused, Wanted};
use crate::assets::Progress;

/// Files that are read at once in one configuration; more wait.
const READERS: usize = 8;
/// Instances whose directories are opened at once in one configuration; more wait. They take a moment, and don't wait for what is read.
const BEGINNERS: usize = 8;
/// Files and directories that instances have open at once in granted directories; more are refused.
const OPEN: usize = 256;
/// Which part of what the process may have open at once the directories are that the instances of a configuration begin with.
const OF_ALL: usize = 4;

/// The files of one configuration.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    readers: Arc<Semaphore>,
    beginners: Arc<Semaphore>,
    open: Arc<Semaphore>,
    descriptors: Arc<Semaphore>,
    directories: Arc<Semaphore>,
    turns: FileTurns,
}

/// The right to have a file or directory open, for as long as anything has it open.
pub(crate) type Opened = Arc<OwnedSemaphorePermit>;

impl Files {
    /// With so many assets and archives open at once, and these turns.
    pub(crate) fn new(open: usize, turns: FileTurns) -> Self {
        let open = open.min(Semaphore::MAX_PERMITS);
        let most = [READERS, BEGINNERS, open, OPEN, descriptors() / OF_ALL];
        let [readers, beginners, open, descriptors, directories] = most.map(|most| Arc::new(Semaphore::new(most)));
        Self { readers, beginners, open, descriptors, directories, turns }
    }

    /// Waits for the right to read.
    pub(crate) async fn reading(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.readers).acquire_owned().await.ok()
    }

    /// Waits for the right to open the directories of an instance that begins.
    pub(crate) async fn beginning(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.beginners).acquire_owned().await.ok()
    }

    /// Takes the right to read from everybody, for as long as it is held.
    #[cfg(test)]
    pub(crate) async fn none_left(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.readers).acquire_many_owned(READERS as u32).await.ok()
    }

    /// Does something in a granted directory, in a turn of the provider.
    pub(crate) async fn in_turn<T>(&self, work: impl Future<Output = T>) -> T {
        self.turns.take(work).await
    }

    /// Who hears that work in a turn goes on.
    pub(crate) fn progress(&self) -> Arc<dyn Progress> {
        Arc::new(self.turns.clone())
    }

    /// The right to have one more open in a granted directory.
    ///
    /// # Errors
    /// How many there are.
    pub(crate) fn descriptor(&self) -> Result<Opened, usize> {
        Arc::clone(&self.descriptors).try_acquire_owned().map(Arc::new).map_err(|_| OPEN)
    }

    /// The right of one more instance to have so many directories open, for as long as it is there. None where it has none.
    ///
    /// # Errors
    /// Others have too many.
    pub(crate) fn directories(&self, many: usize) -> Result<Option<OwnedSemaphorePermit>, Refused> {
        if many == 0 {
            return Ok(None);
        }
        let permits = u32::try_from(many).ok();
        let right = permits.and_then(|many| Arc::clone(&self.directories).try_acquire_many_owned(many).ok());
        right.map(Some).ok_or(Refused(Wanted::Directories))
    }

    /// The right to have one more asset or archive open. None if there are too many.
    pub(crate) fn opening(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.open).try_acquire_owned().ok()
    }
}

impl Default for Files {
    fn default() -> Self {
        Self::new(1, FileTurns::default())
    }
}

/// How many descriptors the process may have.
#[cfg(unix)]
fn descriptors() -> usize {
    use rustix::process::{Resource, getrlimit};
    let most = getrlimit(Resource::Nofile).current.and_then(|most| usize::try_from(most).ok());
    most.unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)
}

/// How many descriptors the process may have: as many as there is memory for.
#[cfg(not(unix))]
fn descriptors() -> usize {
    Semaphore::MAX_PERMITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_begin_with_a_quarter_of_what_the_process_may_have_open() {
        let (files, most) = (Files::default(), descriptors() / OF_ALL);
        assert!(files.directories(0).unwrap().is_none());
        let all = files.directories(most).unwrap();
        assert_eq!(files.clone().directories(1).unwrap_err(), Refused(Wanted::Directories));
        assert!(files.directories(0).is_ok(), "one that begins with nothing lacks nothing");
        assert!(files.descriptor().is_ok(), "what is opened is counted by itself");
        drop(all);
        assert!(files.directories(most).is_ok() && files.directories(usize::MAX).is_err());
    }
}
