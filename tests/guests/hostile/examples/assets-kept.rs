//! Opens an archive that it was given as a text again and again, and keeps each, so that the host has as many copies of the text.

use hostile::bindings::bulkhead::provider::values::Node;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, assets, attack};

struct Kept;

impl Attack for Kept {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let mut kept = Vec::new();
        loop {
            for node in &request.inputs.nodes {
                let Node::Archive(archive) = node else { continue };
                kept.push(assets::open_archive(archive).map_err(|error| Error::Failed(format!("{error}")))?);
            }
        }
    }
}

attack!(Kept);
