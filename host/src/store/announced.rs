//! What a call has announced: that a resource exists, whatever becomes of the call. So it is kept beside the call and not in it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::provider::leads_nowhere;
use crate::wit::Left;
use crate::wit::bindings::types;
use crate::wit::bindings::values::Tree;

/// What a guest announced with `operation.checkpoint`.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    /// The resource's id.
    pub(crate) id: String,
    /// Its state so far; decoded when it is needed.
    pub(crate) state: Tree,
}

/// The last checkpoint of a call. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Announced(Arc<Mutex<Option<Checkpoint>>>);

impl Announced {
    /// Keeps a checkpoint, in place of the one before.
    pub(crate) fn keep(&self, checkpoint: Checkpoint) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(checkpoint);
    }

    /// Adds what a reply left behind. An id alone says less than a checkpoint does.
    pub(crate) fn add(&self, left: Left) {
        // Nobody could go on with another id, and it would take the place of one that somebody can.
        if left.id.is_empty() || leads_nowhere(&left.id) {
            return;
        }
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match left.state {
            Some(state) => *last = Some(Checkpoint { id: left.id, state }),
            None if last.is_none() => *last = Some(Checkpoint { id: left.id, state: Tree { nodes: Vec::new() } }),
            None => {}
        }
    }

    /// Adds what the reply of a create or of an update says that there is.
    pub(crate) fn replied<T>(&self, id: &str, reply: &Result<T, types::Error>) {
        match reply {
            Ok(_) | Err(types::Error::NotInitialised(_)) => self.add(Left { id: id.to_owned(), state: None }),
            // It is believed that nothing is there any more, or nothing else than before.
            Err(types::Error::Failed(_)) => drop(self.take()),
            Err(_) => {}
        }
    }

    /// The last one, for whoever answers, or for nobody.
    pub(crate) fn take(&self) -> Option<Checkpoint> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
