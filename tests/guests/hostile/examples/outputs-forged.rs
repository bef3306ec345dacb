//! Registers outputs for what isn't its own: for the stack, for somebody else's component, for a child that isn't a component, and a second time for itself.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, attack, component, engine, object, resource, text};

struct Forged;

impl Attack for Forged {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let nothing = || object(&[], Vec::new());
        let own = engine::register(&component(&request.token, &request.name, nothing()))?.wait()?.urn;
        let child = engine::register(&resource("hostile:index:Thing", "child", nothing()))?.wait()?.urn;
        let forged = object(&["text"], vec![text("forged")]);
        let stack = "urn:pulumi:dev::project::pulumi:pulumi:Stack::project-dev".to_owned();
        let other = "urn:pulumi:dev::project::a:b:C::victim".to_owned();
        let mut outcomes = Vec::new();
        for urn in [&stack, &other, &child, &own, &own] {
            outcomes.push(match engine::register_outputs(urn, &forged) {
                Ok(()) => "done".to_owned(),
                Err(error) => format!("{error:?}"),
            });
        }
        let said = object(&["text"], vec![text(&outcomes.join("\n"))]);
        Ok(Constructed { urn: own, state: said, state_dependencies: Vec::new() })
    }
}

attack!(Forged);
