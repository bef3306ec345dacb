//! Registers resources and a component, and names aliases of them, by types that have another package's after a `$`, which is the type that
//! engines read.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::options::{Alias, AliasParts};
use hostile::types::Error;
use hostile::{Attack, attack, component, engine, object, resource, text};

/// A type of another package's.
const FORGED: &str = "hostile:index:Group$notes:index:Page";

struct Forged;

impl Attack for Forged {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let nothing = || object(&[], Vec::new());
        let urn = engine::register(&component(&request.token, &request.name, nothing()))?.wait()?.urn;
        let parts = |token: Option<&str>, project: Option<&str>, parent: Option<&str>| {
            let [token, project, parent] = [token, project, parent].map(|part| part.map(str::to_owned));
            Alias::Parts(AliasParts { name: Some("page".to_owned()), token, stack: None, project, parent })
        };
        let aliased = |alias| {
            let mut taker = resource("hostile:index:Thing", "taker", nothing());
            taker.options.aliases.push(alias);
            taker
        };
        let whole = format!("urn:pulumi:dev::project::{FORGED}::page");
        let forged = [
            resource(FORGED, "page", nothing()),
            component(FORGED, "page", nothing()),
            aliased(parts(Some(FORGED), None, None)),
            aliased(Alias::Urn(whole)),
            // Of a plain component, which is called by the rest of the URN.
            aliased(parts(None, Some("project::plain"), Some(""))),
            aliased(parts(None, None, Some("urn:pulumi:dev::project::plain::a::b"))),
        ];
        let outcomes = forged.map(|forged| match engine::register(&forged).and_then(|made| made.wait()) {
            Ok(_) => "done".to_owned(),
            Err(error) => format!("{error:?}"),
        });
        let said = object(&["text"], vec![text(&outcomes.join("\n"))]);
        Ok(Constructed { urn, state: said, state_dependencies: Vec::new() })
    }
}

attack!(Forged);
