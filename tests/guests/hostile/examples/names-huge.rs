//! Has its engine look for something by names of 2 MB: of a function, a version, an address, a provider, a resource, and by what an input
//! says that engines read a name in.

use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::options::{Alias, ResourceOptions};
use hostile::types::Error;
use hostile::{Attack, Field, Node, Tree, attack, component, engine, no_options, object, resource, text};

struct Huge;

const FUNCTION: &str = "hostile:index:f";

fn outcome<T>(of: Result<T, Error>) -> String {
    match of {
        Ok(_) => "done".to_owned(),
        Err(Error::Bug(reason)) => reason,
        Err(Error::Other(reason)) => format!("other: {}", &reason[..reason.len().min(200)]),
        Err(error) => format!("{error:?}").chars().take(200).collect(),
    }
}

impl Attack for Huge {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let empty = || object(&[], Vec::new());
        let urn = engine::register(&component(&request.token, &request.name, empty()))?.wait()?.urn;
        let huge = "x".repeat(2_000_000);
        let provider = format!("urn:pulumi:dev::p::pulumi:providers:{huge}::default::1");
        let recorded = format!("urn:pulumi:dev::p::{huge}:local:Command::deploy");
        let invoke = |token: &str, options: ResourceOptions| {
            outcome(engine::invoke(token, &empty(), &options).and_then(|invoked| invoked.wait()))
        };
        let register = |token: &str, inputs: Tree, options: ResourceOptions| {
            let registration = engine::Registration { options, ..resource(token, "child", inputs) };
            outcome(engine::register(&registration).and_then(|made| made.wait()))
        };
        let own = |options| register("hostile:index:Thing", empty(), options);
        let configured =
            |key: &str| register("pulumi:providers:hostile", object(&[key], vec![text(&huge)]), no_options());
        let itself = Tree {
            nodes: vec![
                text(&recorded),
                Node::Fields(vec![Field { name: "urn".to_owned(), value: 0 }]),
                Node::Fields(vec![Field { name: "__self__".to_owned(), value: 1 }]),
            ],
        };
        let outcomes = [
            invoke(&format!("{huge}:index:f"), no_options()),
            invoke(&format!("hostile:index:{huge}"), no_options()),
            invoke(FUNCTION, ResourceOptions { version: Some(huge.clone()), ..no_options() }),
            invoke(FUNCTION, ResourceOptions { plugin_download_url: Some(huge.clone()), ..no_options() }),
            invoke(FUNCTION, ResourceOptions { provider: Some(provider.clone()), ..no_options() }),
            outcome(engine::hydrate(&recorded).and_then(|found| found.wait())),
            outcome(engine::call("hostile:index:Group/tell", &itself, &no_options()).and_then(|called| called.wait())),
            outcome(engine::register_outputs(&recorded, &empty())),
            own(ResourceOptions { provider: Some(provider.clone()), ..no_options() }),
            own(ResourceOptions { deleted_with: Some(recorded.clone()), ..no_options() }),
            own(ResourceOptions { aliases: vec![Alias::Urn(recorded.clone())], ..no_options() }),
            configured("name"),
            configured("version"),
            configured("pluginDownloadURL"),
        ];
        let said = object(&["text"], vec![text(&outcomes.join("\n"))]);
        Ok(Constructed { urn, state: said, state_dependencies: Vec::new() })
    }
}

attack!(Huge);
