//! Checkpoints that are too many, too large, no trees, or about nothing.

use bulkhead::component::Limits;
use bulkhead_tests::in_time;
use bulkhead_tests::serving::init_failed;
use bulkhead_value::{Object, Value};
use tonic::Code;

use crate::calls::{ALL, Call};
use crate::{BUG, REPORT, THING, hostile, seen, undisturbed, what};

const CRASHED: &str =
    "the provider crashed: wasm trap: wasm `unreachable` instruction executed; this is a bug in the provider";

#[tokio::test]
async fn of_many_checkpoints_the_last_one_counts() {
    undisturbed(async {
        let serving = hostile("checkpoint-flood", Limits::default()).await;
        let left = init_failed(&serving.create(THING, what("x")).await.unwrap_err());
        assert_eq!((left.id.as_str(), left.reasons), ("made-99999", vec![CRASHED.to_owned()]));
        assert_eq!(left.state["text"], Value::from("x".repeat(1_000)));
    })
    .await;
}

#[tokio::test]
async fn of_a_checkpoint_that_is_too_large_the_id_is_kept() {
    undisturbed(async {
        let serving = hostile("checkpoint-huge", Limits::default()).await;
        let left = init_failed(&serving.create(THING, what("x")).await.unwrap_err());
        assert_eq!((left.id.as_str(), left.state), ("made-1", Object::new()));
        assert_eq!(left.reasons.len(), 2, "{:?}", left.reasons);
        assert_eq!(left.reasons[0], CRASHED);
    })
    .await;
}

#[tokio::test]
async fn of_a_checkpoint_that_is_no_tree_the_id_is_kept() {
    undisturbed(async {
        let serving = hostile("checkpoint-malformed", Limits::default()).await;
        let left = init_failed(&serving.create(THING, what("x")).await.unwrap_err());
        assert_eq!((left.id.as_str(), left.state, left.reasons), ("made-1", Object::new(), vec![CRASHED.to_owned()]));
    })
    .await;
}

#[tokio::test]
async fn a_checkpoint_of_a_call_that_makes_nothing_records_nothing() {
    undisturbed(async {
        let serving = hostile("checkpoint-anywhere", Limits::default()).await;
        let making = [Call::Create, Call::Update];
        for (doing, call) in ALL.into_iter().filter(|(_, call)| !making.contains(call)) {
            let status = call.make(&serving).await.expect_err(doing);
            let crashed = CRASHED.trim_end_matches(BUG);
            assert_eq!(seen(&status), (Code::Aborted, format!("{doing}: {crashed}{BUG}{REPORT}").as_str()));
            assert!(status.details().is_empty(), "nothing is to be recorded");
        }
    })
    .await;
}

#[tokio::test]
async fn what_the_host_keeps_of_checkpoints_counts_as_the_guests() {
    undisturbed(async {
        // Enough for two guests, and for what the host keeps of one of them and sends.
        let limits = Limits { memory_together: 250 << 20, ..Limits::default() };
        let serving = hostile("checkpoint-kept", limits).await;
        let first = Call::Create.make(&serving);
        let second = async {
            serving.said("kept").await;
            let status = serving.create(THING, what("x")).await.unwrap_err();
            serving.cancel().await;
            status
        };
        let (first, second) = tokio::join!(first, second);
        let left = init_failed(&second);
        assert_eq!((left.id.as_str(), left.state), ("made-1", Object::new()));
        let reason = "there is no memory left to keep a state of this size; the resource's id is kept";
        assert_eq!(left.reasons, [reason]);
        assert_eq!(init_failed(&first.unwrap_err()).id, "made-1");
    })
    .await;
}

/// Whoever crashes has its permit and its memory back at once, and what it announced is with the host until it is told.
#[tokio::test]
async fn what_was_announced_counts_until_the_call_is_answered() {
    undisturbed(async {
        // An answer waits for a quarter of a second until what was said is seen, and the second has to announce within that.
        in_time(20, async || {
            // Enough for one state and its copy, and for the guests. The second begins when the first has crashed.
            let limits = Limits { memory_together: 128 << 20, concurrency: 1, ..Limits::default() };
            let serving = hostile("checkpoint-left", limits).await;
            serving.unseen();
            let first = serving.create(THING, what("x"));
            let second = async {
                serving.said("left").await;
                serving.create(THING, what("x")).await
            };
            let (first, second) = tokio::join!(first, second);
            let reasons = |status| init_failed(&status).reasons;
            let told = reasons(first.unwrap_err());
            assert!(told.len() == 2 && told[0] == CRASHED, "{told:?}");
            let full = "there is no memory left to keep a state of this size; the resource's id is kept";
            let second = reasons(second.unwrap_err());
            assert!(second == [full] || second == told, "{second:?}");
            let again = reasons(serving.create(THING, what("x")).await.unwrap_err());
            assert!(again.contains(&CRASHED.to_owned()), "what was told doesn't count any more: {again:?}");
            (second == [full]).then_some(())
        })
        .await;
    })
    .await;
}
