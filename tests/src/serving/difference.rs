//! DIFF-04, LIFE-10: engines of different ages look at different fields of a difference, so all of them say the same.

use std::collections::BTreeSet;

use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::diff_response::DiffChanges;
use bulkhead_proto::provider::property_diff::Kind;
use bulkhead_value::{PropertyPath, Segment};

/// A difference whose fields agree.
#[track_caller]
pub(super) fn agreed(diff: pb::DiffResponse) -> pb::DiffResponse {
    let replaces = |change: &pb::PropertyDiff| {
        matches!(change.kind(), Kind::AddReplace | Kind::DeleteReplace | Kind::UpdateReplace)
    };
    let tops = |wanted: &dyn Fn(&pb::PropertyDiff) -> bool| -> BTreeSet<String> {
        let changes = diff.detailed_diff.iter().filter(|(_, change)| wanted(change));
        changes.filter_map(|(path, _)| top(path)).collect()
    };
    let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>();
    let changes = if diff.detailed_diff.is_empty() { DiffChanges::DiffNone } else { DiffChanges::DiffSome };
    assert!(diff.has_detailed_diff, "{diff:?}");
    assert_eq!(diff.changes(), changes, "{diff:?}");
    assert_eq!(set(&diff.diffs), tops(&|_| true), "{diff:?}");
    assert_eq!(set(&diff.replaces), tops(&replaces), "{diff:?}");
    assert!(set(&diff.stables).is_disjoint(&set(&diff.diffs)), "{diff:?}");
    diff
}

/// The property that a path begins with. One may be called as what stands for all of them.
fn top(path: &str) -> Option<String> {
    let path = PropertyPath::parse(path).unwrap_or_else(|error| panic!("{path:?} should be a path: {error}"));
    match path.segments().first()? {
        Segment::Wildcard => Some("*".to_owned()),
        first => first.name().map(str::to_owned),
    }
}
