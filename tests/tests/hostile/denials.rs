//! Guests that would have nobody hear of what they were denied.

use std::time::Duration;

use bulkhead::component::Limits;
use bulkhead_tests::serving::init_failed;
use bulkhead_value::Value;
use tonic::Code;

use crate::calls::Call;
use crate::{COMPUTED, TELL, THING, hostile, object, undisturbed, what};

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
        let limits = Limits { compute: Duration::from_secs(5), ..Limits::default() };
        let serving = hostile("denied-drowned", limits).await;
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
        let ended = drowned("loop").await.0.unwrap_err();
        let (computed, raise) = COMPUTED.split_once("\nhint: ").unwrap();
        assert!(ended.message().contains(computed) && ended.message().contains(raise), "{ended:?}");
    })
    .await;
}
