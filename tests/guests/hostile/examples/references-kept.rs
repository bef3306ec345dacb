//! Has its engine call a function without end that answers with what it is given, a reference to ever another resource by a URN of a megabyte, and
//! keeps none of the answers: the host remembers which resources it was told of.

use hostile::bindings::bulkhead::provider::values::Reference;
use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, Node, Tree, attack, component, engine, fields, no_options, object, text};

struct Kept;

/// A reference to a resource that nobody has heard of yet.
fn reference(number: usize) -> Tree {
    let urn = format!("urn:pulumi:dev::project::hostile:index:Thing::{number}-{}", "x".repeat(1 << 20));
    let reference = Reference { urn, id: None, package_version: String::new() };
    Tree { nodes: vec![Node::Reference(reference), fields(&["any"])] }
}

impl Attack for Kept {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let own = component(&request.token, &request.name, object(&[], Vec::new()));
        let urn = engine::register(&own)?.wait()?.urn;
        for number in 0..1_000 {
            let inputs = reference(number);
            engine::invoke("hostile:index:tell", &inputs, &no_options())?.wait()?;
        }
        Ok(Constructed { urn, state: object(&["text"], vec![text("all came")]), state_dependencies: Vec::new() })
    }
}

attack!(Kept);
