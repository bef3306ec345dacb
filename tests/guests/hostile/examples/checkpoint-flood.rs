//! Announces its resource a hundred thousand times.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, object, operation, text};

struct Flood;

impl Attack for Flood {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        let state = object(&["text"], vec![text(&"x".repeat(1_000))]);
        for number in 0..100_000 {
            operation::checkpoint(&format!("made-{number}"), &state)?;
        }
        core::arch::wasm32::unreachable()
    }
}

attack!(Flood);
