//! Announces its resource with a state of 40 MB, and waits until it is cancelled, so that the host keeps many of them at once.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, log, object, operation, text};

struct Kept;

impl Attack for Kept {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        operation::checkpoint("made-1", &object(&["text"], vec![text(&"x".repeat(40_000_000))]))?;
        log::log(log::Level::Info, "kept");
        operation::sleep(u32::MAX);
        core::arch::wasm32::unreachable()
    }
}

attack!(Kept);
