//! Opens an archive that it was given, which has very many members with very long names, a few times, and keeps none of them.

use hostile::bindings::bulkhead::provider::values::Node;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, assets, attack};

struct Wide;

impl Attack for Wide {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let mut outcomes = Vec::new();
        for _ in 0..3 {
            for node in &request.inputs.nodes {
                let Node::Archive(archive) = node else { continue };
                outcomes.push(match assets::open_archive(archive) {
                    Ok(_) => "opened".to_owned(),
                    Err(error) => error.to_string(),
                });
            }
        }
        Err(Error::Failed(outcomes.join("; ")))
    }
}

attack!(Wide);
