//! Finds a million things wrong with inputs.

use hostile::types::{CheckRequest, Checked, Error, Failure, PathSegment};
use hostile::{Attack, attack};

struct Failures;

impl Attack for Failures {
    fn check(&self, request: CheckRequest) -> Result<Checked, Error> {
        let failure = |number| Failure { path: vec![PathSegment::Index(number)], reason: "x".repeat(20) };
        Ok(Checked { inputs: request.inputs, failures: (0..1_000_000).map(failure).collect() })
    }
}

attack!(Failures);
