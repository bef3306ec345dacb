//! Publishes a view of the type that the input `what` says: of a provider, of another package, of one that reads as another in a URN.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::views::ViewStep;
use hostile::{Attack, attack, field, object, text, view, views};

struct Forged;

impl Attack for Forged {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        views::publish(&[ViewStep {
            new_state: Some(object(&["text"], vec![text("seen")])),
            ..view(&field(&request.inputs, "what").unwrap_or_default(), "view")
        }])?;
        let state = object(&["text"], vec![text("made")]);
        Ok(Created { id: "made-1".to_owned(), state, refresh_before_update: false })
    }
}

attack!(Forged);
