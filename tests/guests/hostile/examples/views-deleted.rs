//! Publishes that views were deleted while its resource is, or made while it is, each with a state of 3 MB.

use hostile::exports::resources::{Created, DeleteRequest};
use hostile::types::{CreateRequest, Error};
use hostile::views::{ViewOperation, ViewStep};
use hostile::{Attack, Tree, attack, object, text, view, views};

struct Published;

fn publish(step: impl Fn(Tree) -> ViewStep) -> Result<(), Error> {
    let large = "x".repeat(3_000_000);
    for number in 0..30 {
        let state = object(&["text"], vec![text(&large)]);
        views::publish(&[ViewStep { name: format!("view{number}"), ..step(state) }])?;
    }
    Ok(())
}

fn step(operation: ViewOperation) -> ViewStep {
    ViewStep { operation, ..view("hostile:index:View", "") }
}

impl Attack for Published {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        publish(|state| ViewStep { new_state: Some(state), ..step(ViewOperation::Create) })?;
        Err(Error::Failed("all were taken".to_owned()))
    }

    fn delete(&self, _: DeleteRequest) -> Result<(), Error> {
        // It doesn't mind if they aren't taken.
        let _ = publish(|state| ViewStep { old_state: Some(state), ..step(ViewOperation::Delete) });
        Ok(())
    }
}

attack!(Published);
