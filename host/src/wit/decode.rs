//! A guest's replies, in the waist's terms.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bulkhead_schema::{Change, ChangeKind, Checked, Difference, Failure, FailureKind};
use bulkhead_value::{PropertyPath, Segment};

use super::bindings::exports::{resources, upgrade};
use super::bindings::types;
use super::error::given;
use super::tree::{TreeError, TreeLimits, object_from_tree};
use crate::provider::{Created, Error, Prior, Snapshot, Updated};

/// Failures that are told of one check. Nobody reads more, and engines print each.
const MOST_FAILURES: usize = 1_000;
/// Steps of a path that is told.
const LONGEST_PATH: usize = 1_024;
/// Bytes of the names in the path of a change, or of what is wrong.
const LONGEST_NAMES: usize = 64 << 10;
/// Bytes of the names of all properties that a difference calls stable.
const LONGEST_STABLE: usize = 1 << 20;
/// The last element of a list at which a change is told. Whoever shows one counts up to it, so a change that is farther on is told as one
/// of the list, and one at a key that no path can be written with as one of the map.
const FARTHEST: usize = 10_000;
/// Bytes of a text of which people are shown a few thousand, once what is secret in it is masked.
const LONGEST_REASON: usize = 64 << 10;
/// Changes of one difference at their places, and properties that it calls stable.
const MOST_CHANGES: usize = 100_000;

/// A created resource.
pub(crate) fn created(created: resources::Created, limits: &TreeLimits) -> Result<Created, TreeError> {
    let state = object_from_tree(created.state, limits)?;
    Ok(Created { id: created.id, state, refresh_before_update: created.refresh_before_update })
}

/// A resource that was read.
pub(crate) fn snapshot(snapshot: resources::Snapshot, limits: &TreeLimits) -> Result<Snapshot, TreeError> {
    Ok(Snapshot {
        id: snapshot.id,
        state: object_from_tree(snapshot.state, limits)?,
        inputs: snapshot.inputs.map(|inputs| object_from_tree(inputs, limits)).transpose()?,
        refresh_before_update: snapshot.refresh_before_update,
    })
}

/// An updated resource.
pub(crate) fn updated(updated: resources::Updated, limits: &TreeLimits) -> Result<Updated, TreeError> {
    let state = object_from_tree(updated.state, limits)?;
    Ok(Updated { state, refresh_before_update: updated.refresh_before_update })
}

/// Rewritten state and inputs of the resource with the id.
pub(crate) fn upgraded(id: &str, upgraded: upgrade::Upgraded, limits: &TreeLimits) -> Result<Prior, TreeError> {
    Ok(Prior {
        id: id.to_owned(),
        state: object_from_tree(upgraded.state, limits)?,
        inputs: upgraded.inputs.map(|inputs| object_from_tree(inputs, limits)).transpose()?,
        views: Vec::new(),
    })
}

/// The verdict of an overridden check.
pub(crate) fn checked(checked: types::Checked, limits: &TreeLimits) -> Result<Checked, TreeError> {
    Ok(Checked {
        inputs: object_from_tree(checked.inputs, limits)?,
        filled: Vec::new(),
        generated: Vec::new(),
        failures: failures(checked.failures),
    })
}

/// The result of an overridden difference.
///
/// # Errors
/// More properties than are told of.
pub(crate) fn difference(difference: types::Difference) -> Result<Difference, Error> {
    let changes = match difference.changes.len() > MOST_CHANGES {
        true => of_properties(difference.changes),
        false => difference.changes,
    };
    let told = changes.len().max(difference.stable.len());
    if told > MOST_CHANGES {
        return Err(Error::provider_bug(format!(
            "the provider returned a difference of {told} properties, and may tell {MOST_CHANGES}"
        )));
    }
    // It goes to the engine in one message, whatever an answer may have.
    if difference.stable.iter().map(String::len).fold(0, usize::saturating_add) > LONGEST_STABLE {
        return Err(Error::provider_bug(format!(
            "the provider returned a difference with stable properties of more than {LONGEST_STABLE} bytes"
        )));
    }
    let changes = changes_of(changes);
    Ok(Difference {
        changes: changes.map_err(|flaw| Error::provider_bug(format!("the provider returned {flaw}")))?,
        delete_before_replace: difference.delete_before_replace,
        stable: difference.stable,
    })
}

