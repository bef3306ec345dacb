//! How many files the calls of one configuration may have to do with at once.
//!
//! Descriptors and blocking threads belong to the whole process: a guest that takes them all would stop the others, and the
//! server.

use std::future::pending;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::file_turns::{FileTurns, Going};
use super::meter::{Refused, Wanted};

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

    /// The turns of the provider.
    pub(super) fn turns(&self) -> &FileTurns {
        &self.turns
    }

    /// Reads something that takes long and says that it goes on, in turns of the provider.
    pub(crate) async fn in_turns<T>(&self, progress: &Going, work: impl Future<Output = T>) -> T {
        self.turns.take_long(pending(), progress, work).await
    }

    /// Who hears that something goes on.
    pub(crate) fn going(&self) -> Arc<Going> {
        Arc::new(self.turns.going())
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
    use std::time::Duration;

    use tokio::time::{sleep, timeout};
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::assets::Progress as _;
    use crate::store::Terms;

    /// It would be ended by force, and couldn't save what it has, though nothing of its own is slow.
    #[tokio::test]
    async fn a_call_that_should_end_hardly_waits_for_a_turn() {
        let files = Files::new(1, FileTurns::new(1));
        let going = files.going();
        let unpacking = async {
            loop {
                going.made();
                sleep(Duration::from_millis(2)).await;
            }
        };
        let (soft, hard) = (CancellationToken::new(), CancellationToken::new());
        let ended = async {
            let cancelled = Terms { files: files.clone(), soft: soft.clone(), ..Terms::default() };
            let late = Terms { files: files.clone(), hard: hard.clone(), ..Terms::default() };
            for (call, which) in [(cancelled, &soft), (late, &hard)] {
                timeout(Duration::from_millis(200), call.in_turn(async {})).await.unwrap_err();
                which.cancel();
                timeout(Duration::from_secs(30), call.in_turn(async {})).await.unwrap();
            }
        };
        tokio::select! {
            biased;
            never = files.in_turns(&going, unpacking) => never,
            () = ended => {}
        }
    }

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
