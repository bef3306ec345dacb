//! Returns 40 MB from a component whose children never come, so that the host keeps many of them at once.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, attack, engine, log, no_options, object, text};

struct Kept;

impl Attack for Kept {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let own = engine::Registration {
            token: request.token,
            name: request.name,
            custom: false,
            remote: false,
            inputs: object(&["what"], vec![text("x")]),
            options: no_options(),
        };
        let urn = engine::register(&own)?.wait()?.urn;
        let child = engine::Registration { token: "hostile:index:Thing".to_owned(), custom: true, ..own };
        std::mem::forget(engine::register(&child)?);
        let state = object(&["text"], vec![text(&"x".repeat(40_000_000))]);
        log::log(log::Level::Info, "kept");
        Ok(Constructed { urn, state, state_dependencies: Vec::new() })
    }
}

attack!(Kept);