/// The changes of the properties at the top that stand for all below them: a list or a map may have more elements than are told of.
fn of_properties(changes: Vec<types::Change>) -> Vec<types::Change> {
    let mut properties: BTreeMap<Option<String>, types::Change> = BTreeMap::new();
    for mut change in changes {
        if change.path.len() > 1 {
            change.path.truncate(1);
            change.kind = types::ChangeKind::Updated;
        }
        let name = change.path.first().and_then(name).cloned();
        match properties.entry(name) {
            Entry::Vacant(new) => {
                new.insert(change);
            }
            Entry::Occupied(told) => {
                let told = told.into_mut();
                told.replaces |= change.replaces;
                told.input_diff &= change.input_diff;
            }
        }
    }
    properties.into_values().collect()
}

/// The name that a step has, if it is no element's.
fn name(step: &types::PathSegment) -> Option<&String> {
    match step {
        types::PathSegment::Field(name) | types::PathSegment::Key(name) => Some(name),
        types::PathSegment::Index(_) => None,
    }
}

/// Changes. Engines print each at its place, and some end over one that is at none.
///
/// # Errors
/// What is wrong with one, as it reads after "returned".
pub(crate) fn changes_of(changes: Vec<types::Change>) -> Result<Vec<Change>, String> {
    changes.into_iter().map(change).collect()
}

fn change(change: types::Change) -> Result<Change, String> {
    let types::Change { path, mut kind, replaces, input_diff } = change;
    if path.len() > LONGEST_PATH {
        return Err(format!("a difference at a path of more than {LONGEST_PATH} steps"));
    }
    if path.first().and_then(name).is_none() {
        return Err("a difference that is in no property".to_owned());
    }
    if path.iter().filter_map(name).map(String::len).fold(0, usize::saturating_add) > LONGEST_NAMES {
        return Err(format!("a difference at a path of more than {LONGEST_NAMES} bytes"));
    }
    let far = |segment: &Segment| matches!(segment, Segment::Index(index) if *index > FARTHEST);
    let told = |(position, segment): &(usize, &Segment)| *position == 0 || (segment.can_be_written() && !far(segment));
    let mut path = self::path(path);
    let steps = path.segments().iter().enumerate().take_while(told).count();
    while path.segments().len() > steps {
        path.pop();
        kind = types::ChangeKind::Updated;
    }
    let kind = match kind {
        types::ChangeKind::Added => ChangeKind::Added,
        types::ChangeKind::Deleted => ChangeKind::Deleted,
        types::ChangeKind::Updated => ChangeKind::Updated,
    };
    Ok(Change { path, kind, replaces, input_diff })
}

/// What is wrong with inputs; of very much, the beginning and how much more there is.
pub(crate) fn failures(mut failures: Vec<types::Failure>) -> Vec<Failure> {
    let further = failures.len().saturating_sub(MOST_FAILURES);
    failures.truncate(MOST_FAILURES);
    let mut told: Vec<Failure> = failures.into_iter().map(failure).collect();
    if further > 0 {
        let (path, reason) = (PropertyPath::default(), format!("and {further} further failures"));
        told.push(Failure { path, kind: FailureKind::Constraint, reason });
    }
    told
}

/// Something that is wrong with an input, at as much of its path as is named in what people read. Names are left whole, so that
/// secrets are found in them.
fn failure(mut failure: types::Failure) -> Failure {
    let mut named = 0_usize;
    let is_told = |segment: &&types::PathSegment| {
        if let types::PathSegment::Field(name) | types::PathSegment::Key(name) = segment {
            named = named.saturating_add(name.len());
        }
        named <= LONGEST_NAMES
    };
    let steps = failure.path.iter().take(LONGEST_PATH).take_while(is_told).count();
    failure.path.truncate(steps);
    Failure { path: path(failure.path), kind: FailureKind::Constraint, reason: given(beginning(failure.reason)) }
}

/// As much of a text as anything is made of.
pub(super) fn beginning(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(LONGEST_REASON));
    text
}

/// A property path.
pub(super) fn path(path: types::PropertyPath) -> PropertyPath {
    path.into_iter()
        .map(|segment| match segment {
            types::PathSegment::Field(name) => Segment::Field(name),
            types::PathSegment::Key(name) => Segment::Key(name),
            types::PathSegment::Index(index) => Segment::Index(usize::try_from(index).unwrap_or(usize::MAX)),
        })
        .collect()
}
