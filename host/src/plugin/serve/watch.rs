//! A component's file, loaded again whenever it changes.
//!
//! Builds write files in pieces, delete them first, or leave broken ones: what can't be loaded is told, once, and what was loaded
//! before goes on.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
    looked: tokio::sync::Mutex<Looked>,
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
            looked: tokio::sync::Mutex::new(Looked { identity, refusal: None }),
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
    pub(super) async fn newest(&self) -> Result<Arc<Ready>, PluginError> {
        match timeout(PATIENCE, self.look()).await {
            Ok(Err(error @ PluginError::Operator(_))) => Err(error),
            // It has been told; one that takes long to compile is there the next time.
            _ => Ok(self.current()),
        }
    }

    /// Looks at the file for as long as it is served.
    pub(super) async fn keep_looking(&self) {
        loop {
            sleep(PAUSE).await;
            let changed = self.looked.lock().await.identity != identity(&self.path);
            if changed {
                // It has been told.
                let _ = self.look().await;
            }
        }
    }

    async fn look(&self) -> Result<(), PluginError> {
        let mut looked = self.looked.lock().await;
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
