//! Finds a million things wrong with inputs, or as the argument `what` says some hundred at paths of many kilobytes, in a check or a function.

use hostile::exports::functions::InvokeRequest;
use hostile::types::{CheckRequest, Checked, Error, Failure, PathSegment};
use hostile::{Attack, Tree, attack, field};

struct Failures;

impl Attack for Failures {
    fn check(&self, request: CheckRequest) -> Result<Checked, Error> {
        if let Some(failures) = at_a_long_path(&request.inputs) {
            return Ok(Checked { inputs: request.inputs, failures });
        }
        let failure = |number| Failure { path: vec![PathSegment::Index(number)], reason: "x".repeat(20) };
        Ok(Checked { inputs: request.inputs, failures: (0..1_000_000).map(failure).collect() })
    }

    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        Err(Error::Rejected(at_a_long_path(&request.arguments).unwrap_or_default()))
    }
}

/// Some hundred, of whose names each byte takes three where it is made legible.
fn at_a_long_path(inputs: &Tree) -> Option<Vec<Failure>> {
    let name = |bytes: usize| PathSegment::Field("\u{1}".repeat(bytes));
    let path = match field(inputs, "what")?.as_str() {
        "name" => vec![name(60_000)],
        "names" => vec![name(50), name(100_000)],
        "steps" => (0..1_000).map(|_| name(50)).collect(),
        _ => return None,
    };
    Some(vec![Failure { path, reason: "wrong".to_owned() }; 300])
}

attack!(Failures);
