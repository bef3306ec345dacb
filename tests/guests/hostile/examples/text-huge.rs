//! Returns a text of 300 MB.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Tree, attack, exports::functions::InvokeRequest, object, text};

struct Huge;

fn huge() -> Tree {
    object(&["text"], vec![text(&"x".repeat(300_000_000))])
}

impl Attack for Huge {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        Ok(Created { id: "made-1".to_owned(), state: huge(), refresh_before_update: false })
    }

    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        Ok(huge())
    }
}

attack!(Huge);
