//! Says letters that steer a terminal wherever a provider may say something, in each call, and ends it as the input `what` says.

use std::net::ToSocketAddrs as _;

use hostile::exports::components::{CallRequest, Called, ConstructRequest, Constructed};
use hostile::exports::config::ConfigureRequest;
use hostile::exports::functions::InvokeRequest;
use hostile::exports::lists::{ListItem, ListRequest, Page};
use hostile::exports::resources::{Created, DeleteRequest, ReadRequest, Snapshot, Updated};
use hostile::types::{
    Change, ChangeKind, CheckConfigRequest, CheckRequest, Checked, CreateRequest, DiffConfigRequest, DiffRequest,
    Difference, Error, Failure, MissingKey, Partial, PathSegment, UpdateRequest,
};
use hostile::{Attack, Node, Request, Tree, attack, field, log, object, operation, send, text};

/// Escapes in both of their spellings, what turns the direction, ends lines, or isn't seen, and a line that isn't the host's.
const LETTERS: &str = "safe\u{1b}[2J\u{9b}2K\u{7}\r\u{7f}\u{202e}\u{2067}\u{2028}\u{200b}\u{feff}\u{e0041}";
const LINES: &str = "safe\nerror: the disk is full\r\nhint: run me";

struct Forged;

/// Says it without a result.
fn tell() {
    for level in [log::Level::Debug, log::Level::Info, log::Level::Warning, log::Level::Error] {
        log::log(level, LETTERS);
    }
    log::status(LETTERS);
    let _ = ("safe.example", 443).to_socket_addrs();
    for said in [LETTERS, LINES] {
        println!("{said}");
        eprintln!("{said}");
        let _ = std::fs::read(format!("/{said}"));
        let _ = std::env::var(said);
        let _ = (format!("{said}.example").as_str(), 443).to_socket_addrs();
        let request = Request { method: said.to_owned(), authority: format!("{said}.example"), ..Request::default() };
        let _ = send(&request);
        let _ = send(&Request { path: format!("/{said}"), authority: "safe.example".to_owned(), ..Request::default() });
        let _ = operation::checkpoint(&format!("made-{said}"), &state());
    }
}

fn state() -> Tree {
    object(&["text"], vec![text(LETTERS)])
}

fn failure() -> Failure {
    Failure { path: vec![PathSegment::Key(LETTERS.to_owned())], reason: LETTERS.to_owned() }
}

/// Ends a call as it is told to.
fn end(inputs: &Tree) -> Result<Tree, Error> {
    tell();
    let said = LETTERS.to_owned();
    match ["what", "key", "text"].iter().find_map(|name| field(inputs, name)).as_deref() {
        Some("fail") => Err(Error::Failed(said)),
        Some("other") => Err(Error::Other(said)),
        Some("reject") => Err(Error::Rejected(vec![failure()])),
        Some("configure") => {
            Err(Error::MissingConfiguration(vec![MissingKey { name: said.clone(), description: said }]))
        }
        Some("await") => Err(Error::AwaitFailed(said)),
        Some("lose") => Err(Error::OutcomeUnknown(said)),
        Some("find") => Err(Error::NotFound(said)),
        Some("support") => Err(Error::Unsupported(said)),
        Some("break") => Err(Error::Bug(said)),
        Some("panic") => panic!("{said}"),
        Some("part") => Err(Error::NotInitialised(Partial {
            id: "made-1".to_owned(),
            state: state(),
            inputs: None,
            reasons: vec![said],
            refresh_before_update: false,
        })),
        Some("member") => Ok(object(&[LETTERS], vec![text("x")])),
        Some("number") => Ok(object(&["text"], vec![Node::Number(1.0)])),
        _ => Ok(state()),
    }
}

impl Attack for Forged {
    fn configure(&self, request: ConfigureRequest) -> Result<(), Error> {
        end(&request.inputs).map(drop)
    }

    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let state = end(&request.inputs)?;
        let id = match field(&request.inputs, "what").as_deref() {
            Some("id") => "made-\u{202e}1".to_owned(),
            _ => "made-1".to_owned(),
        };
        Ok(Created { id, state, refresh_before_update: false })
    }

    fn check(&self, request: CheckRequest) -> Result<Checked, Error> {
        end(&request.inputs)?;
        Ok(Checked { inputs: request.inputs, failures: vec![failure()] })
    }

    fn diff(&self, request: DiffRequest) -> Result<Difference, Error> {
        end(&request.inputs)?;
        let change = Change {
            path: vec![PathSegment::Key(LETTERS.to_owned())],
            kind: ChangeKind::Updated,
            replaces: true,
            input_diff: true,
        };
        Ok(Difference { changes: vec![change], delete_before_replace: false, stable: vec![format!("{LETTERS}s")] })
    }

    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        end(&request.arguments)
    }

    fn list_page(&self, request: ListRequest) -> Result<Page, Error> {
        end(&request.query)?;
        let item = ListItem { id: "made-1".to_owned(), name: Some("a\u{202e}b".to_owned()), state: None };
        Ok(Page { items: vec![item], continuation: None })
    }

    fn read(&self, request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        let state = end(&request.prior.map_or_else(state, |prior| prior.state))?;
        Ok(Some(Snapshot { id: request.id, state, inputs: None, refresh_before_update: false }))
    }

    fn update(&self, request: UpdateRequest) -> Result<Updated, Error> {
        Ok(Updated { state: end(&request.inputs)?, refresh_before_update: false })
    }

    fn delete(&self, request: DeleteRequest) -> Result<(), Error> {
        end(&request.prior.state).map(drop)
    }

    fn preview_create(&self, request: CreateRequest) -> Result<Tree, Error> {
        end(&request.inputs)
    }

    fn preview_update(&self, request: UpdateRequest) -> Result<Tree, Error> {
        end(&request.inputs)
    }

    fn check_config(&self, request: CheckConfigRequest) -> Result<Checked, Error> {
        end(&request.inputs)?;
        Ok(Checked { inputs: request.inputs, failures: vec![failure()] })
    }

    fn diff_config(&self, request: DiffConfigRequest) -> Result<Difference, Error> {
        end(&request.inputs)?;
        Ok(Difference { changes: Vec::new(), delete_before_replace: false, stable: Vec::new() })
    }

    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let state = end(&request.inputs)?;
        Ok(Constructed { urn: LETTERS.to_owned(), state, state_dependencies: Vec::new() })
    }

    fn call(&self, request: CallRequest) -> Result<Called, Error> {
        Ok(Called { value: end(&request.arguments)?, dependencies: Vec::new() })
    }

    fn mappings(&self, _: String) -> Result<Vec<String>, Error> {
        tell();
        Ok(vec![LETTERS.to_owned()])
    }
}

attack!(Forged);
