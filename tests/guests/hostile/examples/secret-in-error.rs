//! Fails, and says a secret of its request.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Tree, attack, field};

struct Leak;

fn refused(told: &Tree) -> Error {
    Error::Failed(format!("the server refused {}", field(told, "key").unwrap_or_default()))
}

impl Attack for Leak {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        Err(refused(&request.inputs))
    }

    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        Err(refused(request.options.replacement_trigger.as_ref().unwrap_or(&request.inputs)))
    }
}

attack!(Leak);
