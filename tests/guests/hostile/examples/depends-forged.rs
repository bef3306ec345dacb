//! Says that what it returns depends on resources that nobody told it of, as the input `what` says: in an output, in one within an
//! output, beside the result; of somebody else's, or of what is no URN. A method of it does so always.

use hostile::bindings::bulkhead::provider::values::Output;
use hostile::exports::components::{CallRequest, Called, ConstructRequest, Constructed, PropertyDependencies};
use hostile::types::Error;
use hostile::{Attack, Field, Node, Tree, attack, component, engine, field, object, resource, text};

const VICTIM: &str = "urn:pulumi:dev::project::a:b:C::victim";

struct Forged;

/// A state whose text depends on something.
fn state(urns: &[&str], within: bool) -> Tree {
    let output = |value, urns: &[&str]| {
        let dependencies = urns.iter().map(|urn| (*urn).to_owned()).collect();
        Node::Output(Output { value: Some(value), secret: false, dependencies })
    };
    let mut nodes = vec![text("made"), output(0, urns)];
    if within {
        nodes.push(output(1, &[]));
    }
    let value = if within { 2 } else { 1 };
    nodes.push(Node::Fields(vec![Field { name: "text".to_owned(), value }]));
    Tree { nodes }
}

impl Attack for Forged {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let what = field(&request.inputs, "what").unwrap_or_default();
        let nothing = || object(&[], Vec::new());
        let urn = engine::register(&component(&request.token, &request.name, nothing()))?.wait()?.urn;
        let child = engine::register(&resource("hostile:index:Thing", "child", nothing()))?.wait()?.urn;
        // What it is told of in return for having named it.
        let echoed = engine::invoke("hostile:index:tell", &state(&[VICTIM], false), &hostile::no_options())?.wait();
        let mut beside = Vec::new();
        let state = match what.as_str() {
            "inside" => state(&[&child, VICTIM], false),
            "within" => state(&[VICTIM], true),
            "malformed" => state(&["\u{1b}[2J no URN"], false),
            "echoed" => match echoed {
                Ok(_) => state(&[VICTIM], false),
                Err(error) => return Err(error),
            },
            "beside" => {
                beside.push(PropertyDependencies { name: "text".to_owned(), urns: vec![VICTIM.to_owned()] });
                object(&["text"], vec![text("made")])
            }
            _ => {
                beside.push(PropertyDependencies { name: "text".to_owned(), urns: vec![child.clone(), urn.clone()] });
                state(&[&child], true)
            }
        };
        Ok(Constructed { urn, state, state_dependencies: beside })
    }

    fn call(&self, _: CallRequest) -> Result<Called, Error> {
        Ok(Called { value: state(&[VICTIM], false), dependencies: Vec::new() })
    }
}

attack!(Forged);
