//! Publishes views without end.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::views::{ViewOperation, ViewStatus, ViewStep};
use hostile::{Attack, attack, object, text, views};

struct Flood;

impl Attack for Flood {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        let step = |number: u32| ViewStep {
            token: "hostile:index:View".to_owned(),
            name: format!("view{number}"),
            parent: None,
            operation: ViewOperation::Create,
            status: ViewStatus::Done,
            error: String::new(),
            old_state: None,
            new_state: Some(object(&["text"], vec![text("seen")])),
            changes: Vec::new(),
        };
        let mut shown = 0;
        loop {
            // No view is shown twice in one call.
            views::publish(&(shown..shown + 500).map(step).collect::<Vec<_>>())?;
            shown += 500;
        }
    }
}

attack!(Flood);
