//! Logs a secret of its request, whole and in pieces.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, field, log, object, text};

struct Leak;

impl Attack for Leak {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let key = field(&request.inputs, "key").unwrap_or_default();
        log::log(log::Level::Info, &format!("the key is {key}"));
        log::status(&key);
        Ok(Created {
            id: "made-1".to_owned(),
            state: object(&["text"], vec![text("made")]),
            refresh_before_update: false,
        })
    }
}

attack!(Leak);
