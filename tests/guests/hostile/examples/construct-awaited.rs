//! Registers a child with inputs of 15 MB that cost it a fraction of that, and waits for it at once, as everybody does.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, Field, Kept, Node, Tree, aliased, attack, engine, object, resource};

#[global_allocator]
static KEPT: Kept = Kept;

struct Awaited;

impl Attack for Awaited {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let mut nodes = aliased(75, 200_000);
        nodes.push(Node::Fields(vec![Field { name: "any".to_owned(), value: 75 }]));
        let child = resource("hostile:index:Thing", &request.name, Tree { nodes });
        let urn = engine::register(&child)?.wait()?.urn;
        Ok(Constructed { urn, state: object(&[], Vec::new()), state_dependencies: Vec::new() })
    }
}

attack!(Awaited);
