//! Has its engine give a file of the user's to a resource of its own, whose provider may read what it is given.

use hostile::bindings::bulkhead::provider::values::{Asset, AssetSource};
use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, Node, Tree, attack, component, engine, fields, no_options, object, resource, text};

struct Reader;

fn named(path: &str) -> Tree {
    let asset = Asset { hash: None, source: AssetSource::Path(path.to_owned()) };
    Tree { nodes: vec![Node::Asset(asset), fields(&["any"])] }
}

fn outcome<T>(of: Result<T, Error>) -> String {
    of.map_or_else(|error| format!("{error:?}"), |_| "done".to_owned())
}

impl Attack for Reader {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let root = component(&request.token, &request.name, object(&[], Vec::new()));
        let urn = engine::register(&root)?.wait()?.urn;
        let register = |token: &str, name: &str, inputs| {
            outcome(engine::register(&resource(token, name, inputs)).and_then(|made| made.wait()))
        };
        let secret = || named("/etc/shadow");
        let outcomes = [
            register("hostile:index:Thing", "own", secret()),
            outcome(engine::read(&resource("hostile:index:Thing", "read", secret()), "id").map(drop)),
            outcome(engine::invoke("hostile:index:tell", &secret(), &no_options()).map(drop)),
            outcome(engine::call("hostile:index:Group/call", &secret(), &no_options()).map(drop)),
            register("hostile:index:Thing", "given", request.inputs),
            register("aws:s3:BucketObject", "other", secret()),
        ];
        let said = object(&["text"], vec![text(&outcomes.join("\n"))]);
        Ok(Constructed { urn, state: said, state_dependencies: Vec::new() })
    }
}

attack!(Reader);
