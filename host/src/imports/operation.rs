//! `operation`: the call that a guest is serving, and the one thing it should say early: that a resource exists.

use std::time::{Duration, Instant};

use bulkhead_policy::Phase;

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
        let is_lost = provider::leads_nowhere(&id);
        if let Some(flaw) = flaw.as_ref().filter(|_| is_lost && self.call.authority.phase() == Phase::Create) {
            // Nobody can be told which resource it is, or go on with it, but that there is one.
            return Ok(Err(Error::OutcomeUnknown(format!("{flaw}; this is a bug in the provider"))));
        }
        // Which resource an update changes is known without it.
        let id = if is_lost { String::new() } else { id };
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
    use crate::audit::Trail;
    use crate::provider::Leaks;
    use crate::store::{Announced, Authority};
    use crate::wit::bindings::values::Node;

    /// A call of a phase, and what it announces.
    fn of(phase: Phase) -> (State, Announced) {
        let (mut state, announced) = (State::of_nobody(), Announced::default());
        let terms = Arc::make_mut(&mut state.call.terms);
        terms.announced = Some(announced.clone());
        terms.authority = Arc::new(Authority::new(Arc::default(), phase, Trail::default(), Leaks::default()));
        (state, announced)
    }

    fn lost() -> [String; 2] {
        ["x".repeat((64 << 10) + 1), bulkhead_value::signature::UNKNOWN.to_owned()]
    }

    /// What was announced by an id is all that a resource is found by.
    #[test]
    fn a_checkpoint_that_names_no_resource_replaces_none_that_does() {
        let (mut state, announced) = of(Phase::Create);
        let mut checkpoint = |id: String| state.checkpoint(id, Tree { nodes: Vec::new() }).unwrap();
        assert!(checkpoint("made-1".to_owned()).is_ok());
        assert!(matches!(checkpoint(String::new()), Err(Error::Bug(_))));
        for lost in lost() {
            assert!(matches!(checkpoint(lost), Err(Error::OutcomeUnknown(_))));
        }
        assert_eq!(announced.take().unwrap().id, "made-1");
    }

    #[test]
    fn an_update_keeps_the_state_of_a_checkpoint_whatever_it_says_of_the_id() {
        let (mut state, announced) = of(Phase::Update);
        for lost in lost() {
            let told = state.checkpoint(lost, Tree { nodes: vec![Node::Text("reached".to_owned())] }).unwrap();
            assert!(matches!(told, Err(Error::Bug(_))), "{told:?}");
            let kept = announced.take().unwrap();
            assert_eq!((kept.id.as_str(), kept.state.nodes.len()), ("", 1));
        }
    }
}
