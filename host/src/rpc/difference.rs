//! DiffResponse, from changes as data: the detailed diff, and the older fields that say the same with less.

use std::collections::{BTreeMap, BTreeSet};

use bulkhead_proto::provider::diff_response::DiffChanges;
use bulkhead_proto::provider::property_diff::Kind;
use bulkhead_proto::provider::{DiffResponse, PropertyDiff};

use crate::provider::{Change, ChangeKind, Difference};

/// The response to Diff and DiffConfig.
pub(super) fn diff_response(difference: Difference) -> DiffResponse {
    let changes = if difference.changes.is_empty() { DiffChanges::DiffNone } else { DiffChanges::DiffSome };
    let names = |change: &Change| change.path.first_name().map(str::to_owned);
    let replaces: BTreeSet<String> =
        difference.changes.iter().filter(|change| change.replaces).filter_map(names).collect();
    let diffs: BTreeSet<String> = difference.changes.iter().filter_map(names).collect();
    let stables = difference.stable.into_iter().filter(|name| !diffs.contains(name)).collect();
    let detailed: BTreeMap<String, PropertyDiff> = difference
        .changes
        .iter()
        .map(|change| {
            let diff = PropertyDiff { kind: kind(change) as i32, input_diff: change.input_diff };
            (change.path.to_string(), diff)
        })
        .collect();
    DiffResponse {
        delete_before_replace: difference.delete_before_replace && !replaces.is_empty(),
        replaces: replaces.into_iter().collect(),
        stables,
        changes: changes as i32,
        diffs: diffs.into_iter().collect(),
        detailed_diff: detailed,
        has_detailed_diff: true,
    }
}

fn kind(change: &Change) -> Kind {
    match (change.kind, change.replaces) {
        (ChangeKind::Added, false) => Kind::Add,
        (ChangeKind::Added, true) => Kind::AddReplace,
        (ChangeKind::Deleted, false) => Kind::Delete,
        (ChangeKind::Deleted, true) => Kind::DeleteReplace,
        (ChangeKind::Updated, false) => Kind::Update,
        (ChangeKind::Updated, true) => Kind::UpdateReplace,
    }
}
