//! Returns an asset of a file that nobody gave it, for its engine to read.

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Node, Tree, attack, fields, text};

struct Lie;

fn lie() -> Tree {
    use hostile::bindings::bulkhead::provider::values::{Asset, AssetSource};
    let shadow = Asset { hash: None, source: AssetSource::Path("/etc/shadow".to_owned()) };
    Tree { nodes: vec![text("x"), Node::Asset(shadow), fields(&["text", "any"])] }
}

impl Attack for Lie {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        Ok(Created { id: "made-1".to_owned(), state: lie(), refresh_before_update: false })
    }

    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        Ok(lie())
    }
}

attack!(Lie);
