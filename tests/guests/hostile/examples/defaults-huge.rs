//! Has the host check, compare and predict what is as large as may be, without end.

use hostile::types::{CheckRequest, Checked, CreateRequest, DiffRequest, Difference, Error, UpdateRequest};
use hostile::{Attack, Field, Node, Tree, attack, defaults};

struct Huge;

fn huge() -> Tree {
    let mut nodes = vec![Node::Boolean(true); 500_000];
    nodes.push(Node::Items((0..500_000).collect()));
    nodes.push(Node::Fields(vec![Field { name: "what".to_owned(), value: 500_000 }]));
    Tree { nodes }
}

impl Attack for Huge {
    fn check(&self, mut request: CheckRequest) -> Result<Checked, Error> {
        request.inputs = huge();
        loop {
            defaults::check(&request)?;
        }
    }

    fn diff(&self, mut request: DiffRequest) -> Result<Difference, Error> {
        request.inputs = huge();
        loop {
            defaults::diff(&request)?;
        }
    }

    fn preview_create(&self, mut request: CreateRequest) -> Result<Tree, Error> {
        request.inputs = huge();
        loop {
            defaults::preview_create(&request)?;
        }
    }

    fn preview_update(&self, mut request: UpdateRequest) -> Result<Tree, Error> {
        request.inputs = huge();
        loop {
            defaults::preview_update(&request)?;
        }
    }
}

attack!(Huge);
