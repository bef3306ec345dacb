//! Returns a tree of a hundred thousand levels.

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Node, Tree, attack};

struct Lie;

fn lie() -> Tree {
    let mut nodes = vec![Node::Null];
    nodes.extend((0..100_000).map(|below| Node::Items(vec![below])));
    nodes.push(Node::Fields(vec![Field { name: "any".to_owned(), value: 100_000 }]));
    Tree { nodes }
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
