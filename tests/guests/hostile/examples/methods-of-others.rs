//! Calls a method of its own package on what isn't its own: a reference to another package's resource, and what engines read as one. They send it to whoever looks after that.

use hostile::bindings::bulkhead::provider::values::Reference;
use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, Field, Node, Tree, attack, component, engine, no_options, object, text};

struct Borrower;

const OTHERS: &str = "urn:pulumi:dev::p::command:local:Command::deploy";

/// Arguments of a method that is called on what has these nodes.
fn on(mut nodes: Vec<Node>) -> Tree {
    let last = u32::try_from(nodes.len() - 1).unwrap();
    nodes.push(Node::Fields(vec![Field { name: "__self__".to_owned(), value: last }]));
    Tree { nodes }
}

/// What engines read as a resource with this URN.
fn read_as_one(urn: Node) -> Tree {
    on(vec![urn, Node::Fields(vec![Field { name: "urn".to_owned(), value: 0 }])])
}

fn reference(urn: &str) -> Tree {
    on(vec![Node::Reference(Reference { urn: urn.to_owned(), id: None, package_version: String::new() })])
}

impl Attack for Borrower {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let empty = || object(&[], Vec::new());
        let urn = engine::register(&component(&request.token, &request.name, empty()))?.wait()?.urn;
        let shop = engine::register(&component("shop", "named", empty()))?.wait()?.urn;
        let outcomes = [
            reference(&urn),
            reference(&shop),
            reference(OTHERS),
            read_as_one(text(OTHERS)),
            read_as_one(Node::Bytes(OTHERS.as_bytes().to_vec())),
        ]
        .map(|arguments| {
            let called = engine::call("hostile:index:Group/m", &arguments, &no_options());
            match called.and_then(|called| called.wait()) {
                Ok(_) => "done".to_owned(),
                Err(Error::Other(reason)) => reason,
                Err(error) => format!("{error:?}"),
            }
        });
        let said = object(&["text"], vec![text(&outcomes.join("\n"))]);
        Ok(Constructed { urn, state: said, state_dependencies: Vec::new() })
    }
}

attack!(Borrower);
