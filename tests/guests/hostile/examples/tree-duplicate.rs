//! Returns an object with a hundred thousand members of one name.

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Node, Tree, attack};

struct Lie;

fn lie() -> Tree {
    let mut nodes = vec![Node::Null; 100_000];
    let fields = (0..100_000).map(|value| Field { name: "any".to_owned(), value });
    nodes.push(Node::Fields(fields.collect()));
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
