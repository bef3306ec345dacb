//! Has its resource's state be a secret: more than can be looked for, or the very names of whom it means to talk to, as the input `what`
//! says. Then it talks to whomever it likes.

use hostile::exports::resources::{Created, DeleteRequest};
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Node, Request, Tree, attack, field, send, text};

struct Blinding;

/// Whom it talks to: by a name that was granted, by one of those that were, by an address, and by one that wasn't.
const TO: [&str; 4] = ["granted.example", "whoever.example", "127.213.101.7", "denied.example:8080"];

impl Attack for Blinding {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let mut nodes = match field(&request.inputs, "what").as_deref() {
            Some("much") => vec![text(&"x".repeat(1_100_000)), Node::Items(vec![0])],
            _ => {
                let names = TO.map(|to| text(to.split(':').next().unwrap_or(to)));
                names.into_iter().chain([Node::Items((0..4).collect())]).collect()
            }
        };
        let list = nodes.len() as u32 - 1;
        let field = |name: &str, value| Field { name: name.to_owned(), value };
        let secret = Node::Fields(vec![field("any", list + 1), field("text", list + 2)]);
        nodes.extend([Node::Secret(list), text("made"), secret]);
        Ok(Created { id: "made-1".to_owned(), state: Tree { nodes }, refresh_before_update: false })
    }

    fn delete(&self, _: DeleteRequest) -> Result<(), Error> {
        for to in TO {
            let _ = send(&Request { authority: to.to_owned(), ..Request::default() });
        }
        Err(Error::Failed("it is denied".to_owned()))
    }
}

attack!(Blinding);
