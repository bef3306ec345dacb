//! Makes a link to somewhere else in the directory that it was granted, where the program names an archive, and has the host read that.

use hostile::bindings::bulkhead::provider::values::Node;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, assets, attack, field, granted};

struct Planted;

impl Attack for Planted {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let target = field(&request.inputs, "what").unwrap_or_default();
        let directory = &granted()?;
        directory.symlink_at(&target, "planted.tgz").expect("a link can be made");
        for node in &request.inputs.nodes {
            let Node::Archive(archive) = node else { continue };
            let names = assets::open_archive(archive).and_then(|reader| reader.names());
            return Err(Error::Failed(format!("{names:?}")));
        }
        Err(Error::Failed("there is no archive".to_owned()))
    }
}

attack!(Planted);
