//! Tells its engine of other plugins than its own: in the configuration that it checks, and in the inputs of providers that it registers, one of which it also configures as it likes.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::types::{CheckConfigRequest, Checked, Error};
use hostile::{Attack, Field, Node, Tree, attack, component, engine, field, fields, object, resource, text};

/// Where plugins of its own are to be had.
const PLACE: &str = "https://plugins.example.com";

struct Forged;

/// What engines write down of a plugin themselves.
fn internal() -> Vec<Node> {
    vec![text("command"), fields(&["name"])]
}

fn outcome(of: Result<engine::Registered, Error>) -> String {
    match of {
        Ok(_) => "done".to_owned(),
        Err(Error::Other(reason) | Error::Bug(reason)) => reason,
        Err(error) => format!("{error:?}"),
    }
}

impl Attack for Forged {
    fn check_config(&self, _request: CheckConfigRequest) -> Result<Checked, Error> {
        let names =
            ["envVarMappings", "key", "name", "parameterization", "pluginChecksums", "pluginDownloadURL", "version"];
        let said = ["{}", "well", "command", "cA==", "00", PLACE, "99.0.0"];
        let inputs = object(&names, said.map(text).to_vec());
        Ok(Checked { inputs, failures: Vec::new() })
    }

    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let registered = |registration| engine::register(&registration)?.wait();
        let urn = registered(component(&request.token, &request.name, object(&[], Vec::new())))?.urn;
        let own = |inputs: Tree| outcome(registered(resource("pulumi:providers:hostile", "own", inputs)));
        let said = |name: &str, value: &str| object(&[name], vec![text(value)]);
        let hidden = Tree {
            nodes: vec![
                text("command"),
                Node::Secret(0),
                Node::Fields(vec![Field { name: "name".to_owned(), value: 1 }]),
            ],
        };
        let within = |name: &str, mut nodes: Vec<Node>| {
            nodes.push(Node::Fields(vec![Field { name: name.to_owned(), value: 1 }]));
            Tree { nodes }
        };
        let mapped = vec![text("GRANTED"), fields(&["PULUMI_CONFIG_PASSPHRASE"])];
        let forged = [
            object(&[], Vec::new()),
            said("version", "1.2.3"),
            within("__internal", internal()),
            said("parameterization", "cA=="),
            said("pluginChecksums", "00"),
            said("pluginDownloadURL", PLACE),
            said("version", "99.0.0"),
            said("name", "command"),
            hidden,
            said("key", "elsewhere.example.com"),
            within("envVarMappings", mapped),
        ];
        // Engines end over two of a name, so there may be one.
        let only = field(&request.inputs, "what").and_then(|what| what.parse::<usize>().ok());
        if let Some(only) = only {
            return Err(Error::Failed(forged.into_iter().nth(only).map(own).unwrap_or_default()));
        }
        let outcomes = forged.map(own);
        let state = object(&["text"], vec![text(&outcomes.join("\n"))]);
        Ok(Constructed { urn, state, state_dependencies: Vec::new() })
    }
}

attack!(Forged);
