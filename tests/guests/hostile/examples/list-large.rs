//! Returns a list of just as many items as a host takes, again and again.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Field, Node, Tree, attack, text};

const ITEMS: u32 = 1_999_000;

struct Large;

impl Attack for Large {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        let mut nodes = Vec::with_capacity(ITEMS as usize + 3);
        nodes.resize(ITEMS as usize, Node::Boolean(true));
        nodes.push(Node::Items((0..ITEMS).collect()));
        nodes.push(text("told"));
        let field = |name: &str, value| Field { name: name.to_owned(), value };
        nodes.push(Node::Fields(vec![field("any", ITEMS), field("text", ITEMS + 1)]));
        Ok(Tree { nodes })
    }
}

attack!(Large);
