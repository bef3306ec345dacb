//! Returns a value of a kind that only a later protocol knows.

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Node, Tree, attack, fields, text};

struct Lie;

fn lie() -> Tree {
    let opaque =
        hostile::bindings::bulkhead::provider::values::Opaque { signature: "s".to_owned(), fields: Vec::new() };
    Tree { nodes: vec![text("x"), Node::Opaque(opaque), fields(&["text", "any"])] }
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
