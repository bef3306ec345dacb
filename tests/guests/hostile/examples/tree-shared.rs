//! Returns a tree that doubles with each of its nodes: thirty of them would make a billion.

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Node, Tree, attack, text};

struct Lie;

fn lie() -> Tree {
    let mut nodes = vec![text("x")];
    nodes.extend((0..30).map(|below| Node::Items(vec![below, below])));
    nodes.push(Node::Fields(vec![Field { name: "text".to_owned(), value: 30 }]));
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
