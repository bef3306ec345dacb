//! Announces a secret of its request as a plain output, and falls over.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, field, object, operation, text};

struct Leak;

impl Attack for Leak {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let key = field(&request.inputs, "key").unwrap_or_default();
        operation::checkpoint("made-1", &object(&["text"], vec![text(&key)]))?;
        core::arch::wasm32::unreachable()
    }
}

attack!(Leak);
