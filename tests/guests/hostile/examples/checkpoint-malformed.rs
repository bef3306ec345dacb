//! Announces its resource with a state that is no tree, and falls over.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Node, Tree, attack, operation};

struct Malformed;

impl Attack for Malformed {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        operation::checkpoint("made-1", &Tree { nodes: vec![Node::Items(vec![0]), Node::Secret(9)] })?;
        core::arch::wasm32::unreachable()
    }
}

attack!(Malformed);
