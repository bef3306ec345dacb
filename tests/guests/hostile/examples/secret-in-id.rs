//! Returns a secret of its request as the id, which engines show and record in clear.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, field, object, text};

struct Leak;

impl Attack for Leak {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let key = field(&request.inputs, "key").unwrap_or_default();
        Ok(Created { id: key, state: object(&["text"], vec![text("made")]), refresh_before_update: false })
    }
}

attack!(Leak);
