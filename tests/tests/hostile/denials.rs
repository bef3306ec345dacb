//! Guests that would have nobody hear of what they were denied, or of whom they talk to.

use std::net::Ipv4Addr;
use std::sync::Arc;

use bulkhead::audit::{AuditFile, Auditor};
use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, init_failed, load, urn, wire};
use bulkhead_tests::temporary_directory;
use bulkhead_value::Value;
use serde_json::{Value as Json, json};
use tonic::Code;

use crate::calls::Call;
use crate::network::One;
use crate::{TELL, THING, hostile, object, permitted, undisturbed, unready, well, what};

const DENIED: &str =
    "network http://denied.example (GET) is denied: the component's manifest doesn't ask for it; no grant is wider";

#[tokio::test]
async fn what_is_denied_is_told_whatever_a_provider_says_instead() {
    undisturbed(async {
        let serving = hostile("denied-blamed", Limits::default()).await;
        // Of what was given, and of what is there, an engine is told by answers.
        for call in [
            Call::CheckConfig,
            Call::Check,
            Call::Invoke,
            Call::Construct,
            Call::Method,
            Call::Read,
            Call::Import,
            Call::Delete,
        ] {
            let before = serving.messages().len();
            let outcome = call.make(&serving).await;
            assert_eq!(outcome.is_err(), call == Call::Construct, "{call:?}: {outcome:?}");
            let told: Vec<String> = serving.messages().drain(before..).map(|message| message.text).collect();
            let [denied] = &told[..] else { panic!("{call:?} should warn once: {told:?}") };
            assert!(denied.starts_with(DENIED), "{call:?}: {denied}");
        }
        // No mappings are an answer as well, unless it is the component that says so.
        for call in [Call::Mapping, Call::Mappings] {
            let status = call.make(&serving).await.unwrap_err();
            assert_eq!(status.code(), Code::Aborted, "{status:?}");
            assert!(status.message().contains(DENIED), "{status:?}");
        }
        let left = init_failed(&serving.create(THING, what("x")).await.unwrap_err());
        assert_eq!((left.id.as_str(), left.reasons.len()), ("made-1", 101));
        assert_eq!((left.reasons[0].as_str(), left.reasons[100].as_str()), ("reason 0", "and 1 further reasons"));
        assert!(left.reasons[99].starts_with(DENIED), "{:?}", left.reasons);
    })
    .await;
}

#[tokio::test]
async fn what_the_host_says_is_told_however_much_a_provider_says() {
    undisturbed(async {
        // Each text is searched for those of the configuration, and for those of the call.
        let limits = Limits { log_bytes: usize::MAX, ..Limits::default() };
        let serving = unready("denied-drowned", limits).await.ready(object([("key", "known-to-all-calls")])).await;
        let drowned = async |end: &str| {
            let told = [("key", Value::from("correct-horse-battery-staple").secret()), ("what", end.into())];
            let outcome = serving.invoke(TELL, object(told)).await;
            (outcome, serving.messages().into_iter().map(|message| message.text).collect::<Vec<_>>())
        };
        let (outcome, told) = drowned("succeed").await;
        outcome.unwrap();
        assert!(told.iter().any(|text| text.starts_with("[secret: more is said")), "it should be too much");
        assert!(told.last().is_some_and(|text| text.starts_with(DENIED)), "{:?}", told.last());
        let failed = drowned("fail").await.0.unwrap_err();
        let (said, hint) = failed.message().split_once("\nhint: ").unwrap();
        assert!(said.starts_with("[secret: more is said"), "{said}");
        assert!(hint.starts_with(DENIED), "{hint}");
    })
    .await;
}

#[tokio::test]
async fn no_secret_of_a_providers_making_hides_what_somebody_wrote_down() {
    undisturbed(async {
        let asked = ["http://granted.example", "http://*", "http://denied.example:8080"];
        let asked = asked.map(|endpoint| json!({ "endpoint": endpoint, "reason": "talks" }));
        let granted = ["http://granted.example", "http://*"];
        let granted = granted.map(|endpoint| json!({ "endpoint": endpoint, "addresses": ["loopback"] }));
        let permissions = permitted(&json!({ "network": asked }), json!({ "digest": "dev", "network": granted }));
        for (hidden, mask) in [("much", "[secret: the request holds more secrets than"), ("names", "[secret] (GET)")] {
            let directory = temporary_directory();
            let file = directory.path().join("audit.jsonl");
            let auditor = Auditor::new(vec![AuditFile::new(&file, true)], None, "hostile", "d1");
            let loaded = load(&bulkhead_tests::hostile("denied-blinding"), Limits::default()).unwrap();
            let loaded = loaded
                .under(Limits::default(), permissions.clone())
                .resolving(Arc::new(One(Ipv4Addr::LOCALHOST.into())));
            let serving = Serving::audited(loaded, auditor).await.ready(well()).await;

            let state = serving.create(THING, what(hidden)).await.unwrap().state;
            let request = pb::DeleteRequest {
                urn: urn(THING),
                id: "made-1".to_owned(),
                properties: Some(wire(&state)),
                ..<_>::default()
            };
            let status = serving.client.clone().delete(request).await.unwrap_err();
            let denied = "network http://denied.example:8080 (GET) is denied: nothing grants it";
            assert!(status.message().contains(denied), "{hidden}: {status:?}");
            assert!(status.message().contains("network = [\"http://denied.example:8080\"]"), "{hidden}: {status:?}");

            let audited = std::fs::read_to_string(&file).unwrap();
            let lines = audited.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
            let decided = |verdict: &str| {
                let lines = lines.clone().filter(move |line| line["verdict"] == verdict);
                lines.map(|line| line["subject"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
            };
            assert_eq!(decided("denied"), ["http://denied.example:8080 (GET)"], "{hidden}");
            let allowed = decided("allowed");
            let is_there = |subject: &str| allowed.iter().any(|allowed| allowed == subject);
            assert!(is_there("http://granted.example (GET)") && is_there("127.0.0.1"), "{hidden}: {allowed:?}");
            assert_eq!(is_there("http://127.213.101.7 (GET)"), hidden == "much", "{allowed:?}");
            let masked: Vec<&String> = allowed.iter().filter(|subject| subject.contains(mask)).collect();
            assert!(!masked.is_empty(), "{hidden}: {allowed:?}");
            for subject in masked {
                assert!(subject.ends_with(" (GET), granted as http://*"), "{subject}");
            }
        }
    })
    .await;
}
