//! Calls a method of its own package on what isn't its own: a reference to another package's resource, and what engines read as one. They send it to whoever looks after that.
//! Or a method of its own provider, on another one, whose URN only its id makes whole.

use hostile::bindings::bulkhead::provider::values::{Reference, ReferenceId};
use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, Field, Node, Tree, attack, component, engine, no_options, object, text};

struct Borrower;

const METHOD: &str = "hostile:index:Group/m";
/// Of its own provider. Those of Terraform's answer it with all that they are configured with, whatever package it is said to be of.
const OF_PROVIDER: &str = "pulumi:providers:hostile/terraformConfig";
const OTHERS: &str = "urn:pulumi:dev::p::command:local:Command::deploy";
const PROVIDER: &str = "urn:pulumi:dev::p::pulumi:providers:hostile::own";
/// What engines put together to another package's provider.
const HALVES: [(&str, &str); 3] = [
    ("urn:pulumi:dev::p", "pulumi:providers:command::prod::1"),
    ("urn:pulumi:dev::p::pulumi:providers:command", "prod::1"),
    ("urn:pulumi:dev", "p::pulumi:providers:command::prod::1"),
];

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

/// The same with an id.
fn read_as_provider(urn: &str, id: &str) -> Tree {
    let field = |name: &str, value| Field { name: name.to_owned(), value };
    on(vec![text(urn), text(id), Node::Secret(1), Node::Fields(vec![field("urn", 0), field("id", 2)])])
}

fn reference(urn: &str, id: Option<ReferenceId>) -> Tree {
    on(vec![Node::Reference(Reference { urn: urn.to_owned(), id, package_version: String::new() })])
}

impl Attack for Borrower {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let empty = || object(&[], Vec::new());
        let urn = engine::register(&component(&request.token, &request.name, empty()))?.wait()?.urn;
        let shop = engine::register(&component("shop", "named", empty()))?.wait()?.urn;
        let methods = [
            reference(&urn, None),
            reference(&shop, None),
            reference(OTHERS, None),
            read_as_one(text(OTHERS)),
            read_as_one(Node::Bytes(OTHERS.as_bytes().to_vec())),
        ]
        .map(|arguments| (METHOD, arguments));
        let known = |id: &str| Some(ReferenceId::Known(id.to_owned()));
        let [whole, short, shorter] = HALVES.map(|(urn, id)| reference(urn, known(id)));
        let of_providers = [
            reference(PROVIDER, Some(ReferenceId::Unknown)),
            reference(PROVIDER, known(HALVES[0].1)),
            whole,
            short,
            shorter,
            reference(HALVES[0].0, Some(ReferenceId::Unknown)),
            read_as_provider(HALVES[0].0, HALVES[0].1),
            read_as_one(text("")),
        ]
        .map(|arguments| (OF_PROVIDER, arguments));
        let outcomes = methods.into_iter().chain(of_providers).map(|(token, arguments)| {
            let called = engine::call(token, &arguments, &no_options());
            match called.and_then(|called| called.wait()) {
                Ok(_) => "done".to_owned(),
                Err(Error::Other(reason)) => reason,
                Err(error) => format!("{error:?}"),
            }
        });
        let outcomes: Vec<String> = outcomes.collect();
        let said = object(&["text"], vec![text(&outcomes.join("\n"))]);
        Ok(Constructed { urn, state: said, state_dependencies: Vec::new() })
    }
}

attack!(Borrower);
