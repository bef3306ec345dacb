//! Fails in every call as only others may: without being cancelled, with a resource where none is made, by a state that is no tree,
//! with an outcome that nobody knows where nothing is changed, as the member `key` of its configuration says.

use std::sync::Mutex;

use hostile::exports::components::{CallRequest, Called, ConstructRequest, Constructed};
use hostile::exports::config::ConfigureRequest;
use hostile::exports::functions::InvokeRequest;
use hostile::exports::lists::{ListRequest, Page};
use hostile::exports::resources::{DeleteRequest, ReadRequest, Snapshot};
use hostile::types::{CheckRequest, Checked, DiffRequest, Difference, Error, Partial};
use hostile::{Attack, Node, Tree, attack, field, object, text};

struct Misplaced;

static KIND: Mutex<String> = Mutex::new(String::new());

fn misplaced<T>() -> Result<T, Error> {
    let partial = |state| {
        Error::NotInitialised(Partial {
            id: "forged-1".to_owned(),
            state,
            inputs: None,
            reasons: vec!["a reason".to_owned()],
            refresh_before_update: true,
        })
    };
    Err(match KIND.lock().map(|kind| kind.clone()).unwrap_or_default().as_str() {
        "cancelled" => Error::Cancelled,
        "outcome-unknown" => Error::OutcomeUnknown("forged".to_owned()),
        "not-initialised" => partial(object(&["text"], vec![text("forged")])),
        "malformed" => partial(Tree { nodes: vec![Node::Items(vec![7])] }),
        _ => Error::AwaitFailed("forged".to_owned()),
    })
}

impl Attack for Misplaced {
    fn configure(&self, request: ConfigureRequest) -> Result<(), Error> {
        if let Ok(mut kind) = KIND.lock() {
            *kind = field(&request.inputs, "key").unwrap_or_default();
        }
        Ok(())
    }

    fn check(&self, _: CheckRequest) -> Result<Checked, Error> {
        misplaced()
    }

    fn diff(&self, _: DiffRequest) -> Result<Difference, Error> {
        misplaced()
    }

    fn read(&self, _: ReadRequest) -> Result<Option<Snapshot>, Error> {
        misplaced()
    }

    fn delete(&self, _: DeleteRequest) -> Result<(), Error> {
        misplaced()
    }

    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        misplaced()
    }

    fn construct(&self, _: ConstructRequest) -> Result<Constructed, Error> {
        misplaced()
    }

    fn call(&self, _: CallRequest) -> Result<Called, Error> {
        misplaced()
    }

    fn list_page(&self, _: ListRequest) -> Result<Page, Error> {
        misplaced()
    }
}

attack!(Misplaced);
