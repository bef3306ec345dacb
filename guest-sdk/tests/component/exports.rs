//! What a component answers to its host, in the contract's own types.

use std::thread::LocalKey;

use bulkhead_sdk::bindings::composing::exports::bulkhead::provider::components::{
    CallRequest, ConstructRequest, Guest, PropertyDependencies,
};
use bulkhead_sdk::bindings::wit::types::Error;
use bulkhead_sdk::bindings::wit::values::{Field, Node, Output, Tree};
use bulkhead_sdk::export::{Component, Configured, Configures};
use bulkhead_sdk::provider::Provider;
use bulkhead_sdk::testing::{Driver, no_options};
use bulkhead_sdk::{Value, fields};

use crate::construct::{SITE, driver};
use crate::specimen::{PROVIDER, Settings};

/// What `provider!` makes of the specimen in Wasm.
struct Specimen;

thread_local! {
    static CONFIGURED: Configured<Settings> = const { Configured::new() };
}

impl Component for Specimen {
    type Config = Settings;

    fn provider() -> &'static Provider<Settings> {
        &PROVIDER
    }

    fn configured() -> &'static LocalKey<Configured<Settings>> {
        &CONFIGURED
    }
}

impl Configures for Specimen {}

fn object(members: Vec<(&str, Node)>) -> Tree {
    let (names, mut nodes): (Vec<&str>, Vec<Node>) = members.into_iter().unzip();
    let field = |(name, value): (&str, u32)| Field { name: name.to_owned(), value };
    nodes.push(Node::Fields(names.into_iter().zip(0..).map(field).collect()));
    Tree { nodes }
}

fn request(token: &str, inputs: Tree, dependencies: &[(&str, &str)]) -> ConstructRequest {
    let dependency =
        |(name, urn): &(&str, &str)| PropertyDependencies { name: (*name).to_owned(), urns: vec![(*urn).to_owned()] };
    ConstructRequest {
        token: token.to_owned(),
        name: "blog".to_owned(),
        inputs,
        input_dependencies: dependencies.iter().map(dependency).collect(),
        options: no_options(),
        preview: false,
    }
}

fn front(driver: &Driver<Settings>) -> Value {
    driver.asked_for("blog-front").unwrap().inputs["text"].clone()
}

/// COMP-06: engines that send no outputs name the dependencies beside the inputs.
#[test]
fn dependencies_beside_inputs_are_those_of_the_inputs() {
    let driver = driver(false);
    let inputs = object(vec![("text", Node::Text("hello".to_owned()))]);
    let constructed =
        <Specimen as Guest>::construct(request("web:index:Site", inputs, &[("text", "urn:a"), ("gone", "urn:b")]))
            .unwrap();
    assert_eq!(constructed.urn, SITE);
    let Value::Output(text) = front(&driver) else { panic!() };
    assert_eq!((text.dependencies, text.secret), (vec!["urn:a".to_owned()], false));
    let outputs = constructed.state.nodes.iter().filter(|node| matches!(node, Node::Output(_)));
    assert_eq!(outputs.count(), 2, "the address and the front page say what they depend on");
}

/// What an input says itself is more exact.
#[test]
fn outputs_say_themselves_what_they_depend_on() {
    let driver = driver(false);
    let output = Node::Output(Output { value: Some(0), secret: true, dependencies: vec!["urn:b".to_owned()] });
    let field = Field { name: "text".to_owned(), value: 1 };
    let inputs = Tree { nodes: vec![Node::Text("hello".to_owned()), output, Node::Fields(vec![field])] };
    <Specimen as Guest>::construct(request("web:index:Site", inputs, &[("text", "urn:a")])).unwrap();
    let Value::Output(text) = front(&driver) else { panic!() };
    assert_eq!((text.dependencies, text.secret), (vec!["urn:b".to_owned()], true));
}

/// COMP-14.
#[test]
fn tokens_that_arent_there_are_refused() {
    let _driver = driver(false);
    let refused = |error| matches!(error, Error::Unsupported(_));
    assert!(refused(<Specimen as Guest>::construct(request("web:index:Page", object(vec![]), &[])).unwrap_err()));
    let call = CallRequest {
        token: "web:index:where".to_owned(),
        arguments: object(vec![]),
        argument_dependencies: Vec::new(),
        preview: false,
    };
    assert!(refused(<Specimen as Guest>::call(call).unwrap_err()));
}

#[test]
fn a_call_on_nothing_is_rejected() {
    let _driver = driver(false);
    let call = CallRequest {
        token: "web:index:Site/link".to_owned(),
        arguments: object(vec![("path", Node::Text("/".to_owned()))]),
        argument_dependencies: Vec::new(),
        preview: false,
    };
    let Err(Error::Rejected(failures)) = <Specimen as Guest>::call(call) else { panic!() };
    assert_eq!(failures[0].reason, "must be the resource that the method is called on");
}

/// What a failed call left behind is nothing that the next one meets.
#[test]
fn a_call_that_failed_doesnt_harm_the_next() {
    let driver = driver(false);
    let error = driver.construct::<crate::specimen::Everything>("it", fields! { "what": "failing" });
    assert!(error.is_err());
    let inputs = object(vec![("text", Node::Text("hello".to_owned()))]);
    <Specimen as Guest>::construct(request("web:index:Site", inputs, &[])).unwrap();
}
