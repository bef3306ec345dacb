//! Gives names that would steer the terminal that shows them: to views, to what it lists and registers, to what it finds wrong or
//! different.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::exports::lists::{ListItem, ListRequest, Page};
use hostile::exports::resources::Created;
use hostile::types::{
    Change, ChangeKind, CheckRequest, Checked, CreateRequest, DiffRequest, Difference, Error, Failure, PathSegment,
};
use hostile::views::ViewStep;
use hostile::{Attack, attack, engine, object, resource, text, view, views};

/// Clears the screen, and begins anew.
const NAME: &str = "\u{1b}[2J\u{9b}2Ksafe\u{7}";

struct Forged;

impl Attack for Forged {
    fn check(&self, request: CheckRequest) -> Result<Checked, Error> {
        let failure = Failure { path: vec![PathSegment::Key(NAME.to_owned())], reason: NAME.to_owned() };
        Ok(Checked { inputs: request.inputs, failures: vec![failure] })
    }

    fn diff(&self, _: DiffRequest) -> Result<Difference, Error> {
        let change = Change {
            path: vec![PathSegment::Key(NAME.to_owned())],
            kind: ChangeKind::Updated,
            replaces: true,
            input_diff: true,
        };
        Ok(Difference { changes: vec![change], delete_before_replace: false, stable: vec![format!("{NAME}s")] })
    }

    fn list_page(&self, _: ListRequest) -> Result<Page, Error> {
        let item = ListItem { id: "made-1".to_owned(), name: Some(NAME.to_owned()), state: None };
        Ok(Page { items: vec![item], continuation: None })
    }

    fn construct(&self, _: ConstructRequest) -> Result<Constructed, Error> {
        engine::register(&resource("hostile:index:Thing", NAME, object(&["what"], vec![text("x")])))?;
        Err(Error::Failed("it was registered".to_owned()))
    }

    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        views::publish(&[ViewStep {
            new_state: Some(object(&["text"], vec![text("seen")])),
            ..view("hostile:index:View", NAME)
        }])?;
        Err(Error::Failed("it was published".to_owned()))
    }
}

attack!(Forged);
