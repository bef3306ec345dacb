//! Publishes views without end.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::views::ViewStep;
use hostile::{Attack, attack, object, text, view, views};

struct Flood;

impl Attack for Flood {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        let step = |number: u32| ViewStep {
            new_state: Some(object(&["text"], vec![text("seen")])),
            ..view("hostile:index:View", &format!("view{number}"))
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
