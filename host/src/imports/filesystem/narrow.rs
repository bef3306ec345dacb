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
        self.call.authority.denied(denial);
    }

    /// Whether a change at these places isn't permitted because one of them lies in a directory that is granted for reading, which is
    /// denied then.
    pub(super) fn is_for_reading<'p>(&self, places: impl IntoIterator<Item = (u32, &'p str)>) -> bool {
        self.is_narrow(places.into_iter().filter_map(|(rep, path)| self.way(rep, path)))
    }

    /// The way to a path in what is open, if it is known.
    pub(super) fn way(&self, rep: u32, path: &str) -> Option<Way> {
        Some(self.ways.get(&rep)?.to(path))
    }

    /// What came of a change to what is open, be it only of times, which a system sets though that is open for reading alone.
    pub(super) fn altered<T>(&self, outcome: FsResult<T>, open: u32) -> FsResult<T> {
        if isnt_permitted(&outcome) {
            self.is_narrow(self.ways.get(&open).into_iter());
        }
        outcome
    }

    /// What came of a look at a path, of which those are denied that lead out of what is granted. Nothing else keeps anybody from looking.
    pub(super) fn looked<T>(&self, outcome: FsResult<T>, (directory, path): (u32, &str)) -> FsResult<T> {
        if isnt_permitted(&outcome) {
            self.denied(self.ways.get(&directory), path, false);
        }
        outcome
    }

    /// Keeps the denial of the first of these ways that a directory granted for reading begins. False if none does.
    fn is_narrow(&self, mut ways: impl Iterator<Item: Borrow<Way>>) -> bool {
        let narrow = ways.find(|way| self.surroundings.widening(way.borrow().root()).is_some());
        if let Some(way) = &narrow {
            self.denied(Some(way.borrow()), way.borrow().path(), true);
        }
        narrow.is_some()
    }
}

/// Whether something failed by what was granted, or by what a system permits nobody: both have one code.
pub(super) fn isnt_permitted<T>(outcome: &FsResult<T>) -> bool {
    outcome.as_ref().err().and_then(|error| error.downcast_ref()) == Some(&ErrorCode::NotPermitted)
}
