//! Returns, logs and announces texts that aren't UTF-8, as the input `what` says.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error, Partial};
use hostile::{Attack, Node, attack, field, latin, log, object, operation, text};

struct Latin;

impl Attack for Latin {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let good = object(&["text"], vec![text("made")]);
        let mut created = Created { id: "made-1".to_owned(), state: good.clone(), refresh_before_update: false };
        match field(&request.inputs, "what").as_deref() {
            Some("state") => created.state = object(&["text"], vec![Node::Text(latin())]),
            Some("reason") => return Err(Error::NotInitialised(unready(created))),
            Some("id") => created.id = latin(),
            Some("error") => return Err(Error::Failed(latin())),
            Some("log") => log::log(log::Level::Info, &latin()),
            Some("checkpoint") => operation::checkpoint(&latin(), &good)?,
            _ => {}
        }
        Ok(created)
    }
}

fn unready(Created { id, state, refresh_before_update }: Created) -> Partial {
    Partial { id, state, inputs: None, reasons: vec![latin()], refresh_before_update }
}

attack!(Latin);
