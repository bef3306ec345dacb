//! Registers resources that never come, forgets about them and returns; and uses the engine where it may not.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, component, engine, object, resource, text};

struct Leftovers;

fn inputs() -> Tree {
    object(&["what"], vec![text("x")])
}

fn registration(name: &str) -> engine::Registration {
    resource("hostile:index:Thing", name, inputs())
}

impl Attack for Leftovers {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let own = component(&request.token, &request.name, inputs());
        let urn = engine::register(&own)?.wait()?.urn;
        for number in 0..100 {
            std::mem::forget(engine::register(&registration(&format!("hanging-{number}")))?);
        }
        Ok(Constructed { urn, state: object(&["text"], vec![text("constructed")]), state_dependencies: Vec::new() })
    }

    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        engine::register(&registration("outside"))?;
        Ok(object(&["text"], vec![text("registered")]))
    }
}

attack!(Leftovers);
