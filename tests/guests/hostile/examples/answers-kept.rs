//! Asks its engine thirty times for a resource with a state of 10 MB, and waits for none of the answers until all are there, so that
//! the host keeps them.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, attack, component, engine, object, text};

struct Kept;

impl Attack for Kept {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let own = component(&request.token, &request.name, object(&["what"], vec![text("x")]));
        let urn = engine::register(&own)?.wait()?.urn;
        engine::register_outputs(&urn, &object(&["text"], vec![text(&"x".repeat(10_000_000))]))?;
        let answers = (0..30).map(|_| engine::hydrate(&urn)).collect::<Result<Vec<_>, _>>()?;
        // Whoever is behind this one is there by then.
        for answer in answers.iter().rev() {
            answer.wait()?;
        }
        Ok(Constructed { urn, state: object(&["text"], vec![text("all came")]), state_dependencies: Vec::new() })
    }
}

attack!(Kept);
