//! Returns 40 MB from a component whose children never come, so that the host keeps many of them at once.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, attack, component, engine, log, object, resource, text};

struct Kept;

impl Attack for Kept {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let inputs = || object(&["what"], vec![text("x")]);
        let urn = engine::register(&component(&request.token, &request.name, inputs()))?.wait()?.urn;
        let child = resource("hostile:index:Thing", &request.name, inputs());
        std::mem::forget(engine::register(&child)?);
        let state = object(&["text"], vec![text(&"x".repeat(40_000_000))]);
        log::log(log::Level::Info, "kept");
        Ok(Constructed { urn, state, state_dependencies: Vec::new() })
    }
}

attack!(Kept);
