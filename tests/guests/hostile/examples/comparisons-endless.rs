//! Has its host compare as many values as `what` says with a schema that makes much work of each: in a page of a list, in views of one call, in components that it registers.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::exports::lists::{ListItem, ListRequest, Page};
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::views::ViewStep;
use hostile::{Attack, Field, Node, Tree, attack, component, engine, field, object, view, views};

struct Endless;

/// `{p: [{k: 1}, …]}`
fn heavy() -> Tree {
    const MANY: u32 = 40;
    let mut nodes = Vec::new();
    for number in 0..MANY {
        nodes.push(Node::Number(1.0));
        nodes.push(Node::Fields(vec![Field { name: "k".to_owned(), value: number * 2 }]));
    }
    nodes.push(Node::Items((0..MANY).map(|number| number * 2 + 1).collect()));
    nodes.push(Node::Fields(vec![Field { name: "p".to_owned(), value: MANY * 2 }]));
    Tree { nodes }
}

fn many(tree: &Tree) -> u32 {
    field(tree, "what").and_then(|what| what.parse().ok()).unwrap_or(0)
}

impl Attack for Endless {
    fn list_page(&self, request: ListRequest) -> Result<Page, Error> {
        let item = |number| ListItem { id: format!("made-{number}"), name: None, state: Some(heavy()) };
        Ok(Page { items: (0..many(&request.query)).map(item).collect(), continuation: None })
    }

    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let step = |number: u32| ViewStep {
            new_state: Some(heavy()),
            ..view("hostile:index:Thing", &format!("view{number}"))
        };
        views::publish(&(0..many(&request.inputs)).map(step).collect::<Vec<_>>())?;
        Ok(Created { id: "made-1".to_owned(), state: object(&[], Vec::new()), refresh_before_update: false })
    }

    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let group = |number| component("hostile:index:Group", &format!("group{number}"), heavy());
        let begun: Result<Vec<_>, Error> =
            (0..many(&request.inputs)).map(|number| engine::register(&group(number))).collect();
        for pending in begun? {
            pending.wait()?;
        }
        Err(Error::Failed("all of them were compared".to_owned()))
    }
}

attack!(Endless);
