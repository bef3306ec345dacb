//! DiffResponse, from changes as data: the detailed diff, and the older fields that say the same with less.

use std::collections::{BTreeMap, BTreeSet};

use bulkhead_proto::provider::diff_response::DiffChanges;
use bulkhead_proto::provider::property_diff::Kind;
use bulkhead_proto::provider::{DiffResponse, PropertyDiff};

use crate::legible::legible;
use crate::provider::{Change, ChangeKind, Difference};

/// The response to Diff and DiffConfig.
pub(super) fn diff_response(difference: Difference) -> DiffResponse {
    let changes = if difference.changes.is_empty() { DiffChanges::DiffNone } else { DiffChanges::DiffSome };
    let Told { replaces, diffs, detailed } = told(&difference.changes);
    let stables = difference.stable.into_iter().map(legible).filter(|name| !diffs.contains(name)).collect();
    DiffResponse {
        // A program may have any change replace (`replaceOnChanges`), of which the engine tells nobody.
        delete_before_replace: difference.delete_before_replace,
        replaces: replaces.into_iter().collect(),
        stables,
        changes: changes as i32,
        diffs: diffs.into_iter().collect(),
        detailed_diff: detailed,
        has_detailed_diff: true,
    }
}

/// Changes as the protocol has them, of a resource and of a view.
pub(super) struct Told {
    /// The properties at the top whose changes replace.
    pub(super) replaces: BTreeSet<String>,
    /// The properties at the top that change.
    pub(super) diffs: BTreeSet<String>,
    /// Each change, by its path.
    pub(super) detailed: BTreeMap<String, PropertyDiff>,
}

/// Changes as the protocol has them. Engines look up what is at their paths, and hold them against those that a program gives, so no name of
/// a program's is shown otherwise than it is.
pub(super) fn told(changes: &[Change]) -> Told {
    let name = |change: &Change| change.path.first_name().map(str::to_owned);
    let mut detailed: BTreeMap<String, PropertyDiff> = BTreeMap::new();
    // Those that replace last: what a guest tells twice of a path replaces in all fields or in none.
    let (replacing, others): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.replaces);
    for change in others.into_iter().chain(replacing) {
        let diff = PropertyDiff { kind: kind(change) as i32, input_diff: change.input_diff };
        detailed.insert(change.path.to_string(), diff);
    }
    Told {
        replaces: changes.iter().filter(|change| change.replaces).filter_map(name).collect(),
        diffs: changes.iter().filter_map(name).collect(),
        detailed,
    }
}

/// The kind of a change, as the protocol has it.
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

#[cfg(test)]
mod tests {
    use bulkhead_value::{PropertyPath, Segment};
    use proptest::prelude::*;

    use super::*;

    fn change(path: &str, kind: ChangeKind, replaces: bool) -> Change {
        of_inputs(path, kind, replaces, true)
    }

    fn of_inputs(path: &str, kind: ChangeKind, replaces: bool, input_diff: bool) -> Change {
        Change { path: PropertyPath::parse(path).unwrap(), kind, replaces, input_diff }
    }

    #[test]
    fn each_kind_has_its_name_with_and_without_replacement() {
        let cases = [
            (ChangeKind::Added, false, Kind::Add),
            (ChangeKind::Added, true, Kind::AddReplace),
            (ChangeKind::Deleted, false, Kind::Delete),
            (ChangeKind::Deleted, true, Kind::DeleteReplace),
            (ChangeKind::Updated, false, Kind::Update),
            (ChangeKind::Updated, true, Kind::UpdateReplace),
        ];
        for (change_kind, replaces, expected) in cases {
            for input_diff in [true, false] {
                let changes = vec![of_inputs("a", change_kind, replaces, input_diff)];
                let response = diff_response(Difference { changes, ..Difference::default() });
                assert_eq!(response.detailed_diff["a"], PropertyDiff { kind: expected as i32, input_diff });
            }
        }
    }

    #[test]
    fn what_is_told_twice_of_a_path_replaces_in_all_fields_or_in_none() {
        let once = [change("a", ChangeKind::Updated, true), change("b", ChangeKind::Updated, false)];
        let twice = [&once[0], &once[1], &change("a", ChangeKind::Updated, false)].map(Clone::clone);
        let response =
            |changes: &[Change]| diff_response(Difference { changes: changes.to_vec(), ..Difference::default() });
        assert_eq!(response(&twice), response(&once));
        assert_eq!(response(&twice).detailed_diff["a"].kind(), Kind::UpdateReplace);
    }

    #[test]
    fn keys_with_dots_are_quoted() {
        let difference =
            Difference { changes: vec![change(r#"tags["a.b"]"#, ChangeKind::Added, false)], ..Difference::default() };
        let response = diff_response(difference);
        assert_eq!(response.detailed_diff.keys().collect::<Vec<_>>(), [r#"tags["a.b"]"#]);
        assert_eq!(response.diffs, ["tags"]);
    }

    #[test]
    fn keys_are_told_as_they_are_whatever_is_in_them() {
        let changed = ["a\u{200b}", "a\u{feff}", "x\r\ny"].map(|key| {
            let path = [Segment::Field("m".to_owned()), Segment::Key(key.to_owned())].into_iter().collect();
            Change { path, ..change("m", ChangeKind::Updated, false) }
        });
        let response = diff_response(Difference { changes: changed.to_vec(), ..Difference::default() });
        let keys: Vec<&str> = response.detailed_diff.keys().map(String::as_str).collect();
        assert_eq!(keys, ["m[\"a\u{200b}\"]", "m[\"a\u{feff}\"]", "m[\"x\r\ny\"]"]);
    }

    #[test]
    fn whether_to_delete_first_is_told_of_each_change_since_a_program_may_have_it_replace() {
        let response = |replaces| {
            let changes = vec![change("a", ChangeKind::Updated, replaces)];
            diff_response(Difference { changes, delete_before_replace: true, stable: vec!["a".into(), "b".into()] })
        };
        assert!(response(true).delete_before_replace && response(false).delete_before_replace);
        assert_eq!(response(true).stables, ["b"], "what changes isn't stable");
    }

    proptest! {
        /// The invariants that the protocol states about DiffResponse.
        #[test]
        fn the_older_fields_agree_with_the_detailed_diff(paths in proptest::collection::btree_map("[ab](\\.[ab]|\\[[0-2]\\]){0,2}", any::<bool>(), 0..6)) {
            let changes: Vec<Change> = paths.iter().map(|(path, replaces)| change(path, ChangeKind::Updated, *replaces)).collect();
            let response = diff_response(Difference { changes, ..Difference::default() });
            let first = |path: &String| PropertyPath::parse(path).unwrap().first_name().unwrap().to_owned();
            let detailed: BTreeSet<String> = response.detailed_diff.keys().map(first).collect();
            prop_assert_eq!(&detailed.into_iter().collect::<Vec<_>>(), &response.diffs);
            prop_assert!(response.replaces.iter().all(|name| response.diffs.contains(name)));
            let changes = if response.detailed_diff.is_empty() { DiffChanges::DiffNone } else { DiffChanges::DiffSome };
            prop_assert_eq!(response.changes(), changes);
            prop_assert_eq!(response.replaces.is_empty(), !paths.values().any(|replaces| *replaces));
            prop_assert!(response.has_detailed_diff);
        }
    }
}
