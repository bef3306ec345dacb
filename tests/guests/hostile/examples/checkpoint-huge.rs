//! Announces its resource with a state of 200 MB, and falls over.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, object, operation, text};

struct Huge;

impl Attack for Huge {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        operation::checkpoint("made-1", &object(&["text"], vec![text(&"x".repeat(200_000_000))]))?;
        core::arch::wasm32::unreachable()
    }
}

attack!(Huge);
