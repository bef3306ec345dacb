//! A provider that breaks the contract, written without the SDK, which would keep it from doing so.
//!
//! What to break is said by the input `lie`; whether to announce the resource before, and with what, by the input `announced`.
//! Values are written node by node, since that is where the lies are.

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

use bulkhead::provider::types::{
    CreateRequest, Error, Failure, MissingKey, Partial, PathSegment, Subpackage, UpdateRequest,
};
use bulkhead::provider::values::{Archive, ArchiveSource, Field, Node, Opaque, Tree};
use bulkhead::provider::{log, operation};
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
        announce(&request.inputs, "lie-1");
        misbehave(&lie)?;
        match lie.as_str() {
            "partial-without-id" => return Err(Error::NotInitialised(partial("", truth(&lie)))),
            "partial-malformed" => return Err(Error::NotInitialised(partial("lie-1", tree("forward")))),
            "partial-without-reason" => {
                return Err(Error::NotInitialised(Partial { reasons: Vec::new(), ..partial("lie-1", truth(&lie)) }));
            }
            "partial-with-empty-reason" => {
                return Err(Error::NotInitialised(Partial {
                    reasons: vec![String::new()],
                    ..partial("lie-1", truth(&lie))
                }));
            }
            "rejected-without-reason" => {
                let path = vec![PathSegment::Field("lie".to_owned())];
                return Err(Error::Rejected(vec![Failure { path, reason: String::new() }]));
            }
            "failed-without-reason" => return Err(Error::Failed(String::new())),
            "partial-unknown" => return Err(Error::NotInitialised(partial("lie-1", tree("unknown")))),
            "partial-large" => return Err(Error::NotInitialised(partial("lie-1", large(9 << 20)))),
            "many-reasons" => {
                let reasons = (0..1_000).map(|_| "x".repeat(10_000)).collect();
                return Err(Error::NotInitialised(Partial { reasons, ..partial("lie-1", truth(&lie)) }));
            }
            "failed" => return Err(Error::Failed("it was made and taken away again".to_owned())),
            "failed-at-length" => return Err(Error::Failed("x".repeat(10 << 20))),
            "missing-at-length" => {
                let key = |number: u32| MissingKey { name: format!("key{number}"), description: "x".repeat(100_000) };
                return Err(Error::MissingConfiguration((0..200).map(key).collect()));
            }
            _ => {}
        }
        let id = match field(&request.inputs, "id") {
            Some(id) => id,
            None if lie == "unknown-id" => "04da6b54-80e4-46f7-96ec-b56ff0331ba9".to_owned(),
            None if lie.ends_with("without-id") => String::new(),
            None => "lie-1".to_owned(),
        };
        Ok(Created { id, state: tree(lie.trim_end_matches("-without-id")), refresh_before_update: false })
    }

    fn read(request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        let lie = request.prior.as_ref().map(|prior| lie(&prior.state)).unwrap_or_default();
        misbehave(&lie)?;
        if lie == "inputs-seen" {
            let seen = request.prior.is_some_and(|prior| prior.inputs.is_some());
            let state = object(
                &["lie", "name", "count", "any"],
                vec![text(&lie), text("n"), Node::Number(1.0), Node::Boolean(seen)],
            );
            return Ok(Some(Snapshot { id: request.id, state, inputs: None, refresh_before_update: false }));
        }
        if request.id == "unknown-inputs" {
            let inputs = object(&["lie"], vec![Node::Unknown]);
            let snapshot =
                Snapshot { id: request.id, state: truth("truth"), inputs: Some(inputs), refresh_before_update: false };
            return Ok(Some(snapshot));
        }
        Ok(Some(Snapshot { id: request.id, state: tree(&lie), inputs: None, refresh_before_update: false }))
    }

    fn update(request: UpdateRequest) -> Result<Updated, Error> {
        announce(&request.inputs, &request.prior.id);
        let lie = lie(&request.inputs);
        misbehave(&lie)?;
        if lie == "failed" {
            return Err(Error::Failed("nothing was changed".to_owned()));
        }
        if lie == "partial-unknown" {
            return Err(Error::NotInitialised(partial("another-1", tree("unknown"))));
        }
        if lie == "id-seen" {
            return Err(Error::Failed(seen(&request.prior.id)));
        }
        Ok(Updated { state: tree(&lie), refresh_before_update: false })
    }

    fn delete(request: DeleteRequest) -> Result<(), Error> {
        match lie(&request.prior.state).as_str() {
            "id-seen" => return Err(Error::Failed(seen(&request.prior.id))),
            "inputs-seen" => {
                let inputs = request.prior.inputs.map_or_else(|| "none".to_owned(), |inputs| lie(&inputs));
                return Err(Error::Failed(inputs));
            }
            _ => {}
        }
        Err(Error::NotInitialised(partial("lie-1", truth("truth"))))
    }
}

