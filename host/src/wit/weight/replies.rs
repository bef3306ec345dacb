//! The weight of what calls of a guest return.

use super::super::bindings::exports::lists::{ListItem, Page};
use super::super::bindings::exports::mappings::Mapping;
use super::super::bindings::exports::resources::{Created, Snapshot, Updated};
use super::super::bindings::exports::upgrade::Upgraded;
use super::super::bindings::types::{
    Change, Checked, Difference, Error, Failure, MissingKey, Partial, PathSegment, Subpackage,
};
use super::{Weigh, sum};

impl Weigh for () {
    fn weight(&self) -> usize {
        0
    }
}

impl<T: Weigh, E: Weigh> Weigh for Result<T, E> {
    fn weight(&self) -> usize {
        match self {
            Ok(value) => value.weight(),
            Err(error) => error.weight(),
        }
    }
}

impl Weigh for Error {
    fn weight(&self) -> usize {
        match self {
            Self::Rejected(failures) => failures.weight(),
            Self::MissingConfiguration(keys) => keys.weight(),
            Self::NotInitialised(Partial { id, state, inputs, reasons, refresh_before_update: _ }) => {
                sum([id as &dyn Weigh, state, inputs, reasons])
            }
            Self::Failed(text)
            | Self::AwaitFailed(text)
            | Self::OutcomeUnknown(text)
            | Self::NotFound(text)
            | Self::Unsupported(text)
            | Self::Bug(text)
            | Self::Other(text) => text.weight(),
            Self::Cancelled => 0,
        }
    }
}

impl Weigh for Failure {
    fn weight(&self) -> usize {
        let Self { path, reason } = self;
        sum([path as &dyn Weigh, reason])
    }
}

impl Weigh for MissingKey {
    fn weight(&self) -> usize {
        let Self { name, description } = self;
        sum([name as &dyn Weigh, description])
    }
}

impl Weigh for PathSegment {
    fn weight(&self) -> usize {
        match self {
            Self::Field(name) | Self::Key(name) => name.weight(),
            Self::Index(_) => super::EACH,
        }
    }
}

impl Weigh for Created {
    fn weight(&self) -> usize {
        let Self { id, state, refresh_before_update: _ } = self;
        sum([id as &dyn Weigh, state])
    }
}

impl Weigh for Snapshot {
    fn weight(&self) -> usize {
        let Self { id, state, inputs, refresh_before_update: _ } = self;
        sum([id as &dyn Weigh, state, inputs])
    }
}

impl Weigh for Updated {
    fn weight(&self) -> usize {
        let Self { state, refresh_before_update: _ } = self;
        state.weight()
    }
}

impl Weigh for Checked {
    fn weight(&self) -> usize {
        let Self { inputs, failures } = self;
        sum([inputs as &dyn Weigh, failures])
    }
}

impl Weigh for Difference {
    fn weight(&self) -> usize {
        let Self { changes, delete_before_replace: _, stable } = self;
        sum([changes as &dyn Weigh, stable])
    }
}

impl Weigh for Change {
    fn weight(&self) -> usize {
        let Self { path, kind: _, replaces: _, input_diff: _ } = self;
        path.weight()
    }
}

impl Weigh for Upgraded {
    fn weight(&self) -> usize {
        let Self { state, inputs } = self;
        sum([state as &dyn Weigh, inputs])
    }
}

impl Weigh for Page {
    fn weight(&self) -> usize {
        let Self { items, continuation } = self;
        sum([items as &dyn Weigh, continuation])
    }
}

impl Weigh for ListItem {
    fn weight(&self) -> usize {
        let Self { id, name, state } = self;
        sum([id as &dyn Weigh, name, state])
    }
}

impl Weigh for Mapping {
    fn weight(&self) -> usize {
        let Self { provider, data } = self;
        provider.weight().saturating_add(data.len())
    }
}

impl Weigh for Subpackage {
    fn weight(&self) -> usize {
        let Self { name, version } = self;
        sum([name as &dyn Weigh, version])
    }
}
