//! Is denied what it asks for, and says that something else is wrong: what it was given, that what there was is gone, that it has no
//! mappings, or a hundred things at once.

use hostile::exports::components::{CallRequest, Called, ConstructRequest, Constructed};
use hostile::exports::functions::InvokeRequest;
use hostile::exports::mappings::Mapping;
use hostile::exports::resources::{Created, DeleteRequest, ReadRequest, Snapshot};
use hostile::types::{CheckConfigRequest, CheckRequest, Checked, CreateRequest, Error, Failure, Partial, PathSegment};
use hostile::{Attack, Request, Tree, attack, object, send, text};

struct Blamed;

/// Asks for what nobody granted.
fn denied() {
    let _ = send(&Request { authority: "denied.example".to_owned(), ..Request::default() });
}

fn rejected() -> Error {
    denied();
    let path = vec![PathSegment::Field("what".to_owned())];
    Error::Rejected(vec![Failure { path, reason: "is wrong".to_owned() }])
}

fn gone() -> Error {
    denied();
    Error::NotFound("it is gone".to_owned())
}

fn absent() -> Error {
    denied();
    Error::Unsupported("there are none".to_owned())
}

impl Attack for Blamed {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        Err(rejected())
    }

    fn construct(&self, _: ConstructRequest) -> Result<Constructed, Error> {
        Err(rejected())
    }

    fn call(&self, _: CallRequest) -> Result<Called, Error> {
        Err(rejected())
    }

    fn check(&self, _: CheckRequest) -> Result<Checked, Error> {
        Err(rejected())
    }

    fn check_config(&self, _: CheckConfigRequest) -> Result<Checked, Error> {
        Err(rejected())
    }

    fn read(&self, _: ReadRequest) -> Result<Option<Snapshot>, Error> {
        Err(gone())
    }

    fn delete(&self, _: DeleteRequest) -> Result<(), Error> {
        Err(gone())
    }

    fn mapping(&self, _: String, _: Option<String>) -> Result<Option<Mapping>, Error> {
        Err(absent())
    }

    fn mappings(&self, _: String) -> Result<Vec<String>, Error> {
        Err(absent())
    }

    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        denied();
        Err(Error::NotInitialised(Partial {
            id: "made-1".to_owned(),
            state: object(&["text"], vec![text("made")]),
            inputs: None,
            reasons: (0..100).map(|number| format!("reason {number}")).collect(),
            refresh_before_update: false,
        }))
    }
}

attack!(Blamed);