impl functions::Guest for Liar {
    fn invoke(request: InvokeRequest) -> Result<Tree, Error> {
        let lie = lie(&request.arguments);
        misbehave(&lie)?;
        if lie == "whether-a-preview-asks" {
            let answer = text(if request.preview { "yes" } else { "no" });
            return Ok(object(&["lie", "name", "count"], vec![text(&lie), answer, Node::Number(1.0)]));
        }
        Ok(tree(&lie))
    }
}

/// An id as the guest sees it, in characters that nobody shows otherwise.
fn seen(id: &str) -> String {
    format!("{} bytes: {}", id.len(), id.escape_unicode())
}

/// Announces the resource as the input `announced` says, if it does.
fn announce(inputs: &Tree, id: &str) {
    let state = match field(inputs, "announced").as_deref() {
        None => return,
        Some("malformed") => tree("forward"),
        Some("large") => large(9 << 20),
        Some("unknown") => tree("unknown"),
        Some(_) => object(&["lie", "name", "count"], vec![text("announced"), text("n"), Node::Number(2.0)]),
    };
    // A host that refuses it leaves nothing to be done here.
    let _ = operation::checkpoint(id, &state);
}

/// Ends the call in ways that aren't results.
fn misbehave(lie: &str) -> Result<(), Error> {
    match lie {
        "trap" => core::arch::wasm32::unreachable(),
        "exit" => std::process::exit(3),
        "memory" => {
            let mut held = Vec::new();
            loop {
                held.push(std::hint::black_box(vec![1_u8; 1 << 20]));
            }
        }
        "loop" => loop {
            std::hint::black_box(());
        },
        "wait" => {
            log::log(log::Level::Debug, "begun");
            operation::sleep(u32::MAX);
            Err(Error::Cancelled)
        }
        _ => Ok(()),
    }
}

/// A state with so much text.
fn large(bytes: usize) -> Tree {
    let any = text(&"x".repeat(bytes));
    object(&["lie", "name", "count", "any"], vec![text("large"), text("n"), Node::Number(1.0), any])
}

fn partial(id: &str, state: Tree) -> Partial {
    Partial {
        id: id.to_owned(),
        state,
        inputs: None,
        reasons: vec!["it isn't ready".to_owned()],
        refresh_before_update: false,
    }
}

/// The text of the field `lie`. The request's tree is well-formed.
fn lie(request: &Tree) -> String {
    field(request, "lie").unwrap_or_else(|| "truth".to_owned())
}

/// The text of a field.
fn field(request: &Tree, name: &str) -> Option<String> {
    let fields =
        request.nodes.last().and_then(|root| if let Node::Fields(fields) = root { Some(fields) } else { None });
    let field = fields.into_iter().flatten().find(|field| field.name == name);
    let node = field.and_then(|field| request.nodes.get(usize::try_from(field.value).ok()?));
    if let Some(Node::Text(text)) = node { Some(text.clone()) } else { None }
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

/// A text that isn't UTF-8, as a guest in another language may well return it.
fn latin() -> String {
    #[allow(unsafe_code, reason = "the contract is broken on purpose")]
    // SAFETY: nothing here looks into it.
    unsafe {
        String::from_utf8_unchecked(vec![0xe9, 0xff])
    }
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
        "large" => large(9 << 20),
        "utf-8" => object(&["lie", "name", "count"], vec![text(lie), Node::Text(latin()), Node::Number(1.0)]),
        "not-a-number" => object(&["lie", "name", "count"], vec![text(lie), text("n"), Node::Number(f64::NAN)]),
        "list" => Tree { nodes: vec![text("x"), Node::Items(vec![0])] },
        "archive" => {
            let members = vec![Field { name: "a".to_owned(), value: 0 }];
            let archive = Archive { hash: None, source: ArchiveSource::Members(members) };
            Tree {
                nodes: vec![
                    text("x"),
                    Node::Archive(archive),
                    Node::Fields(vec![Field { name: "any".to_owned(), value: 1 }]),
                ],
            }
        }
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
