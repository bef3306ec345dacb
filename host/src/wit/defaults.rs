//! Questions of a guest to the host's own behaviour, and the answers: the way of `request` and `decode`, reversed.

use bulkhead_schema::{Autonaming, AutonamingMode, Change, ChangeKind, Checked, Difference, Failure};
use bulkhead_value::{Object, PropertyPath, Segment};

use super::bindings::types;
use super::bindings::values::Tree;
use super::decode::path;
use super::tree::{TreeError, TreeLimits, object_from_tree, tree_from_object};
use crate::provider::Prior;

/// An object that may be absent.
pub(crate) fn optional_object(tree: Option<Tree>, limits: &TreeLimits) -> Result<Option<Object>, TreeError> {
    tree.map(|tree| object_from_tree(tree, limits)).transpose()
}

/// A resource on record.
pub(crate) fn prior_of(prior: types::Prior, limits: &TreeLimits) -> Result<Prior, TreeError> {
    Ok(Prior {
        id: prior.id,
        state: object_from_tree(prior.state, limits)?,
        inputs: optional_object(prior.inputs, limits)?,
        // The host's own behaviour knows no views.
        views: Vec::new(),
    })
}

/// An engine's wish for a name.
pub(crate) fn autonaming_of(autonaming: types::Autonaming) -> Autonaming {
    let mode = match autonaming.mode {
        types::AutonamingMode::Propose => AutonamingMode::Propose,
        types::AutonamingMode::Enforce => AutonamingMode::Enforce,
        types::AutonamingMode::Disable => AutonamingMode::Disable,
    };
    Autonaming { mode, proposed_name: autonaming.proposed_name }
}

/// The same, for a guest that overrides the check.
pub(crate) fn autonaming(autonaming: &Autonaming) -> types::Autonaming {
    let mode = match autonaming.mode {
        AutonamingMode::Propose => types::AutonamingMode::Propose,
        AutonamingMode::Enforce => types::AutonamingMode::Enforce,
        AutonamingMode::Disable => types::AutonamingMode::Disable,
    };
    types::Autonaming { mode, proposed_name: autonaming.proposed_name.clone() }
}

/// Property paths.
pub(crate) fn paths_of(paths: Vec<types::PropertyPath>) -> Vec<PropertyPath> {
    paths.into_iter().map(ignored).collect()
}

/// A path whose `*` segments stand for any.
fn ignored(given: types::PropertyPath) -> PropertyPath {
    let wildcard = |segment: &Segment| if segment.name() == Some("*") { Segment::Wildcard } else { segment.clone() };
    path(given).segments().iter().map(wildcard).collect()
}

/// A verdict of the host.
pub(crate) fn checked_answer(checked: Checked) -> types::Checked {
    types::Checked {
        inputs: tree_from_object(&checked.inputs),
        failures: checked.failures.into_iter().map(failure_answer).collect(),
    }
}

pub(super) fn failure_answer(failure: Failure) -> types::Failure {
    types::Failure { path: path_answer(&failure.path), reason: failure.reason }
}

/// A difference that the host found.
pub(crate) fn difference_answer(difference: Difference) -> types::Difference {
    let change = |change: Change| types::Change {
        path: path_answer(&change.path),
        kind: match change.kind {
            ChangeKind::Added => types::ChangeKind::Added,
            ChangeKind::Deleted => types::ChangeKind::Deleted,
            ChangeKind::Updated => types::ChangeKind::Updated,
        },
        replaces: change.replaces,
        input_diff: change.input_diff,
    };
    types::Difference {
        changes: difference.changes.into_iter().map(change).collect(),
        delete_before_replace: difference.delete_before_replace,
        stable: difference.stable,
    }
}

fn path_answer(path: &PropertyPath) -> types::PropertyPath {
    super::request::paths(std::slice::from_ref(path)).pop().unwrap_or_default()
}
