//! Registers providers of its own package without end, each of which an engine runs.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, attack, engine, object, resource, text};

struct Endless;

impl Attack for Endless {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        for number in 0_u64.. {
            let name = format!("{}-{number}", request.name);
            let registration = resource("pulumi:providers:hostile", &name, object(&["key"], vec![text("well")]));
            engine::register(&registration)?.wait()?;
        }
        Err(Error::Cancelled)
    }
}

attack!(Endless);
