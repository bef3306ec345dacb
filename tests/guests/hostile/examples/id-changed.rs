//! Announces one id, and returns another, one that stands for what isn't known or is longer than any may be, as the input `what` says, as that of a resource that is ready or not. An update announces such an id and crashes.

use hostile::exports::resources::{Created, Updated};
use hostile::types::{CreateRequest, Error, Partial, UpdateRequest};
use hostile::{Attack, attack, field, object, operation, text};

struct Changed;

fn id(what: &str) -> String {
    match what {
        "unknown" => "04da6b54-80e4-46f7-96ec-b56ff0331ba9".to_owned(),
        "long" => "x".repeat(100_000),
        "longer" => "x".repeat(20_000_000),
        _ => "another-1".to_owned(),
    }
}

impl Attack for Changed {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let what = field(&request.inputs, "what").unwrap_or_default();
        let state = object(&["text"], vec![text("made")]);
        operation::checkpoint("announced-1", &state)?;
        let Some(what) = what.strip_prefix("unready ") else {
            return Ok(Created { id: id(&what), state, refresh_before_update: false });
        };
        let reasons = vec!["half".to_owned()];
        Err(Error::NotInitialised(Partial { id: id(what), state, inputs: None, reasons, refresh_before_update: false }))
    }

    fn update(&self, request: UpdateRequest) -> Result<Updated, Error> {
        let what = field(&request.inputs, "what").unwrap_or_default();
        let state = object(&["text"], vec![text("changed")]);
        if let Some(what) = what.strip_prefix("unready ") {
            let reasons = vec!["half".to_owned()];
            let (id, inputs) = (id(what), None);
            return Err(Error::NotInitialised(Partial { id, state, inputs, reasons, refresh_before_update: false }));
        }
        let _ = operation::checkpoint(&id(&what), &state);
        core::arch::wasm32::unreachable()
    }
}

attack!(Changed);
