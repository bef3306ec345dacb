//! Makes a component that is its own parent, depends on itself, or is made of itself for ever, as the input `what` says.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, attack, component, engine, field, no_options, object, text};

struct Cycle;

impl Attack for Cycle {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let what = field(&request.inputs, "what").unwrap_or_default();
        let registration = || component(&request.token, &request.name, request.inputs.clone());
        let own = format!("urn:pulumi:dev::project::{}::{}", request.token, request.name);
        let mut options = no_options();
        match what.as_str() {
            "parent" => options.parent = Some(own.clone()),
            "dependency" => options.depends_on = vec![own.clone()],
            "deleted" => options.deleted_with = Some(own.clone()),
            _ => {}
        }
        let registered = engine::register(&engine::Registration { options, ..registration() })?.wait()?.urn;
        if what == "itself" {
            engine::register(&engine::Registration { remote: true, ..registration() })?.wait()?;
        }
        let state = object(&["text"], vec![text("constructed")]);
        Ok(Constructed { urn: registered, state, state_dependencies: Vec::new() })
    }
}

attack!(Cycle);
