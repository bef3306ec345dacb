//! Returns a tree two of whose nodes are each other's children.

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Node, Tree, attack, fields};

struct Lie;

fn lie() -> Tree {
    Tree { nodes: vec![Node::Items(vec![1]), Node::Items(vec![0]), fields(&["text", "any"])] }
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
