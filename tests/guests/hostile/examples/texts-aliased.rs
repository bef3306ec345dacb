//! Returns a list of texts that are all the same memory, as many and as long as the input `what` says: next to nothing for itself, and
//! gigabytes for whoever reads it.

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Kept, Node, Tree, aliased, attack, field, text};

#[global_allocator]
static KEPT: Kept = Kept;

struct Aliased;

/// A list of texts, as `what` says how many and how long, beside a text.
fn texts(what: Option<String>) -> Tree {
    let what = what.unwrap_or_default();
    let (count, length) = what.split_once(' ').unwrap_or(("1", "1"));
    let count: u32 = count.parse().unwrap_or(1);
    let mut nodes = aliased(count, length.parse().unwrap_or(1));
    nodes.push(text("told"));
    let field = |name: &str, value| Field { name: name.to_owned(), value };
    nodes.push(Node::Fields(vec![field("any", count), field("text", count + 1)]));
    Tree { nodes }
}

impl Attack for Aliased {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let state = texts(field(&request.inputs, "what"));
        Ok(Created { id: "made-1".to_owned(), state, refresh_before_update: false })
    }

    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        Ok(texts(field(&request.arguments, "what")))
    }
}

attack!(Aliased);
