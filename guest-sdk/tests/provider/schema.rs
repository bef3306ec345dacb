//! What a provider says about itself: the package schema and the manifest.

use crate::specimen::PROVIDER;
use bulkhead_schema::Package;
use bulkhead_sdk::provider::{Metadata, Provider};
use bulkhead_sdk::{Inputs, Object, Resource, Result, State};

fn pretty(json: &str) -> String {
    let parsed: serde_json::Value = serde_json::from_str(json).unwrap();
    serde_json::to_string_pretty(&parsed).unwrap()
}

#[test]
fn schema() {
    insta::assert_snapshot!("schema", pretty(&PROVIDER.schema().unwrap()));
}

#[test]
fn manifest() {
    insta::assert_snapshot!("manifest", pretty(&PROVIDER.manifest()));
}

#[test]
fn text_is_always_the_same() {
    assert_eq!(PROVIDER.schema().unwrap(), PROVIDER.schema().unwrap());
    assert_eq!(PROVIDER.manifest(), PROVIDER.manifest());
}

/// The host parses by the metaschema, and refuses members of `language.bulkhead` that it doesn't know.
#[test]
fn host_understands_the_schema() {
    let package = Package::parse(PROVIDER.schema().unwrap().as_bytes()).unwrap();
    let record = package.resource("dns:zones/record:Record").unwrap();
    let input = |name: &str| record.inputs.properties.get(name).unwrap();
    assert!(input("kind").replaces);
    assert!(input("proof").secret);
    assert!(input("name").facts.autoname.is_some());
    assert!(input("weight").facts.not_echoed);
    assert!(input("tags").facts.empty_is_absent);
    assert!(input("tags").facts.coerces);
    assert!(input("ttl").facts.output_default.is_some());
    assert!(record.outputs.properties["created"].facts.stable);
    assert_eq!(record.inputs.required.iter().collect::<Vec<_>>(), ["values"]);
    assert!(record.outputs.required.contains("ttl"));
    assert!(!record.outputs.required.contains("comment"));
    assert_eq!(record.state_inputs.as_ref().unwrap().properties.keys().collect::<Vec<_>>(), ["zone"]);
    assert_eq!(package.resource("dns:zones/zone:Zone").unwrap().state_inputs, None);
    assert_eq!(package.function("dns:zones/lookup:lookup").unwrap().positional, ["name", "zone"]);
    assert_eq!(package.function("dns:zones/count:count").unwrap().positional, [""; 0]);
}

#[derive(Object)]
#[bulkhead(rename = "Rule")]
struct InboundRule {
    port: u16,
}

#[derive(Object)]
#[bulkhead(rename = "Rule")]
struct OutboundRule {
    host: String,
}

#[derive(Inputs)]
struct Rules {
    inbound: InboundRule,
    outbound: OutboundRule,
}

#[derive(State)]
struct Wall {}

#[bulkhead_sdk::resource(token = "wall:index:Wall")]
impl Resource for Wall {
    type Inputs = Rules;

    fn create(_: bulkhead_sdk::Create<Self>) -> Result<bulkhead_sdk::Created<Self>> {
        Ok(bulkhead_sdk::Created::new("wall", Wall {}))
    }
}

#[test]
fn two_types_of_one_name_are_told() {
    static WALL: Provider<()> = Provider {
        metadata: Metadata::new("wall", "1.0.0"),
        resources: &[bulkhead_sdk::resource::Entry::of::<Wall>()],
        components: &[],
        methods: &[],
        functions: &[],
        lists: &[],
        mappings: None,
        parameter: None,
        permissions: &[],
        configuration_overrides: &[],
    };
    insta::assert_snapshot!(WALL.schema().unwrap_err(), @"`provider::schema::InboundRule` and `provider::schema::OutboundRule` are both called `Rule` in the schema: rename one");
}
