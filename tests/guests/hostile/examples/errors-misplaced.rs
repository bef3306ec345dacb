//! Fails in every call as only others may: without being cancelled, with a resource where none is made, by a state that is no tree,
//! with an outcome that nobody knows where nothing is changed, as the member `key` of its configuration says.

use std::sync::Mutex;

use hostile::exports::components::{CallRequest, Called, ConstructRequest, Constructed};
use hostile::exports::config::ConfigureRequest;
use hostile::exports::functions::InvokeRequest;
use hostile::exports::lists::{ListRequest, Page};
use hostile::exports::mappings::Mapping;
use hostile::exports::resources::{DeleteRequest, ReadRequest, Snapshot};
use hostile::types::{
    CheckConfigRequest, CheckRequest, Checked, CreateRequest, DiffConfigRequest, DiffRequest, Difference, Error,
    Partial, UpdateRequest,
};
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
        let asked = field(&request.inputs, "key").unwrap_or_default();
        let (now, asked) = asked.strip_prefix("now ").map_or((false, asked.as_str()), |asked| (true, asked));
        if let Ok(mut kind) = KIND.lock() {
            asked.clone_into(&mut kind);
        }
        if now { misplaced() } else { Ok(()) }
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

    fn check_config(&self, _: CheckConfigRequest) -> Result<Checked, Error> {
        misplaced()
    }

    fn diff_config(&self, _: DiffConfigRequest) -> Result<Difference, Error> {
        misplaced()
    }

    fn preview_create(&self, _: CreateRequest) -> Result<Tree, Error> {
        misplaced()
    }

    fn preview_update(&self, _: UpdateRequest) -> Result<Tree, Error> {
        misplaced()
    }

    fn mapping(&self, _: String, _: Option<String>) -> Result<Option<Mapping>, Error> {
        misplaced()
    }

    fn mappings(&self, _: String) -> Result<Vec<String>, Error> {
        misplaced()
    }
}

attack!(Misplaced);
