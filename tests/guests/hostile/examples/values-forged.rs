//! Returns what no engine can have, wherever a value is returned, as the input `what` says: numbers that are none, the marks by
//! which engines tell kinds of values, references to what isn't called so, secrets within secrets, hashes that are none.

use hostile::bindings::bulkhead::provider::values::{Asset, AssetSource, Output, Reference, ReferenceId};
use hostile::exports::components::{CallRequest, Called, ConstructRequest, Constructed};
use hostile::exports::functions::InvokeRequest;
use hostile::exports::lists::{ListItem, ListRequest, Page};
use hostile::exports::resources::{Created, ReadRequest, Snapshot, Updated};
use hostile::exports::upgrade::{UpgradeRequest, Upgraded};
use hostile::types::{CheckRequest, Checked, CreateRequest, Error, Partial, UpdateRequest};
use hostile::{Attack, Field, Node, Tree, attack, component, engine, field, operation, text};

/// What marks objects that are values of other kinds.
const MARK: &str = "4dabf18193072939515e22adb298388d";
const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

struct Forged;

/// Objects with these fields, by the positions of their values.
fn fields(fields: &[(&str, u32)]) -> Node {
    Node::Fields(fields.iter().map(|(name, value)| Field { name: (*name).to_owned(), value: *value }).collect())
}

/// The nodes of a value, the last one its root.
fn nodes(what: &str) -> Vec<Node> {
    let reference = |urn: &str, id: Option<&str>| {
        let (urn, id) = (urn.to_owned(), id.map(|id| ReferenceId::Known(id.to_owned())));
        vec![Node::Reference(Reference { urn, id, package_version: "\u{1b}[2J".to_owned() })]
    };
    match what {
        "nan" => vec![Node::Number(f64::NAN)],
        "infinite" => vec![Node::Number(f64::NEG_INFINITY), Node::Items(vec![0])],
        "tiny" => vec![Node::Number(-0.0), Node::Number(5e-324), Node::Items(vec![0, 1])],
        "asset" => vec![text(ASSET), text("/etc/passwd"), fields(&[(MARK, 0), ("path", 1)])],
        "secret" => vec![text(SECRET), text("seen"), fields(&[(MARK, 0), ("value", 1)]), Node::Items(vec![2])],
        "mark" => vec![text("nothing known"), fields(&[(MARK, 0)])],
        "unknown" => vec![text(UNKNOWN)],
        "secrets" => {
            let nested = (0..100).map(Node::Secret);
            std::iter::once(text("deep")).chain(nested).collect()
        }
        "no urn" => reference("", Some("x")),
        "short urn" => reference("urn:pulumi:", None),
        "odd urn" => reference("urn:pulumi:dev::project::hostile:index:Thing::a\nb\u{1b}[2J", Some("\0")),
        "no hash" => {
            vec![Node::Asset(Asset { hash: Some("zz\n".to_owned()), source: AssetSource::Text("x".to_owned()) })]
        }
        "elided" => vec![Node::Asset(Asset { hash: Some("zz".to_owned()), source: AssetSource::Elided })],
        "depends" => {
            let dependencies = vec!["nobody".to_owned(), String::new(), "urn:pulumi:\n".to_owned()];
            vec![text("x"), Node::Output(Output { value: Some(0), secret: false, dependencies })]
        }
        "keys" => vec![Node::Null, Node::Null, Node::Null, fields(&[("\0", 0), ("", 1), ("a\u{0}b\u{1b}[2J", 2)])],
        "cases" => {
            let count = 1_u32 << 16;
            let name = |number: u32| -> String {
                let letter = |bit: u32| if number >> bit & 1 == 0 { 'a' } else { 'A' };
                (0..16).map(letter).collect()
            };
            let mut all = vec![Node::Null; count as usize];
            all.push(Node::Fields((0..count).map(|value| Field { name: name(value), value }).collect()));
            all
        }
        _ => vec![text("x")],
    }
}

/// An object with the value, beside a text.
fn tree(what: &str) -> Tree {
    let mut nodes = nodes(what);
    let value = nodes.len() as u32 - 1;
    nodes.extend([text("told"), text(what), fields(&[("any", value), ("text", value + 1), ("what", value + 2)])]);
    Tree { nodes }
}

fn asked(inputs: &Tree) -> String {
    field(inputs, "what").unwrap_or_default()
}

impl Attack for Forged {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let what = asked(&request.inputs);
        if let Some(what) = what.strip_prefix("partial ") {
            return Err(Error::NotInitialised(Partial {
                id: "made-1".to_owned(),
                state: tree(what),
                inputs: None,
                reasons: vec!["half of it".to_owned()],
                refresh_before_update: false,
            }));
        }
        if let Some(what) = what.strip_prefix("announced ") {
            operation::checkpoint("made-1", &tree(what))?;
            std::process::abort()
        }
        Ok(Created { id: "made-1".to_owned(), state: tree(&what), refresh_before_update: false })
    }

    fn read(&self, request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        let what = request.prior.map(|prior| asked(&prior.state)).unwrap_or_default();
        let inputs = Some(tree(&what));
        Ok(Some(Snapshot { id: request.id, state: tree(&what), inputs, refresh_before_update: false }))
    }

    fn update(&self, request: UpdateRequest) -> Result<Updated, Error> {
        Ok(Updated { state: tree(&asked(&request.inputs)), refresh_before_update: false })
    }

    fn check(&self, request: CheckRequest) -> Result<Checked, Error> {
        Ok(Checked { inputs: tree(&asked(&request.inputs)), failures: Vec::new() })
    }

    fn preview_create(&self, request: CreateRequest) -> Result<Tree, Error> {
        Ok(tree(&asked(&request.inputs)))
    }

    fn upgrade(&self, request: UpgradeRequest) -> Result<Upgraded, Error> {
        let what = asked(&request.state);
        Ok(Upgraded { state: tree(&what), inputs: request.inputs.map(|_| tree(&what)) })
    }

    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        Ok(tree(&asked(&request.arguments)))
    }

    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let state = tree(&asked(&request.inputs));
        let urn = engine::register(&component(&request.token, &request.name, state.clone()))?.wait()?.urn;
        engine::register_outputs(&urn, &state)?;
        Ok(Constructed { urn, state, state_dependencies: Vec::new() })
    }

    fn call(&self, request: CallRequest) -> Result<Called, Error> {
        Ok(Called { value: tree(&asked(&request.arguments)), dependencies: Vec::new() })
    }

    fn list_page(&self, request: ListRequest) -> Result<Page, Error> {
        let state = Some(tree(&asked(&request.query)));
        Ok(Page { items: vec![ListItem { id: "made-1".to_owned(), name: None, state }], continuation: None })
    }
}

attack!(Forged);
