//! What a component answers to its host, in the contract's own types.

use std::thread::LocalKey;

use bulkhead_sdk::bindings::checking::exports::bulkhead::provider::check;
use bulkhead_sdk::bindings::configured::exports::bulkhead::provider::config;
use bulkhead_sdk::bindings::described::exports::bulkhead::provider::schema;
use bulkhead_sdk::bindings::functional::exports::bulkhead::provider::functions;
use bulkhead_sdk::bindings::resourceful::exports::bulkhead::provider::resources;
use bulkhead_sdk::bindings::upgrading::exports::bulkhead::provider::upgrade;
use bulkhead_sdk::bindings::wit::types::{CheckRequest, Context, CreateRequest, Error, PathSegment, Prior, Subpackage};
use bulkhead_sdk::bindings::wit::values::{Field, Node, Tree};
use bulkhead_sdk::export::{Component, Configured, Configures};
use bulkhead_sdk::provider::Provider;

use crate::specimen::{PROVIDER, RECORDS, Settings};

const RECORD: &str = "dns:zones/record:Record";

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

fn context(token: &str) -> Context {
    Context { token: token.to_owned(), name: None, urn: None, timeout: Some(1.5) }
}

/// An object of plain members.
fn object<const N: usize>(members: [(&str, Node); N]) -> Tree {
    let (names, mut nodes): (Vec<&str>, Vec<Node>) = members.into_iter().unzip();
    let field = |(name, value): (&str, u32)| Field { name: name.to_owned(), value };
    nodes.push(Node::Fields(names.into_iter().zip(0..).map(field).collect()));
    Tree { nodes }
}

fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

/// An object with the list that records require.
fn record(value: &str) -> Tree {
    let field = |name: &str, value| Field { name: name.to_owned(), value };
    let fields = vec![field("name", 0), field("values", 2)];
    Tree { nodes: vec![text("www"), text(value), Node::Items(vec![1]), Node::Fields(fields)] }
}

fn configure(endpoint: Node) {
    let request = config::ConfigureRequest { inputs: object([("endpoint", endpoint)]), replay: false };
    <Specimen as config::Guest>::configure(request).unwrap();
}

fn create(token: &str, inputs: Tree) -> Result<resources::Created, Error> {
    <Specimen as resources::Guest>::create(CreateRequest { context: context(token), inputs })
}

fn invoke(token: &str, arguments: Tree) -> Result<Tree, Error> {
    let request = functions::InvokeRequest { token: token.to_owned(), arguments, preview: true };
    <Specimen as functions::Guest>::invoke(request)
}

#[test]
fn a_resource_is_created_by_its_token() {
    configure(text("dns.example"));
    let created = create(RECORD, record("10.0.0.1")).unwrap();
    assert_eq!(created.id, "dns.example/www");
    assert!(matches!(created.state.nodes.last(), Some(Node::Fields(fields)) if fields.len() == 6));
    let error = create("dns:zones/other:Other", object([])).unwrap_err();
    assert!(
        matches!(error, Error::Unsupported(reason) if reason == "the provider has no resource `dns:zones/other:Other`")
    );
}

#[test]
fn what_is_wrong_with_inputs_is_said_with_its_place() {
    configure(text("dns.example"));
    let Err(Error::Rejected(failures)) = create(RECORD, object([("values", Node::Null), ("name", text("www"))])) else {
        panic!()
    };
    assert!(matches!(&failures[..], [failure] if failure.reason == "must be a list, not null"));
    assert!(matches!(&failures[0].path[..], [PathSegment::Field(name)] if name == "values"));
}

#[test]
fn a_tree_that_breaks_the_contract_is_a_bug() {
    configure(text("dns.example"));
    assert!(matches!(create(RECORD, Tree { nodes: Vec::new() }), Err(Error::Bug(_))));
}

/// A preview may not know the configuration. That fails whoever needs it and nobody else.
#[test]
fn functions_that_need_no_configuration_work_without() {
    configure(Node::Unknown);
    RECORDS.take();
    assert!(invoke("dns:zones/count:count", object([])).is_ok());
    let error = invoke("dns:zones/lookup:lookup", object([("name", text("www"))])).unwrap_err();
    let Error::Failed(reason) = error else { panic!("{error:?}") };
    assert_eq!(reason, "the configuration can't be used yet: `endpoint` isn't known yet");
}

#[test]
fn methods_that_arent_written_are_refused() {
    configure(text("dns.example"));
    let prior = Prior { id: "zone".to_owned(), state: object([]), inputs: None, views: Vec::new() };
    let request = resources::DeleteRequest { context: context("dns:zones/zone:Zone"), prior };
    let error = <Specimen as resources::Guest>::delete(request).unwrap_err();
    assert!(matches!(error, Error::Unsupported(reason) if reason == "the resource has no `delete`"));
}

#[test]
fn deleting_needs_no_state_that_fits() {
    configure(text("dns.example"));
    let prior = Prior { id: "dns.example/www".to_owned(), state: object([]), inputs: None, views: Vec::new() };
    let request = resources::DeleteRequest { context: context(RECORD), prior };
    <Specimen as resources::Guest>::delete(request).unwrap();
}

#[test]
fn overrides_answer_unconfigured() {
    let request = CheckRequest {
        context: context(RECORD),
        prior_inputs: None,
        prior_state: None,
        inputs: record(""),
        seed: Some(vec![0; 32]),
        autonaming: None,
    };
    let checked = <Specimen as check::Guest>::check(request).unwrap();
    assert_eq!(checked.failures[0].reason, "must not hold an empty string");

    let state = object([("value", text("10.0.0.1"))]);
    let request = upgrade::UpgradeRequest { token: RECORD.to_owned(), from_version: 1, state, inputs: None };
    let upgraded = <Specimen as upgrade::Guest>::upgrade(request).unwrap();
    assert!(matches!(&upgraded.state.nodes[..], [Node::Text(_), Node::Items(_), Node::Fields(_)]));
}

#[test]
fn the_schema_is_that_of_the_provider_and_of_no_other() {
    let schema = <Specimen as schema::Guest>::package_schema(None).unwrap();
    assert_eq!(schema, PROVIDER.schema().unwrap());
    assert_eq!(<Specimen as schema::Guest>::manifest(), PROVIDER.manifest());
    let subpackage = Subpackage { name: "other".to_owned(), version: "1.0.0".to_owned() };
    assert!(matches!(<Specimen as schema::Guest>::package_schema(Some(subpackage)), Err(Error::Unsupported(_))));
}
