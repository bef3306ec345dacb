//! What is compared, and the outcome.

use std::fmt;

use bulkhead_value::{Object, PropertyPath};

use crate::model::Resource;

/// What to compare.
#[derive(Clone, Copy)]
pub struct Comparison<'a> {
    /// The resource.
    pub resource: &'a Resource,
    /// The inputs that were recorded. Where an engine doesn't keep them, the state stands in, as far as it has inputs.
    pub old_inputs: Option<&'a Object>,
    /// The state that was recorded.
    pub old_state: &'a Object,
    /// The new inputs, checked. Members may be unknown, which means that they may change.
    pub new_inputs: &'a Object,
    /// What to treat as unchanged, with all that is below it. Wildcards stand for one step.
    pub ignore_changes: &'a [PropertyPath],
    /// Where the new inputs have generated names, for which a replacement is given others.
    pub generated: &'a [PropertyPath],
}

impl<'a> Comparison<'a> {
    /// What was recorded beside what is given now, where nothing is ignored and no name was generated.
    pub fn of(
        resource: &'a Resource,
        old_inputs: Option<&'a Object>,
        old_state: &'a Object,
        new_inputs: &'a Object,
    ) -> Self {
        Self { resource, old_inputs, old_state, new_inputs, ignore_changes: &[], generated: &[] }
    }
}

/// Without the values.
impl fmt::Debug for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparison")
            .field("resource", &self.resource.token)
            .field("ignore_changes", &self.ignore_changes)
            .finish_non_exhaustive()
    }
}

/// The outcome: equal if there are no changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// The changes, at most one for a path, in the order of the properties.
    pub changes: Vec<Change>,
    /// Whether a replacement deletes the old resource before it creates the new one. It is said whether or not anything here
    /// replaces: a program may have any change do so.
    pub delete_before_replace: bool,
    /// The names of inputs that didn't change and of outputs that an update never changes. Empty if the resource is
    /// replaced.
    pub stable: Vec<String>,
}

impl Difference {
    /// Whether the resource must be replaced.
    pub fn replaces(&self) -> bool {
        self.changes.iter().any(|change| change.replaces)
    }
}

/// A change of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which. It ends at a secret whose names are part of it, above a key that no path can be written with, and at the top
    /// where there are too many to tell.
    pub path: PropertyPath,
    /// What happens to it.
    pub kind: ChangeKind,
    /// Whether the resource must be replaced because of it.
    pub replaces: bool,
    /// Whether the old value is one of the recorded inputs; of the state otherwise.
    pub input_diff: bool,
}

/// What happens to a property, an element or a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It appears.
    Added,
    /// It disappears.
    Deleted,
    /// It changes.
    Updated,
}
