//! Registers resources without end, and waits for none.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, attack, engine, object, resource, text};

struct Endless;

impl Attack for Endless {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let mut pending = Vec::new();
        for number in 0_u64.. {
            let name = format!("{}-{number}", request.name);
            let registration = resource("hostile:index:Thing", &name, object(&["what"], vec![text("x")]));
            pending.push(engine::register(&registration)?);
        }
        Err(Error::Cancelled)
    }
}

attack!(Endless);
