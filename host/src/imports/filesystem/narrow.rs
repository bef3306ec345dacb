//! What the grant of a directory was too narrow for.
//!
//! A guest is told `not-permitted`, from which no operator learns which directory it was and what would do. So the call keeps a denial.

use std::borrow::Borrow;
use std::collections::HashMap;

use bulkhead_policy::{Access, Capability, Denial, Why};
use wasmtime_wasi::p2::FsResult;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;

use crate::provider::shortened;
use crate::store::{Serving, State, Surroundings, Way};

/// What is granted of the directories that a guest has open.
pub(super) struct Granted<'s> {
    pub(super) ways: &'s HashMap<u32, Way>,
    pub(super) call: &'s Serving,
    pub(super) surroundings: &'s Surroundings,
}

impl<'s> Granted<'s> {
    pub(super) fn of(state: &'s State) -> Self {
        Self { ways: &state.ways, call: &state.call, surroundings: &state.surroundings }
    }

    /// Keeps that a path in one of the guest's directories is denied, and the way there if it is known.
    pub(super) fn denied(&self, way: Option<&Way>, path: &str, writes: bool) {
        let shown = |path: &str| shortened(self.call.leaks.name(path.to_owned()).escape_debug().to_string(), 256);
        let widening = way.filter(|_| writes).map(|way| (way, self.surroundings.widening(way.root())));
        // It may be cut, so nothing of it is secret any more.
        let (subject, reason, remedy) = match widening {
            // Nothing is changed there, wherever the path leads.
            Some((way, Some(remedy))) => {
                (shown(way.path()), format!("`{}` is granted for reading", way.root()), Some(remedy.clone()))
            }
            None if writes => {
                (shown(path), "it lies outside of what is granted, or is granted for reading".to_owned(), None)
            }
            _ => (shown(path), "it lies outside of what is granted".to_owned(), None),
        };
        let access = if writes { Access::Write } else { Access::Read };
        let subject = format!("{subject} ({access})");
        let denial = Denial { capability: Capability::Filesystem, subject, why: Why::Other(reason), remedy };
        let _ = self.call.authority.decided::<()>(Err(denial));
    }

    /// What came of a change at places, of which a directory that is granted for reading is denied. Where all may be written to, a system
    /// has reasons of its own.
    pub(super) fn changed<T>(
        &self,
        outcome: FsResult<T>,
        places: impl IntoIterator<Item = (u32, String)>,
    ) -> FsResult<T> {
        let ways = places.into_iter().filter_map(|(rep, path)| Some(self.ways.get(&rep)?.to(&path)));
        self.narrowed(outcome, ways)
    }

    /// What came of a change to what is open, be it only of times, which a system sets though that is open for reading alone.
    pub(super) fn altered<T>(&self, outcome: FsResult<T>, open: u32) -> FsResult<T> {
        self.narrowed(outcome, self.ways.get(&open).into_iter())
    }

    /// What came of a look at a path, of which those are denied that lead out of what is granted. Nothing else keeps anybody from looking.
    pub(super) fn looked<T>(&self, outcome: FsResult<T>, (directory, path): (u32, &str)) -> FsResult<T> {
        let code = outcome.as_ref().err().and_then(|error| error.downcast_ref());
        if code == Some(&ErrorCode::NotPermitted) {
            self.denied(self.ways.get(&directory), path, false);
        }
        outcome
    }

    /// What came of a change on these ways, with the denial kept of the first that a directory granted for reading begins.
    fn narrowed<T>(&self, outcome: FsResult<T>, mut ways: impl Iterator<Item: Borrow<Way>>) -> FsResult<T> {
        let code = outcome.as_ref().err().and_then(|error| error.downcast_ref());
        if code == Some(&ErrorCode::NotPermitted)
            && let Some(way) = ways.find(|way| self.surroundings.widening(way.borrow().root()).is_some())
        {
            self.denied(Some(way.borrow()), way.borrow().path(), true);
        }
        outcome
    }
}
