//! Fails, and says a secret of its request.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, field};

struct Leak;

impl Attack for Leak {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let key = field(&request.inputs, "key").unwrap_or_default();
        Err(Error::Failed(format!("the server refused {key}")))
    }
}

attack!(Leak);
