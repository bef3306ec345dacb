//! Registers outputs for what isn't its own: for the stack, for somebody else's component, for a child that isn't a component, and a second time for itself.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::Error;
use hostile::{Attack, attack, engine, no_options, object, text};

struct Forged;

impl Attack for Forged {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let registration = |token: &str, name: &str, custom| engine::Registration {
            token: token.to_owned(),
            name: name.to_owned(),
            custom,
            remote: false,
            inputs: object(&[], Vec::new()),
            options: no_options(),
        };
        let own = engine::register(&registration(&request.token, &request.name, false))?.wait()?.urn;
        let child = engine::register(&registration("hostile:index:Thing", "child", true))?.wait()?.urn;
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
