//! Finds differences where no value is, as the input `what` says: in no property, in elements without number, at names of megabytes, and with names of the host's own.

use hostile::types::{Change, ChangeKind, DiffRequest, Difference, Error, PathSegment};
use hostile::{Attack, attack, field};

struct Nowhere;

/// Where a difference is said to be.
fn paths(what: &str) -> Vec<Vec<PathSegment>> {
    let name = |name: &str| PathSegment::Field(name.to_owned());
    let element = |index| vec![name("what"), PathSegment::Index(index)];
    match what {
        "root" => vec![Vec::new()],
        "element" => vec![vec![PathSegment::Index(0)]],
        "far" => [10_000, 10_001, 1 << 31, u32::MAX].map(element).into(),
        "unwritten" => vec![vec![name("what"), PathSegment::Key("a.b\\".to_owned())]],
        "deep" => vec![vec![name("what"); 10_000]],
        "long" => vec![vec![name("what"), name(&"x".repeat(1 << 20))]],
        "internal" => ["__defaults", "__meta", "__proto__", ""].map(|own| vec![name(own), name("what")]).into(),
        _ => ["a]b\"", "*", "..", "a.b", "\u{202e}safe\u{1b}[2J"]
            .map(|key| vec![PathSegment::Key(key.to_owned())])
            .into(),
    }
}

impl Attack for Nowhere {
    fn diff(&self, request: DiffRequest) -> Result<Difference, Error> {
        let what = field(&request.inputs, "what").unwrap_or_default();
        let change = |path| Change { path, kind: ChangeKind::Added, replaces: false, input_diff: true };
        let changes = paths(&what).into_iter().map(change).collect();
        Ok(Difference { changes, delete_before_replace: false, stable: Vec::new() })
    }
}

attack!(Nowhere);
