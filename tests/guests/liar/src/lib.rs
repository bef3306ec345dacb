//! A provider that breaks the contract, written without the SDK, which would keep it from doing so.
//!
//! What to break is said by the input `lie`. Values are written node by node, since that is where the lies are.

wit_bindgen::generate!({
    path: "../../../wit",
    inline: "
        package bulkhead:liar;
        world liar {
            include bulkhead:provider/described@0.1.0;
            include bulkhead:provider/resourceful@0.1.0;
            include bulkhead:provider/functional@0.1.0;
        }
    ",
    world: "bulkhead:liar/liar",
    generate_all,
});

use bulkhead::provider::types::{CreateRequest, Error, Partial, Subpackage, UpdateRequest};
use bulkhead::provider::values::{Field, Node, Opaque, Tree};
use exports::bulkhead::provider::functions::{self, InvokeRequest};
use exports::bulkhead::provider::resources::{self, Created, DeleteRequest, ReadRequest, Snapshot, Updated};
use exports::bulkhead::provider::schema;

struct Liar;

export!(Liar);

impl schema::Guest for Liar {
    fn package_schema(_: Option<Subpackage>) -> Result<String, Error> {
        Ok(include_str!("schema.json").to_owned())
    }

    fn manifest() -> String {
        include_str!("manifest.json").to_owned()
    }
}

impl resources::Guest for Liar {
    fn create(request: CreateRequest) -> Result<Created, Error> {
        let lie = lie(&request.inputs);
        match lie.as_str() {
            "partial-without-id" => return Err(Error::NotInitialised(partial("", truth(&lie)))),
            "partial-malformed" => return Err(Error::NotInitialised(partial("lie-1", tree("forward")))),
            "partial-without-reason" => {
                return Err(Error::NotInitialised(Partial { reasons: Vec::new(), ..partial("lie-1", truth(&lie)) }));
            }
            "failed-without-reason" => return Err(Error::Failed(String::new())),
            "trap" => core::arch::wasm32::unreachable(),
            _ => {}
        }
        let id = if lie.ends_with("without-id") { "" } else { "lie-1" };
        Ok(Created {
            id: id.to_owned(),
            state: tree(lie.trim_end_matches("-without-id")),
            refresh_before_update: false,
        })
    }

    fn read(request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        let lie = request.prior.map(|prior| lie(&prior.state)).unwrap_or_default();
        Ok(Some(Snapshot { id: request.id, state: tree(&lie), inputs: None, refresh_before_update: false }))
    }

    fn update(request: UpdateRequest) -> Result<Updated, Error> {
        Ok(Updated { state: tree(&lie(&request.inputs)), refresh_before_update: false })
    }

    fn delete(_: DeleteRequest) -> Result<(), Error> {
        Err(Error::NotInitialised(partial("lie-1", truth("truth"))))
    }
}

impl functions::Guest for Liar {
    fn invoke(request: InvokeRequest) -> Result<Tree, Error> {
        Ok(tree(&lie(&request.arguments)))
    }
}

fn partial(id: &str, state: Tree) -> Partial {
    Partial { id: id.to_owned(), state, inputs: None, reasons: vec!["it isn't ready".to_owned()] }
}

/// The text of the field `lie`; the request's tree is well-formed.
fn lie(request: &Tree) -> String {
    let fields =
        request.nodes.last().and_then(|root| if let Node::Fields(fields) = root { Some(fields) } else { None });
    let field = fields.into_iter().flatten().find(|field| field.name == "lie");
    let node = field.and_then(|field| request.nodes.get(usize::try_from(field.value).ok()?));
    if let Some(Node::Text(text)) = node { text.clone() } else { "truth".to_owned() }
}

fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

/// An object whose fields are the nodes before it, in order.
fn object(names: &[&str], mut nodes: Vec<Node>) -> Tree {
    let fields = names.iter().zip(0..).map(|(name, value)| Field { name: (*name).to_owned(), value });
    nodes.push(Node::Fields(fields.collect()));
    Tree { nodes }
}

/// What the schema promises.
fn truth(lie: &str) -> Tree {
    object(&["lie", "name", "count"], vec![text(lie), text("n"), Node::Number(1.0)])
}

fn tree(lie: &str) -> Tree {
    match lie {
        "missing" => object(&["lie", "count"], vec![text(lie), Node::Number(1.0)]),
        "wrong-type" => object(&["lie", "name", "count"], vec![text(lie), text("n"), text("hunter2")]),
        "unknown" => object(&["lie", "name", "count"], vec![text(lie), Node::Unknown, Node::Number(1.0)]),
        "extra" => object(&["lie", "name", "count", "extra"], vec![text(lie), text("n"), Node::Number(1.0), text("x")]),
        "several" => object(&["lie", "name"], vec![text(lie), Node::Boolean(true)]),
        "bytes" => object(
            &["lie", "name", "count", "any"],
            vec![text(lie), text("n"), Node::Number(1.0), Node::Bytes(vec![255])],
        ),
        "nan" => object(
            &["lie", "name", "count", "any"],
            vec![text(lie), text("n"), Node::Number(1.0), Node::Number(f64::NAN)],
        ),
        "reserved-key" => {
            let mut nodes = vec![text(lie), text("n"), Node::Number(1.0), text("x")];
            nodes.push(Node::Fields(vec![Field { name: "4dabf18193072939515e22adb298388d".to_owned(), value: 3 }]));
            let names = ["lie", "name", "count", "any"];
            let fields = names.iter().zip([0, 1, 2, 4]).map(|(name, value)| Field { name: (*name).to_owned(), value });
            nodes.push(Node::Fields(fields.collect()));
            Tree { nodes }
        }
        "sentinel" => object(
            &["lie", "name", "count"],
            vec![text(lie), text("04da6b54-80e4-46f7-96ec-b56ff0331ba9"), Node::Number(1.0)],
        ),
        "empty" => Tree { nodes: Vec::new() },
        "root" => Tree { nodes: vec![text("x")] },
        "forward" => Tree { nodes: vec![Node::Fields(vec![Field { name: "name".to_owned(), value: 1 }]), text("x")] },
        "self" => Tree { nodes: vec![Node::Fields(vec![Field { name: "name".to_owned(), value: 0 }])] },
        "dangling" => Tree { nodes: vec![Node::Items(vec![u32::MAX])] },
        "shared" => Tree {
            nodes: vec![
                text("x"),
                Node::Fields(vec![
                    Field { name: "name".to_owned(), value: 0 },
                    Field { name: "lie".to_owned(), value: 0 },
                ]),
            ],
        },
        "unused" => Tree { nodes: vec![text("x"), Node::Fields(Vec::new())] },
        "duplicate" => object(&["name", "name"], vec![text("x"), text("y")]),
        "opaque" => object(&["any"], vec![Node::Opaque(Opaque { signature: "s".to_owned(), fields: Vec::new() })]),
        "deep" => {
            let mut nodes = vec![Node::Null];
            nodes.extend((0..5_000).map(|child| Node::Items(vec![child])));
            nodes.push(Node::Fields(vec![Field { name: "any".to_owned(), value: 5_000 }]));
            Tree { nodes }
        }
        _ => truth(lie),
    }
}
