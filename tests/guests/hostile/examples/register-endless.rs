//! Registers resources without end, and waits for none.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, attack, engine, no_options, object, text};

struct Endless;

impl Attack for Endless {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let mut pending = Vec::new();
        for number in 0_u64.. {
            let registration = engine::Registration {
                token: "hostile:index:Thing".to_owned(),
                name: format!("{}-{number}", request.name),
                custom: true,
                remote: false,
                inputs: object(&["what"], vec![text("x")]),
                options: no_options(),
            };
            pending.push(engine::register(&registration)?);
        }
        Err(Error::Cancelled)
    }
}

attack!(Endless);
