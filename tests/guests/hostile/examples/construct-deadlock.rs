//! Makes a component that waits for itself: for a child that can't be created before the component gives back a lock.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, component, engine, log, object, resource, session, text};

struct Deadlock;

impl Attack for Deadlock {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let guard = session::lock("lock");
        let own = component(&request.token, &request.name, request.inputs);
        let urn = engine::register(&own)?.wait()?.urn;
        let child = resource("hostile:index:Thing", "child", object(&["what"], vec![text("x")]));
        log::log(log::Level::Info, "held");
        engine::register(&child)?.wait()?;
        drop(guard);
        let state = object(&["text"], vec![text("constructed")]);
        Ok(Constructed { urn, state, state_dependencies: Vec::new() })
    }

    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        let _guard = session::lock("lock");
        let state = object(&["text"], vec![text("made")]);
        Ok(Created { id: "made-1".to_owned(), state, refresh_before_update: false })
    }
}

attack!(Deadlock);
