//! Has its engine asked for what ends it, or for what it records and can't read again: functions, methods and resources by tokens without a
//! module, methods of what is no resource, providers that aren't created, and children that depend on, go with or are replaced with what
//! isn't there.

use hostile::bindings::bulkhead::provider::engine::Registration;
use hostile::bindings::bulkhead::provider::values::{Output, Reference};
use hostile::exports::components::{ConstructRequest, Constructed};
use hostile::options::ResourceOptions;
use hostile::types::Error;
use hostile::{Attack, Field, Node, Tree, attack, component, engine, no_options, object, resource, text};

const THING: &str = "hostile:index:Thing";
const METHOD: &str = "hostile:index:Group/m";
const PROVIDER: &str = "pulumi:providers:hostile";
const ABSENT: &str = "urn:pulumi:dev::project::hostile:index:Thing::absent";

struct Ending;

fn nothing() -> Tree {
    object(&[], Vec::new())
}

/// Whose only member is the last of some nodes.
fn holding(name: &str, mut nodes: Vec<Node>) -> Tree {
    let value = u32::try_from(nodes.len() - 1).unwrap();
    nodes.push(Node::Fields(vec![Field { name: name.to_owned(), value }]));
    Tree { nodes }
}

fn child(options: ResourceOptions) -> Registration {
    Registration { options, ..resource(THING, "child", nothing()) }
}

fn said<T>(outcome: Result<T, Error>) -> String {
    match outcome {
        Ok(_) => "done".to_owned(),
        Err(Error::Bug(reason) | Error::Other(reason)) => reason.replace('\n', " "),
        Err(error) => format!("{error:?}"),
    }
}

impl Attack for Ending {
    fn construct(&self, request: ConstructRequest) -> Result<Constructed, Error> {
        let urn = engine::register(&component(&request.token, &request.name, nothing()))?.wait()?.urn;
        let asked = |function: bool, token: &str, arguments: &Tree| {
            let asked = if function { engine::invoke } else { engine::call };
            said(asked(token, arguments, &no_options()).and_then(|asked| asked.wait()))
        };
        let registered =
            |registration: &Registration| said(engine::register(registration).and_then(|made| made.wait()));
        let mut outcomes = vec![
            asked(true, "hostile", &nothing()),
            asked(true, "hostile:x", &nothing()),
            asked(false, "hostile::x", &nothing()),
            asked(false, METHOD, &holding("__self__", vec![text("hostile")])),
            asked(false, METHOD, &holding("__self__", vec![nothing().nodes.remove(0)])),
            asked(false, METHOD, &holding("__self__", vec![Node::Unknown])),
        ];
        let short = resource("hostile:x", "short", nothing());
        let mut imported = resource(PROVIDER, "imported", nothing());
        imported.options.import_id = Some("1".to_owned());
        let remote = Registration { remote: true, ..resource(PROVIDER, "remote", nothing()) };
        outcomes.extend([&short, &component(PROVIDER, "plain", nothing()), &remote, &imported].map(registered));
        let read = engine::read(&resource(PROVIDER, "read", nothing()), "1");
        outcomes.push(said(read.and_then(|read| read.wait())));
        let absent = || vec![ABSENT.to_owned()];
        let output = Output { value: Some(0), secret: false, dependencies: absent() };
        let reference = Reference { urn: ABSENT.to_owned(), id: None, package_version: String::new() };
        let with = |inputs| Registration { inputs, ..child(no_options()) };
        let resting = [
            child(ResourceOptions { depends_on: absent(), ..no_options() }),
            child(ResourceOptions { depends_on: vec!["garbage".to_owned()], ..no_options() }),
            child(ResourceOptions { replace_with: absent(), ..no_options() }),
            child(ResourceOptions { deleted_with: Some(ABSENT.to_owned()), ..no_options() }),
            with(holding("text", vec![text("x"), Node::Output(output)])),
            with(holding("text", vec![Node::Reference(reference)])),
            child(ResourceOptions { depends_on: vec![urn.clone()], replace_with: vec![urn.clone()], ..no_options() }),
        ];
        outcomes.extend(resting.iter().map(registered));
        let state = object(&["text"], vec![text(&outcomes.join("\n"))]);
        Ok(Constructed { urn, state, state_dependencies: Vec::new() })
    }
}

attack!(Ending);
