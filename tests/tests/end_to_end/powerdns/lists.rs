//! Lists, which engines ask for and the CLI has no command for yet: by the plugin as an engine starts it, with the one grant.

use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::list_response::Response;
use bulkhead_tests::serving::{Serving, wire};
use bulkhead_tests::{Plugin, PowerDns, Stdin, temporary_directory};
use bulkhead_value::{Object, Value};
use serde_json::json;

use super::{grant, powerdns};
use crate::bulkhead;

/// The ids and names of what is listed.
async fn listed(serving: &Serving, token: &str, query: &[(&str, &str)]) -> Vec<(String, String)> {
    let query: Object = query.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
    let request = pb::ListRequest { token: token.to_owned(), query: Some(wire(&query)), ..<_>::default() };
    let mut stream = serving.client.clone().list(request).await.unwrap().into_inner();
    let mut found = Vec::new();
    while let Some(message) = stream.message().await.unwrap() {
        match message.response.expect("a message should say something") {
            Response::Result(result) => found.push((result.id, result.name)),
            other => panic!("all of it fits on a page: {other:?}"),
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn zones_and_record_sets_are_listed_and_their_ids_are_read() {
    let server = PowerDns::start();
    for (name, kind) in [("example.org.", "Native"), ("sub.example.org.", "Master"), ("example.com.", "Native")] {
        let zone = json!({"name": name, "kind": kind, "nameservers": ["ns1.example.net."]});
        assert_eq!(server.ask("POST", "/zones", Some(&zone)).0, 201);
    }
    let directory = temporary_directory();
    powerdns().bundle(&bulkhead(), &directory.path().join("bin"));
    grant(directory.path());
    let executable = directory.path().join("bin/pulumi-resource-powerdns");
    let plugin = Plugin::start_in(directory.path(), &executable, Stdin::Pipe);
    let settings = [("endpoint", server.endpoint()), ("apiKey", server.key().to_owned())];
    let settings: Object = settings.into_iter().map(|(name, text)| (name.to_owned(), Value::from(text))).collect();
    let serving = Serving::by(&plugin).await.ready(settings).await;

    let ids = |found: Vec<(String, String)>| found.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
    let zones = ids(listed(&serving, "powerdns:index:Zone", &[]).await);
    assert_eq!(zones, ["example.com.", "example.org.", "sub.example.org."]);
    let below = ids(listed(&serving, "powerdns:index:Zone", &[("below", "example.org"), ("kind", "Primary")]).await);
    assert_eq!(below, ["sub.example.org."]);
    let sets = listed(&serving, "powerdns:index:RecordSet", &[("zone", "example.org"), ("type", "ns")]).await;
    assert_eq!(sets, [("example.org.:example.org.:NS".to_owned(), "example.org NS".to_owned())]);
    let all = listed(&serving, "powerdns:index:RecordSet", &[("type", "SOA")]).await;
    assert_eq!(all.len(), 3, "of all zones");

    let read = serving.import("powerdns:index:RecordSet", "example.org.:example.org.:NS").await.unwrap();
    assert_eq!(read.id, "example.org.:example.org.:NS");
    let read = serving.import("powerdns:index:Zone", "sub.example.org.").await.unwrap();
    assert_eq!(read.id, "sub.example.org.");
}
