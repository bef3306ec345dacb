//! Returns a tree with a child that is in no place of it.

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Node, Tree, attack};

struct Lie;

fn lie() -> Tree {
    Tree { nodes: vec![Node::Items(vec![u32::MAX])] }
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
