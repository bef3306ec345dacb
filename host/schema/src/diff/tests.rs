use std::collections::BTreeSet;

use bulkhead_value::{Asset, Object, PropertyPath, Reference, ReferenceId, Value, equivalent};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{Change, ChangeKind, Comparison, Difference, as_given, diff, diff_configuration};
use crate::{
    Methods, ResourceFacts,
    check::{CheckRequest, check},
    fixture::{
        cloud, like_inputs, like_known_inputs, nested, object, on_a_small_stack, one, parsed, password, paths, random,
        resource, server, value,
    },
    model::{Package, Resource},
};

/// A change as text: `+` added, `-` deleted, `~` updated, doubled if it replaces.
fn told(difference: &Difference) -> Vec<String> {
    let told = |change: &Change| {
        let sign = match change.kind {
            ChangeKind::Added => "+",
            ChangeKind::Deleted => "-",
            ChangeKind::Updated => "~",
        };
        format!("{}{}", sign.repeat(if change.replaces { 2 } else { 1 }), change.path)
    };
    difference.changes.iter().map(told).collect()
}

fn compare(package: &Package, resource: &Resource, old: Json, state: Json, new: Json) -> Difference {
    let (old, state, new) = (object(old), object(state), object(new));
    diff(package, &Comparison::of(resource, Some(&old), &state, &new))
}

/// The changes of the server between two sets of inputs, with no state at all.
fn changes(old: Json, new: Json) -> Vec<String> {
    let package = cloud();
    told(&compare(&package, server(&package), old, json!({}), new))
}

/// The changes of a property of this type.
fn changes_of(ty: Json, old: Json, new: Json) -> Vec<String> {
    let package = one(json!({ "p": ty }), json!({}), json!({}));
    told(&compare(&package, resource(&package), json!({ "p": old }), json!({}), json!({ "p": new })))
}

mod changes;
mod invariants;
mod limits;
mod one_side;
mod outcome;
mod upstream;
