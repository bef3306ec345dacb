//! Finds a million differences: in one property, or in as many as there are, as the input `what` says.

use hostile::types::{Change, ChangeKind, DiffRequest, Difference, Error, PathSegment};
use hostile::{Attack, attack, field};

struct Paths;

impl Attack for Paths {
    fn diff(&self, request: DiffRequest) -> Result<Difference, Error> {
        let what = field(&request.inputs, "what").unwrap_or_default();
        let path = |number: u32| match what.as_str() {
            "properties" => vec![PathSegment::Field(format!("property{number}"))],
            _ => vec![PathSegment::Field("what".to_owned()), PathSegment::Index(number)],
        };
        let change = |number| Change {
            path: path(number),
            kind: ChangeKind::Added,
            replaces: number == 500_000,
            input_diff: true,
        };
        let stable = (0..50_000).map(|number| format!("property{number}")).collect();
        Ok(Difference { changes: (0..1_000_000).map(change).collect(), delete_before_replace: true, stable })
    }
}

attack!(Paths);
