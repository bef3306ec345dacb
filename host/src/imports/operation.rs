//! `operation`: the call that a guest is serving, and the one thing it should say early: that a resource exists.

use std::time::{Duration, Instant};

use bulkhead_value::signature::is_unknown;

use crate::provider;
use crate::store::{Checkpoint, Ending, State};
use crate::wit::Weigh;
use crate::wit::bindings::operation::Host;
use crate::wit::bindings::types::Error;
use crate::wit::bindings::values::Tree;

/// How often a state is there: as it was announced, and as it is sent if the call doesn't return.
const COPIES: usize = 2;

impl Host for State {
    fn remaining(&mut self) -> wasmtime::Result<Option<u32>> {
        let left = self.call.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Ok(left.map(|left| u32::try_from(left.as_millis()).unwrap_or(u32::MAX)))
    }

    fn cancelled(&mut self) -> wasmtime::Result<bool> {
        Ok(self.call.soft.is_cancelled())
    }

    async fn sleep(&mut self, milliseconds: u32) -> wasmtime::Result<bool> {
        let (soft, hard) = (self.call.soft.clone(), self.call.hard.clone());
        tokio::select! {
            biased;
            () = hard.cancelled() => Err(Ending::of(&self.call).into()),
            () = soft.cancelled() => Ok(true),
            () = tokio::time::sleep(Duration::from_millis(milliseconds.into())) => Ok(false),
        }
    }

    fn checkpoint(&mut self, id: String, state: Tree) -> wasmtime::Result<Result<(), Error>> {
        let Some(announced) = &self.call.announced else {
            return Ok(Err(Error::Unsupported("checkpoints have a meaning in create and update only".to_owned())));
        };
        if id.is_empty() {
            return Ok(Err(Error::Bug("a checkpoint needs the resource's id".to_owned())));
        }
        let flaw = provider::flaw(&id).map(|flaw| format!("the provider announced {flaw}"));
        if let Some(flaw) = flaw.as_ref().filter(|_| provider::is_too_long(&id) || is_unknown(&id)) {
            // Nobody can be told which resource it is, or go on with it, but that there is one.
            return Ok(Err(Error::OutcomeUnknown(format!("{flaw}; this is a bug in the provider"))));
        }
        let is_kept = self.meter.keep(state.weight().saturating_mul(COPIES)).is_ok();
        // The id is what nobody may lose. A state without nodes says nothing, so that what is on record stays.
        let state = if is_kept { state } else { Tree { nodes: Vec::new() } };
        announced.keep(Checkpoint { id, state });
        if let Some(flaw) = flaw {
            return Ok(Err(Error::Bug(flaw)));
        }
        if is_kept {
            return Ok(Ok(()));
        }
        let message = "there is no memory left to keep a state of this size; the resource's id is kept";
        // Not `failed`, by which a guest that passes it on would say that there is nothing.
        Ok(Err(Error::Other(message.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::Announced;

    /// What was announced by an id is all that a resource is found by.
    #[test]
    fn a_checkpoint_that_names_no_resource_replaces_none_that_does() {
        let mut state = State::of_nobody();
        let announced = Announced::default();
        Arc::make_mut(&mut state.call.terms).announced = Some(announced.clone());
        let mut checkpoint = |id: String| state.checkpoint(id, Tree { nodes: Vec::new() }).unwrap();
        assert!(checkpoint("made-1".to_owned()).is_ok());
        assert!(matches!(checkpoint(String::new()), Err(Error::Bug(_))));
        for lost in ["x".repeat((64 << 10) + 1), bulkhead_value::signature::UNKNOWN.to_owned()] {
            assert!(matches!(checkpoint(lost), Err(Error::OutcomeUnknown(_))));
        }
        assert_eq!(announced.take().unwrap().id, "made-1");
    }
}
