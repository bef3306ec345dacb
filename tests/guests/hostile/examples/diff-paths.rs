//! Finds a million differences.

use hostile::types::{Change, ChangeKind, DiffRequest, Difference, Error, PathSegment};
use hostile::{Attack, attack};

struct Paths;

impl Attack for Paths {
    fn diff(&self, _: DiffRequest) -> Result<Difference, Error> {
        let change = |number| Change {
            path: vec![PathSegment::Field("what".to_owned()), PathSegment::Index(number)],
            kind: ChangeKind::Updated,
            replaces: true,
            input_diff: true,
        };
        let stable = (0..100_000).map(|number| format!("property{number}")).collect();
        Ok(Difference { changes: (0..1_000_000).map(change).collect(), delete_before_replace: true, stable })
    }
}

attack!(Paths);
