//! Returns a state with a property that is called what a secret of its request is.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Node, Tree, attack, field, fields, text};

struct Leak;

impl Attack for Leak {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let key = field(&request.inputs, "key").unwrap_or_default();
        let named = Node::Fields(vec![Field { name: key.clone(), value: 1 }]);
        let state = Tree {
            nodes: vec![
                text("made"),
                Node::Null,
                named,
                Node::Fields(vec![
                    Field { name: "text".to_owned(), value: 0 },
                    Field { name: "any".to_owned(), value: 2 },
                ]),
            ],
        };
        let _ = fields;
        Ok(Created { id: "made-1".to_owned(), state, refresh_before_update: false })
    }
}

attack!(Leak);
