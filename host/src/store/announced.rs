//! What a call has announced: that a resource exists, whatever becomes of the call. So it is kept beside the call and not in it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::wit::Left;
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
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match left.state {
            Some(state) => *last = Some(Checkpoint { id: left.id, state }),
            None if last.is_none() => *last = Some(Checkpoint { id: left.id, state: Tree { nodes: Vec::new() } }),
            None => {}
        }
    }

    /// The last one, for whoever answers, or for nobody.
    pub(crate) fn take(&self) -> Option<Checkpoint> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
