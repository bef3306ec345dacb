//! Has itself told of a file of the user's, so as to give it to its own package, as the input `what` says: by another package, which tells what it
//! was given; by what it registers as its own outputs, returns of itself, or has a method return.

use hostile::bindings::bulkhead::provider::values::{Asset, AssetSource};
use hostile::exports::components::{CallRequest, Called, ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, Node, Tree, attack, component, engine, field, fields, object, resource, text};

struct Teller;

fn secret() -> Tree {
    let asset = Asset { hash: None, source: AssetSource::Path("/etc/shadow".to_owned()) };
    Tree { nodes: vec![Node::Asset(asset), fields(&["any"])] }
}

fn outcome<T>(of: Result<T, Error>) -> String {
    of.map_or_else(|error| format!("{error:?}"), |_| "done".to_owned())
}

fn register(token: &str, name: &str, inputs: &Tree) -> Result<engine::Registered, Error> {
    engine::register(&resource(token, name, inputs.clone()))?.wait()
}

impl Attack for Teller {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let root = component(&request.token, &request.name, object(&[], Vec::new()));
        let urn = engine::register(&root)?.wait()?.urn;
        let state = match field(&request.inputs, "what").as_deref() {
            Some("state") => secret(),
            Some("outputs") => object(&["text"], vec![text(&outcome(engine::register_outputs(&urn, &secret())))]),
            _ => {
                let other = register("aws:s3:BucketObject", "other", &secret())?;
                let again = engine::hydrate(&other.urn)?.wait()?;
                let told = [other.state, again.state];
                let told = told.map(|told| outcome(register("hostile:index:Thing", "own", &told)));
                // What takes the place of that later gets its inputs.
                let plain = outcome(engine::register(&component("plain", "plain", secret())));
                object(&["text"], vec![text(&format!("{}\n{plain}", told.join("\n")))])
            }
        };
        Ok(Constructed { urn, state, state_dependencies: Vec::new() })
    }

    fn call(&self, _: CallRequest) -> Result<Called, Error> {
        Ok(Called { value: secret(), dependencies: Vec::new() })
    }
}

attack!(Teller);
