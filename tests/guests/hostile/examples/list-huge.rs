//! Returns a list of ten million items.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Node, Tree, attack, exports::functions::InvokeRequest, text};

const ITEMS: u32 = 10_000_000;

struct Huge;

fn huge() -> Tree {
    let mut nodes = Vec::with_capacity(ITEMS as usize + 3);
    nodes.resize(ITEMS as usize, Node::Null);
    nodes.push(Node::Items((0..ITEMS).collect()));
    nodes.push(text("made"));
    let field = |name: &str, value| Field { name: name.to_owned(), value };
    nodes.push(Node::Fields(vec![field("any", ITEMS), field("text", ITEMS + 1)]));
    Tree { nodes }
}

impl Attack for Huge {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        Ok(Created { id: "made-1".to_owned(), state: huge(), refresh_before_update: false })
    }

    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        Ok(huge())
    }
}

attack!(Huge);
