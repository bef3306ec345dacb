//! Fails with messages, reasons, failures and keys of 100 MB, as the input `what` says.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error, Failure, MissingKey, Partial, PathSegment};
use hostile::{Attack, attack, field, object, text};

struct Huge;

impl Attack for Huge {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let large = || "x".repeat(100_000_000);
        Err(match field(&request.inputs, "what").as_deref() {
            Some("failed") => Error::Failed(large()),
            Some("unknown") => Error::OutcomeUnknown(large()),
            Some("bug") => Error::Bug(large()),
            Some("reasons") => Error::NotInitialised(Partial {
                id: "made-1".to_owned(),
                state: object(&["text"], vec![text("made")]),
                inputs: None,
                reasons: (0..1_000_000).map(|number| format!("reason {number}")).collect(),
                refresh_before_update: false,
            }),
            Some("rejected") => Error::Rejected(
                (0..500_000)
                    .map(|number| Failure {
                        path: vec![PathSegment::Field("what".to_owned()), PathSegment::Index(number)],
                        reason: "x".repeat(50),
                    })
                    .collect(),
            ),
            Some("path") => Error::Rejected(vec![Failure {
                path: vec![PathSegment::Index(1); 5_000_000],
                reason: "too deep".to_owned(),
            }]),
            _ => Error::MissingConfiguration(
                (0..500_000)
                    .map(|number| MissingKey { name: format!("key{number}"), description: "x".repeat(50) })
                    .collect(),
            ),
        })
    }
}

attack!(Huge);
