//! Messages: on their way with the resource that they are about, and bounded.

use bulkhead::component::Limits;
use bulkhead::provider::{Message, Severity};
use bulkhead_tests::serving::urn;

use crate::{limited, object};

const TALKING: &str = "behaviours:index:Talking";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_level_reaches_the_engine_with_the_resource() {
    let serving = limited(Limits::default()).await;
    serving.create(TALKING, <_>::default()).await.unwrap();
    let message =
        |severity, text: &str, ephemeral| Message { severity, text: text.into(), urn: Some(urn(TALKING)), ephemeral };
    assert_eq!(
        serving.messages(),
        [
            message(Severity::Debug, "for the author", false),
            message(Severity::Info, "worth knowing", false),
            message(Severity::Warning, "probably a mistake", false),
            message(Severity::Error, "something failed", false),
            message(Severity::Info, "still talking", true),
        ]
    );
    serving.invoke("behaviours:index:run", object([("act", "return")])).await.unwrap();
    let last = serving.messages().pop().unwrap();
    assert_eq!((last.text.as_str(), last.urn), ("begun", None), "a function is about no resource");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_messages_is_cut_off_with_a_note() {
    let serving = limited(Limits::default()).await;
    serving.create(TALKING, object([("messages", 5_000.0)])).await.unwrap();
    let messages = serving.messages();
    assert_eq!((messages.len(), messages[999].text.as_str()), (1_001, "999"));
    assert_eq!(messages[1_000].text, "the provider logged more than 1000 messages in one call; the rest is dropped");
    assert_eq!((messages[1_000].severity, messages[1_000].ephemeral), (Severity::Warning, false), "all should see it");
    serving.create(TALKING, <_>::default()).await.unwrap();
    assert_eq!(serving.messages().len(), 1_006, "the next call counts anew");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_message_is_cut_between_characters() {
    let serving = limited(Limits::default()).await;
    serving.create(TALKING, object([("length", 20_000.0)])).await.unwrap();
    assert_eq!(serving.messages()[0].text, format!("{} … (40000 bytes in all)", "é".repeat(16_384)));
    let serving = limited(Limits { log_message: 5, ..Limits::default() }).await;
    serving.create(TALKING, object([("length", 5.0)])).await.unwrap();
    serving.create(TALKING, object([("length", 6.0)])).await.unwrap();
    let texts: Vec<String> = serving.messages().into_iter().map(|message| message.text).collect();
    assert_eq!(texts, ["ééééé", "ééééé … (12 bytes in all)"]);
}
