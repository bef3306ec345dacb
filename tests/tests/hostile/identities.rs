//! Ids and URNs that aren't what they seem.

use bulkhead::component::Limits;
use bulkhead_tests::composing::construction;
use bulkhead_tests::monitor::Monitor;
use bulkhead_tests::serving::{init_failed, urn};
use tonic::Code;

use crate::{BUG, LOST, REPORT, THING, hostile, seen, undisturbed, what};

#[tokio::test]
async fn an_id_that_changes_after_it_was_announced_is_reported_with_both() {
    undisturbed(async {
        let serving = hostile("id-changed", Limits::default()).await;
        let left = init_failed(&serving.create(THING, what("x")).await.unwrap_err());
        assert_eq!(left.id, "another-1");
        let reason = "the provider's result can't be used: it announced the id `announced-1` and returned `another-1`";
        assert_eq!(left.reasons, [format!("{reason}{BUG}")]);
    })
    .await;
}

#[tokio::test]
async fn an_id_that_would_break_what_it_is_put_into_is_the_providers_bug_and_is_not_lost() {
    undisturbed(async {
        let serving = hostile("id-forged", Limits::default()).await;
        for told in ["nul", "lines", "escape"] {
            let left = init_failed(&serving.create(THING, what(told)).await.expect_err(told));
            assert!(left.id.contains("made-1") || left.id.contains("-1"), "{told}");
            assert_eq!(left.reasons, [format!("the provider returned an id with control characters{BUG}")], "{told}");
        }
        let left = init_failed(&serving.create(THING, what("unknown")).await.unwrap_err());
        assert_eq!(
            left.reasons,
            [format!("the provider returned an id that stands for a value that isn't known{BUG}")]
        );
        let status = serving.create(THING, what("empty")).await.unwrap_err();
        assert_eq!(status.code(), Code::Unknown);
        assert_eq!(serving.create(THING, what("ö ☃ a/b|c,d")).await.unwrap().id, "ö ☃ a/b|c,d", "ids are opaque else");
    })
    .await;
}

#[tokio::test]
async fn an_id_of_megabytes_is_the_providers_bug() {
    undisturbed(async {
        let serving = hostile("id-forged", Limits::default()).await;
        for (told, bytes) in [("large", 10_000_000), ("larger", 20_000_000)] {
            let status = serving.create(THING, what(told)).await.unwrap_err();
            let flaw =
                format!("the provider created a resource and returned an id of {bytes} bytes, and 65536 are the most");
            let message = format!("create the resource: {flaw}{BUG}{LOST}");
            assert_eq!(seen(&status), (Code::Unknown, message.as_str()), "{told}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_message_belongs_to_the_resource_of_its_call_whatever_it_says() {
    undisturbed(async {
        let serving = hostile("urn-forged", Limits::default()).await;
        serving.create(THING, what("x")).await.unwrap();
        let messages = serving.messages();
        assert_eq!(messages.len(), 2, "{messages:?}");
        for message in messages {
            assert_eq!(message.urn.as_deref(), Some(urn(THING).as_str()));
            assert!(!message.text.contains(['\u{1b}', '\0', '\r', '\u{7}']), "{:?}", message.text);
        }
    })
    .await;
}

#[tokio::test]
async fn a_component_is_what_it_registered_itself() {
    undisturbed(async {
        let (serving, monitor) = (hostile("construct-forged", Limits::default()).await, Monitor::start().await);
        let request = construction(&monitor, "hostile:index:Group", what("x"));
        let status = serving.construct(request).await.unwrap_err();
        assert_eq!(status.code(), Code::Aborted, "{status:?}");
        assert!(status.message().contains(BUG) && status.message().ends_with(REPORT), "{status:?}");
    })
    .await;
}
