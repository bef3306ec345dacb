//! Has the host check, compare and predict what is as large as may be, without end.

use hostile::types::{CheckRequest, Checked, Error};
use hostile::{Attack, Field, Node, Tree, attack, defaults};

struct Huge;

impl Attack for Huge {
    fn check(&self, mut request: CheckRequest) -> Result<Checked, Error> {
        let mut nodes = vec![Node::Boolean(true); 500_000];
        nodes.push(Node::Items((0..500_000).collect()));
        nodes.push(Node::Fields(vec![Field { name: "what".to_owned(), value: 500_000 }]));
        request.inputs = Tree { nodes };
        loop {
            defaults::check(&request)?;
        }
    }
}

attack!(Huge);
