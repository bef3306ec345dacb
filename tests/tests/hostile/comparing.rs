//! Guests that have their host compare values without end, by a schema of their own that makes much work of each.

use std::time::Duration;

use bulkhead::component::{Limits, embed};
use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::construction;
use bulkhead_tests::engine::{Engine, TOKEN};
use bulkhead_tests::monitor::Monitor;
use bulkhead_tests::serving::{Serving, creation, load};
use serde_json::json;
use tonic::Code;

use crate::calls::listed;
use crate::engines::GROUP;
use crate::{BUG, LATE, MADE, MANIFEST, REPORT, SCHEMA, THING, aside, seen, undisturbed, well, what};

/// Each of the guest's values takes a good tenth of the steps that a comparison may.
#[tokio::test]
async fn values_without_end_are_compared_no_longer_than_one_that_is_large() {
    undisturbed(async {
        let serving = heavy().await;
        let bug = |doing: &str, who: &str| {
            let why = "to be compared with the types that the schema allows";
            (Code::Aborted, format!("{doing}: {who} {why}{BUG}{REPORT}"))
        };
        let told = |status: tonic::Status| (status.code(), status.message().to_owned());

        let status = listed(&serving, "20").await.unwrap_err();
        assert_eq!(told(status), bug("list the resources", "the provider listed a page with too much in its states"));

        let engine = Engine::start(&[]).await;
        let status = serving.create_as(viewed(&engine, "20")).await.unwrap_err();
        let who = "the provider published views at once with too much in their states";
        assert_eq!(told(status), bug("create the resource", who));

        let monitor = Monitor::start().await;
        let status = serving.construct(construction(&monitor, GROUP, what("50"))).await.unwrap_err();
        let why = "the component registers components with too much in them to be compared";
        assert!(status.message().contains(why), "{status:?}");
    })
    .await;
}

#[tokio::test]
async fn a_call_ends_when_it_should_though_its_host_is_comparing() {
    undisturbed(async {
        let serving = heavy().await;
        let engine = Engine::start(&[]).await;
        let request = pb::CreateRequest { timeout: 0.2, ..viewed(&engine, "20") };
        let status = serving.create_as(request).await.unwrap_err();
        assert_eq!(seen(&status), (Code::DeadlineExceeded, format!("create the resource: {LATE}{MADE}").as_str()));

        let cancel = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            serving.cancel().await;
        };
        let (outcome, ()) = tokio::join!(listed(&serving, "20"), cancel);
        let status = outcome.unwrap_err();
        assert_eq!(seen(&status), (Code::Cancelled, "list the resources: the operation was cancelled"));
    })
    .await;
}

/// A creation of something with so many views.
fn viewed(engine: &Engine, many: &str) -> pb::CreateRequest {
    pb::CreateRequest {
        resource_status_address: engine.address.clone(),
        resource_status_token: TOKEN.to_owned(),
        ..creation(THING, what(many))
    }
}

/// The guest, with a union of a hundred types, each of which asks for four hundred things that none of its values has.
async fn heavy() -> Serving {
    let mut schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    let names: Vec<String> = (0..400).map(|number| format!("r{number}")).collect();
    let properties: serde_json::Map<_, _> =
        names.iter().map(|name| (name.clone(), json!({ "type": "string" }))).collect();
    let mut variants = Vec::new();
    for number in 0..100 {
        let token = format!("hostile:index:V{number}");
        variants.push(json!({ "$ref": format!("#/types/{token}") }));
        schema["types"][token] = json!({ "type": "object", "properties": properties, "required": names });
    }
    schema["types"]["hostile:index:W"] =
        json!({ "type": "object", "properties": { "k": { "type": "number" } }, "required": ["k"] });
    variants.push(json!({ "$ref": "#/types/hostile:index:W" }));
    let heavy = json!({ "type": "array", "items": { "oneOf": variants } });
    schema["resources"][THING]["properties"]["p"] = heavy.clone();
    schema["resources"][THING]["required"] = json!([]);
    schema["resources"][GROUP]["inputProperties"]["p"] = heavy;
    let schema = schema.to_string();
    let guest = bulkhead_tests::hostile("comparisons-endless");
    let component = embed(&guest, schema.as_bytes(), MANIFEST.as_bytes()).unwrap();
    Serving::of(aside(move || load(&component, Limits::default())).await.unwrap()).await.ready(well()).await
}
