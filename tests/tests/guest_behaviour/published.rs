//! What engines are told of where plugins are to be had: SDKs have it from the schema, and engines fetch and run what is there. So a
//! schema says it only where an operator granted it, by the process that engines start.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use bulkhead::component::embed;
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::Serving;
use bulkhead_tests::{Plugin, Stdin, hide_settings, run, temporary_directory};
use serde_json::{Value as Json, json};

use crate::{bulkhead, guest};

const PLACE: &str = "https://plugins.example.com";

/// A bundle of a component with this schema, which asks to name its own plugin's address.
fn bundle(directory: &Path, schema: &Json) {
    let requests = json!({"packages": [{"package": "liar", "from": PLACE, "reason": "is had from there"}]});
    let manifest = json!({"manifestVersion": 1, "contract": "0.1.0", "permissions": requests}).to_string();
    guest("liar").bundle(&bulkhead(), directory);
    let component = fs::read(guest("liar").component).unwrap();
    let component = embed(&component, schema.to_string().as_bytes(), manifest.as_bytes()).unwrap();
    // The bundle's own may be a link to what all tests share.
    fs::remove_file(directory.join("liar.wasm")).unwrap();
    fs::write(directory.join("liar.wasm"), component).unwrap();
    fs::write(directory.join("Pulumi.yaml"), "name: published\nruntime: yaml\n").unwrap();
}

async fn told(directory: &Path) -> Json {
    let plugin = Plugin::start_in(directory, &directory.join("pulumi-resource-liar"), Stdin::Pipe);
    let serving = Serving::by(&plugin).await;
    let schema = serving.client.clone().get_schema(pb::GetSchemaRequest::default()).await.unwrap();
    serde_json::from_str(&schema.into_inner().schema).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schema_names_no_address_of_a_plugin_that_nobody_granted() {
    let directory = temporary_directory();
    let path = directory.path();
    let plain = json!({"name": "liar", "version": "1.0.0", "resources": {"liar:index:Lie": {}}});
    let mut schema = plain.clone();
    schema["pluginDownloadURL"] = PLACE.into();
    schema["dependencies"] = json!([{"name": "command", "version": "1.0.0", "pluginDownloadURL": PLACE}]);
    bundle(path, &schema);
    let mut without = plain;
    without["dependencies"] = json!([{"name": "command", "version": "1.0.0"}]);
    assert_eq!(told(path).await, without, "SDKs would have their engines fetch what a component says");
    run(bulkhead().command(["grant", "liar.wasm", "--yes"]).current_dir(path)).succeeded();
    without["pluginDownloadURL"] = PLACE.into();
    assert_eq!(told(path).await, without, "what is granted is its own plugin's");
}

#[test]
fn a_component_that_says_that_another_plugin_makes_it_is_not_served() {
    let directory = temporary_directory();
    let path = directory.path();
    for member in ["parameterization", "extensionParameterization"] {
        let base = json!({"name": "command", "version": "1.0.0"});
        let made = json!({"baseProvider": base, "parameter": "aGk="});
        bundle(path, &json!({"name": "liar", "version": "1.0.0", "resources": {"liar:index:Lie": {}}, member: made}));
        let cache = path.join("cache");
        let mut command = Command::new(path.join("pulumi-resource-liar"));
        command.env("BULKHEAD_CACHE_DIR", cache).current_dir(path).stdin(Stdio::null());
        let refused = run(hide_settings(&mut command)).failed();
        let reason = "the component doesn't do what it says: the schema says that `command` and a parameter make the package, and \
                      not the component by itself\nhint: rebuild the provider";
        assert!(refused.stderr.contains(reason), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_parameter_makes_names_no_address_either() {
    use pb::parameterize_request::{Parameters, ParametersArgs};

    let serving = Serving::start(&guest("parameters"), <_>::default()).await;
    let args = ["extend", "hello", "1.0.0", "hi", "address"].map(str::to_owned).to_vec();
    let request = pb::ParameterizeRequest { parameters: Some(Parameters::Args(ParametersArgs { args })) };
    serving.client.clone().parameterize(request).await.unwrap();
    let request = pb::GetSchemaRequest { subpackage_name: "hello".to_owned(), ..<_>::default() };
    let schema = serving.client.clone().get_schema(request).await.unwrap().into_inner().schema;
    assert!(schema.contains("extensionParameterization") && !schema.contains("example.com"), "{schema}");
}
