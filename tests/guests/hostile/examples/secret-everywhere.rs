//! Tells a secret of its request wherever a provider may say something, in each call, and ends it as the input `what` says.

use std::net::ToSocketAddrs as _;

use hostile::exports::components::{CallRequest, Called, ConstructRequest, Constructed};
use hostile::exports::config::ConfigureRequest;
use hostile::exports::functions::InvokeRequest;
use hostile::exports::lists::{ListItem, ListRequest, Page};
use hostile::exports::resources::{Created, DeleteRequest, ReadRequest, Snapshot, Updated};
use hostile::types::{
    CheckConfigRequest, CheckRequest, Checked, CreateRequest, DiffConfigRequest, DiffRequest, Difference, Error,
    Failure, Partial, PathSegment, UpdateRequest,
};
use hostile::{Attack, Request, Tree, attack, component, engine, field, log, names, object, operation, send, text};

struct Leak;

/// The secret in the spellings that programs have for it.
fn spelt(key: &str) -> [String; 5] {
    let hexadecimal = key.bytes().map(|byte| format!("{byte:02x}")).collect();
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    [key.to_owned(), format!("{key:?}"), key.to_uppercase(), hexadecimal, hostile::in_base(key, 6, alphabet)]
}

/// A state that repeats the secret.
fn state(key: &str) -> Tree {
    object(&["text", "what", "any"], vec![text(key), text(&format!("<{key}>")), text(&spelt(key).join(" "))])
}

/// Says it without a result.
fn tell(key: &str) {
    for said in spelt(key) {
        println!("{said}");
        eprintln!("{said}");
        for level in [log::Level::Debug, log::Level::Info, log::Level::Warning, log::Level::Error] {
            log::log(level, &format!("I know {said}, I do"));
        }
        log::status(&said);
        let _ = std::fs::read(format!("/{said}"));
        let _ = std::env::var(&said);
    }
    for name in names(key) {
        let _ = (name.as_str(), 443).to_socket_addrs();
        let path = format!("/?{key}");
        let header = Some(("authorization".to_owned(), key.to_owned()));
        let _ = send(&Request { method: key.to_uppercase(), authority: name, path, header, body: key.to_owned() });
    }
    let _ = operation::checkpoint("made-1", &state(key));
}

/// Ends a call as it is told to, with the secret, which may say so itself: `fail: the secret`.
fn end(inputs: &Tree, key: &str) -> Result<(), Error> {
    let said = spelt(key).join(" ");
    let told = ["what", "key", "text"].iter().find_map(|name| field(inputs, name)).unwrap_or_default();
    match told.split(':').next() {
        Some("fail") => Err(Error::Failed(said)),
        Some("reject") => {
            Err(Error::Rejected(vec![Failure { path: vec![PathSegment::Field(key.to_owned())], reason: said }]))
        }
        Some("lose") => Err(Error::OutcomeUnknown(said)),
        Some("break") => Err(Error::Bug(said)),
        Some("panic") => panic!("{said}"),
        Some("part") => Err(Error::NotInitialised(Partial {
            id: "made-1".to_owned(),
            state: state(key),
            inputs: None,
            reasons: spelt(key).into(),
            refresh_before_update: false,
        })),
        _ => Ok(()),
    }
}

/// Tells the secret, and ends as told to.
fn strike(inputs: &Tree) -> Result<Tree, Error> {
    let key = ["key", "text", "what"].iter().find_map(|name| field(inputs, name)).unwrap_or_default();
    tell(&key);
    end(inputs, &key)?;
    Ok(state(&key))
}

/// The first member of a state, which all types have.
fn alone(state: Tree) -> Tree {
    object(&["text"], vec![state.nodes.into_iter().next().unwrap_or(hostile::Node::Null)])
}

fn nothing() -> Difference {
    Difference { changes: Vec::new(), delete_before_replace: false, stable: Vec::new() }
}

impl Attack for Leak {
    fn configure(&self, request: ConfigureRequest) -> Result<(), Error> {
        strike(&request.inputs).map(drop)
    }

    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        Ok(Created { id: "made-1".to_owned(), state: strike(&request.inputs)?, refresh_before_update: false })
    }

    fn read(&self, request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        let state = request.prior.map(|prior| strike(&prior.state)).transpose()?;
        Ok(state.map(|state| Snapshot { id: request.id, state, inputs: None, refresh_before_update: false }))
    }

    fn update(&self, request: UpdateRequest) -> Result<Updated, Error> {
        Ok(Updated { state: strike(&request.inputs)?, refresh_before_update: false })
    }

    fn delete(&self, request: DeleteRequest) -> Result<(), Error> {
        strike(&request.prior.state).map(drop)
    }

    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        strike(&request.arguments).map(alone)
    }

    fn check(&self, request: CheckRequest) -> Result<Checked, Error> {
        strike(&request.inputs).map(|_| Checked { inputs: request.inputs, failures: Vec::new() })
    }

    fn diff(&self, request: DiffRequest) -> Result<Difference, Error> {
        strike(&request.inputs).map(|_| nothing())
    }

    fn preview_create(&self, request: CreateRequest) -> Result<Tree, Error> {
        strike(&request.inputs).map(alone)
    }

    fn preview_update(&self, request: UpdateRequest) -> Result<Tree, Error> {
        strike(&request.inputs).map(alone)
    }

    fn check_config(&self, request: CheckConfigRequest) -> Result<Checked, Error> {
        strike(&request.inputs).map(|_| Checked { inputs: request.inputs, failures: Vec::new() })
    }

    fn diff_config(&self, request: DiffConfigRequest) -> Result<Difference, Error> {
        strike(&request.inputs).map(|_| nothing())
    }

    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let state = strike(&request.inputs).map(alone)?;
        let urn = engine::register(&component(&request.token, &request.name, request.inputs))?.wait()?.urn;
        engine::register_outputs(&urn, &state)?;
        Ok(Constructed { urn, state, state_dependencies: Vec::new() })
    }

    fn call(&self, request: CallRequest) -> Result<Called, Error> {
        Ok(Called { value: strike(&request.arguments).map(alone)?, dependencies: Vec::new() })
    }

    fn list_page(&self, request: ListRequest) -> Result<Page, Error> {
        let item = ListItem { id: "made-1".to_owned(), name: None, state: Some(strike(&request.query)?) };
        Ok(Page { items: vec![item], continuation: None })
    }
}

attack!(Leak);
