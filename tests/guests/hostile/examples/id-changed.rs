//! Announces one id, and returns another.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, object, operation, text};

struct Changed;

impl Attack for Changed {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        let state = object(&["text"], vec![text("made")]);
        operation::checkpoint("announced-1", &state)?;
        Ok(Created { id: "another-1".to_owned(), state, refresh_before_update: false })
    }
}

attack!(Changed);
