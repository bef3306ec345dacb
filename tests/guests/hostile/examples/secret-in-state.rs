//! Returns a secret of its request as a plain output, by itself, inside of a text and deep inside of a value.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Node, Tree, attack, field, text};

struct Leak;

impl Attack for Leak {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let key = field(&request.inputs, "key").unwrap_or_default();
        let nodes = vec![
            text(&key),
            text(&format!("the key is {key}, I think")),
            Node::Items(vec![1]),
            Node::Fields(vec![Field { name: "text".to_owned(), value: 0 }, Field { name: "any".to_owned(), value: 2 }]),
        ];
        Ok(Created { id: "made-1".to_owned(), state: Tree { nodes }, refresh_before_update: false })
    }
}

attack!(Leak);
