//! When requests may be made: never where engines only ask what would be, unless it is granted.

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, urn, wire};
use bulkhead_value::Object;
use serde_json::json;

use super::servers::{Server, ok};
use super::{granted, under, wish};

const PAGE: &str = "networked:index:Page";
const EVERY: [&str; 7] = ["check", "diff", "preview", "create", "read", "update", "delete"];

/// Calls everything that the resource has; what each came to.
async fn all(serving: &Serving, inputs: Object) -> Vec<(&'static str, Result<(), String>)> {
    let said = |status: tonic::Status| status.message().to_owned();
    let (id, properties) = (String::from("page-1"), Some(wire(&inputs)));
    let mut client = serving.client.clone();
    let read = pb::ReadRequest { urn: urn(PAGE), id: id.clone(), properties: properties.clone(), ..<_>::default() };
    let update = pb::UpdateRequest {
        urn: urn(PAGE),
        id: id.clone(),
        olds: properties.clone(),
        news: properties.clone(),
        ..<_>::default()
    };
    let delete = pb::DeleteRequest { urn: urn(PAGE), id, properties, ..<_>::default() };
    vec![
        ("check", serving.check(PAGE, inputs.clone()).await.map(drop).map_err(said)),
        ("diff", serving.diff(PAGE, inputs.clone(), inputs.clone(), inputs.clone()).await.map(drop).map_err(said)),
        ("preview", serving.preview(PAGE, inputs.clone()).await.map(drop).map_err(said)),
        ("create", serving.create(PAGE, inputs.clone()).await.map(drop).map_err(said)),
        ("read", client.read(read).await.map(drop).map_err(said)),
        ("update", client.update(update).await.map(drop).map_err(said)),
        ("delete", client.delete(delete).await.map(drop).map_err(said)),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_only_asks_what_would_be_reaches_nobody() {
    let server = Server::saying(ok("")).await;
    let endpoint = format!("http://{}", server.authority());
    let serving = under(Limits::default(), granted(json!([endpoint]), &[])).await;
    for (phase, outcome) in all(&serving, wish(&server.authority())).await {
        match phase {
            "check" | "diff" | "preview" => {
                let message = outcome.unwrap_err();
                let denied = format!("network {endpoint} (GET) is denied: it is granted, but not in {phase}; ");
                assert!(message.contains(&denied), "{phase}: {message}");
            }
            _ => assert_eq!(outcome, Ok(()), "{phase}"),
        }
    }
    assert_eq!(server.asked(), ["create", "read", "update", "delete"].map(|phase| format!("GET /{phase} HTTP/1.1")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_grant_names_its_phases() {
    let server = Server::saying(ok("")).await;
    let endpoint = format!("http://{}", server.authority());
    for phases in [&["check", "read"][..], &["preview"], &EVERY] {
        let network = json!([{ "endpoint": endpoint, "phases": phases }]);
        let serving = under(Limits::default(), granted(network, &[])).await;
        for (phase, outcome) in all(&serving, wish(&server.authority())).await {
            assert_eq!(outcome.is_ok(), phases.contains(&phase), "{phase} of {phases:?}: {outcome:?}");
        }
    }
}
