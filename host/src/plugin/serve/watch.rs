//! A component's file, loaded again whenever it changes.
//!
//! Builds write files in pieces, delete them first, or leave broken ones: what can't be loaded is told, once, and what was loaded
//! before goes on.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::{sleep, timeout};

use super::run::{Served, Tell, Told};
use crate::component::{Identity, Variables};
use crate::plugin::error::PluginError;
use crate::plugin::load::{Loader, Ready};
use crate::plugin::operator::Operators;
use crate::regular;

/// How often the file is looked at.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a file has to stay as it is before it counts as written, and how long that is waited for.
const QUIET: Duration = Duration::from_millis(100);
const SETTLING: Duration = Duration::from_secs(2);
/// How long a Handshake waits for a new component. Engines wait for 10 s.
const PATIENCE: Duration = Duration::from_secs(8);

/// A watched file, and what was last loaded from it.
pub(super) struct Watched {
    path: PathBuf,
    name: String,
    loader: Arc<Loader>,
    tell: Tell,
    current: Mutex<Arc<Ready>>,
    /// Held while the file is looked at.
    looked: Arc<tokio::sync::Mutex<Looked>>,
}

#[derive(Default)]
struct Looked {
    identity: Option<Identity>,
    /// What was last told of it.
    refusal: Option<String>,
}

impl Watched {
    /// Loads the component for the first time.
    ///
    /// # Errors
    /// Whatever keeps it from being served.
    pub(super) async fn open(path: &Path, loader: Arc<Loader>, tell: Tell) -> Result<Arc<Self>, PluginError> {
        let identity = identity(path);
        let ready =
            loader.load_aside(path.to_owned(), None, Operators::of_this_process().developing(), Variables::Own).await?;
        Ok(Arc::new(Self {
            path: path.to_owned(),
            name: ready.offer.package.name.clone(),
            loader,
            tell,
            current: Mutex::new(Arc::new(ready)),
            looked: Arc::new(tokio::sync::Mutex::new(Looked { identity, refusal: None })),
        }))
    }

    /// What was last loaded.
    pub(super) fn current(&self) -> Arc<Ready> {
        Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What the file now holds, or held when it last could be loaded.
    ///
    /// # Errors
    /// An operator's file that can't be followed: to go on with other limits would be worse than not to.
    pub(super) async fn newest(self: &Arc<Self>) -> Result<Arc<Ready>, PluginError> {
        // What has begun goes on where nobody waits for it any longer: a compiler that was left alone compiles all the same, and whoever
        // looks next would have another one do so beside it. Who still waits for another one to have looked gives up.
        let this = Arc::clone(self);
        let looking = async {
            let looked = Arc::clone(&self.looked).lock_owned().await;
            tokio::spawn(async move { this.look(looked).await }).await
        };
        match timeout(PATIENCE, looking).await {
            Ok(Ok(Err(error @ PluginError::Operator(_)))) => Err(error),
            // It has been told; one that takes long to compile is there the next time.
            _ => Ok(self.current()),
        }
    }

    /// Looks at the file for as long as it is served.
    pub(super) async fn keep_looking(&self) {
        loop {
            sleep(PAUSE).await;
            let looked = Arc::clone(&self.looked).lock_owned().await;
            if looked.identity != identity(&self.path) {
                // It has been told.
                let _ = self.look(looked).await;
            }
        }
    }

    async fn look(&self, mut looked: OwnedMutexGuard<Looked>) -> Result<(), PluginError> {
        let found = settled(&self.path, looked.identity.as_ref()).await;
        let operators = Operators::of_this_process().developing();
        let loaded =
            self.loader.load_aside(self.path.clone(), Some(self.name.clone()), operators, Variables::Own).await;
        looked.identity = found;
        match loaded {
            Ok(ready) => {
                looked.refusal = None;
                let ready = Arc::new(ready);
                let before = std::mem::replace(
                    &mut *self.current.lock().unwrap_or_else(PoisonError::into_inner),
                    Arc::clone(&ready),
                );
                if before.digest != ready.digest {
                    (self.tell)(Told::Reloaded(Served::of(&ready)));
                }
                Ok(())
            }
            Err(error) => {
                let text = error.to_string();
                if looked.refusal.as_ref() != Some(&text) {
                    (self.tell)(Told::Refused(&error));
                    looked.refusal = Some(text);
                }
                Err(error)
            }
        }
    }
}

/// What the system says of a file that changes whenever its contents do. None if there is no file, or not enough is said.
fn identity(path: &Path) -> Option<Identity> {
    Identity::of(&regular::open(path).ok()?)
}

/// A file's identity once nobody writes to it any more.
async fn settled(path: &Path, before: Option<&Identity>) -> Option<Identity> {
    let mut found = identity(path);
    if found.as_ref() == before {
        return found;
    }
    let settling = async {
        loop {
            sleep(QUIET).await;
            let now = identity(path);
            if now == found {
                return;
            }
            found = now;
        }
    };
    // One that is written to for longer is loaded as it is, and again later.
    let _ = timeout(SETTLING, settling).await;
    found
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::component::{Cache, embed, nothing};

    /// A provider of a version, with nothing in it.
    fn provider(version: &str) -> Vec<u8> {
        let schema = format!(r#"{{"name": "empty", "version": "{version}"}}"#);
        embed(&nothing(), schema.as_bytes(), br#"{"manifestVersion": 1, "contract": "0.1.0"}"#).unwrap()
    }

    #[tokio::test]
    async fn what_a_handshake_did_not_wait_for_is_loaded_all_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("empty.wasm");
        std::fs::write(&path, provider("1.0.0")).unwrap();
        let loader = Arc::new(Loader::new(&Cache::disabled()));
        let watched = Watched::open(&path, loader, Box::new(|_| {})).await.unwrap();
        let before = watched.current().digest.clone();
        std::fs::write(&path, provider("1.0.1")).unwrap();
        assert!(watched.newest().now_or_never().is_none(), "loading takes a while");
        let loaded = async {
            while watched.current().digest == before {
                sleep(QUIET).await;
            }
        };
        timeout(Duration::from_secs(60), loaded).await.expect("it goes on without the one who asked for it");
    }
}
