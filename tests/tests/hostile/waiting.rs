//! Guests that wait for ever: whatever they wait for, the call ends when it has to.

use std::time::{Duration, Instant};

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::construction;
use bulkhead_tests::serving::{Serving, creation};
use tonic::{Code, Status};

use crate::calls::Call;
use crate::engines::hanging;
use crate::{BUG, LATE, LOST, MADE, TELL, THING, fixed, hostile, seen, short, undisturbed, what};

/// Far more than any of these calls takes, and far less than for ever.
const LONG: Duration = Duration::from_secs(30);
/// The component that these guests make.
const GROUP: &str = "hostile:index:Group";

/// What comes of a create with a timeout, in seconds.
async fn created(serving: &Serving, told: &str, timeout: f64) -> Result<(), Status> {
    let request = pb::CreateRequest { timeout, ..creation(THING, what(told)) };
    serving.create_as(request).await.map(drop)
}

#[tokio::test]
async fn a_wait_of_any_kind_ends_at_the_deadline() {
    undisturbed(async {
        let limits = || Limits { wall: Duration::from_millis(500), ..Limits::default() };
        for guest in ["wait-sleep", "wait-thread", "wait-poll", "wait-rung", "wait-lock"] {
            let serving = hostile(guest, limits()).await;
            let begun = Instant::now();
            let status = created(&serving, "x", 0.5).await.unwrap_err();
            assert_eq!(
                seen(&status),
                (Code::DeadlineExceeded, format!("create the resource: {LATE}{MADE}").as_str()),
                "{guest}"
            );
            let status = Call::Invoke.make(&serving).await.unwrap_err();
            assert_eq!(
                seen(&status),
                (Code::DeadlineExceeded, format!("call the function: {LATE}").as_str()),
                "{guest}"
            );
            assert!(begun.elapsed() < LONG, "{guest}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_wait_of_any_kind_ends_when_it_is_cancelled() {
    undisturbed(async {
        for guest in ["wait-sleep", "wait-thread", "wait-poll", "wait-rung", "wait-lock"] {
            let serving = hostile(guest, Limits::default()).await;
            let cancel = async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                serving.cancel().await;
            };
            let begun = Instant::now();
            let (outcome, ()) = tokio::join!(Call::Read.make(&serving), cancel);
            let status = outcome.unwrap_err();
            let message = "read the resource: the operation was cancelled";
            assert_eq!(seen(&status), (Code::Cancelled, message), "{guest}");
            assert!(begun.elapsed() < LONG, "{guest}");
        }
    })
    .await;
}

#[tokio::test]
async fn nobody_waits_for_more_than_there_are_handles_for() {
    undisturbed(async {
        let serving = hostile("poll-repeated", Limits::default()).await;
        let message = "call the function: the provider needs more handles than its limit allows";
        let status = Call::Invoke.make(&serving).await.unwrap_err();
        assert_eq!(seen(&status), (Code::ResourceExhausted, format!("{message}{}", fixed("32768")).as_str()));
    })
    .await;
}

#[tokio::test]
async fn output_without_end_is_computing() {
    undisturbed(async {
        let serving = hostile("wait-output", short()).await;
        let status = Call::Invoke.make(&serving).await.unwrap_err();
        assert!(matches!(status.code(), Code::ResourceExhausted | Code::DeadlineExceeded), "{status:?}");
    })
    .await;
}

#[tokio::test]
async fn a_lock_that_is_never_given_back_goes_with_the_call_that_holds_it() {
    undisturbed(async {
        let serving = hostile("wait-lock", Limits::default()).await;
        let holding = created(&serving, "x", 6.0);
        let waiting = async {
            serving.said("held").await;
            created(&serving, "x", 0.3).await
        };
        let (held, waited) = tokio::join!(holding, waiting);
        assert_eq!(waited.unwrap_err().code(), Code::DeadlineExceeded);
        assert_eq!(held.unwrap_err().code(), Code::DeadlineExceeded);
        // The next one gets it at once, and holds it until its own end.
        assert_eq!(created(&serving, "x", 3.0).await.unwrap_err().code(), Code::DeadlineExceeded);
        assert_eq!(serving.messages().iter().filter(|message| message.text == "held").count(), 2);
        let status = created(&serving, "twice", 1.0).await.unwrap_err();
        let message =
            "create the resource: the provider broke the contract: it waits for a lock that the same call holds";
        assert_eq!(seen(&status), (Code::Unknown, format!("{message}{BUG}{LOST}").as_str()));
    })
    .await;
}

#[tokio::test]
async fn a_component_that_waits_for_itself_ends_when_it_is_cancelled() {
    undisturbed(async {
        let serving = hostile("construct-deadlock", Limits::default()).await;
        // Whose answer to the child's registration waits for the child's creation, as that of any engine.
        let monitor = hanging().await;
        let others = async {
            serving.said("held").await;
            let status = created(&serving, "x", 0.5).await.unwrap_err();
            assert_eq!(seen(&status), (Code::DeadlineExceeded, format!("create the resource: {LATE}{MADE}").as_str()));
            // Whatever else its provider does goes on.
            assert_eq!(serving.invoke(TELL, what("x")).await.unwrap().value["text"], "told".into());
            assert_eq!(serving.check(THING, what("x")).await.unwrap().value, what("x"));
            serving.update(THING, crate::on_record(), what("x"), what("y")).await.unwrap();
            serving.cancel().await;
        };
        let begun = Instant::now();
        let (outcome, ()) = tokio::join!(serving.construct(construction(&monitor, GROUP, what("x"))), others);
        let message = "construct the component: the operation was cancelled";
        assert_eq!(seen(&outcome.unwrap_err()), (Code::Cancelled, message));
        assert!(begun.elapsed() < LONG);
    })
    .await;
}

#[tokio::test]
async fn who_ignores_that_it_was_cancelled_is_ended_after_the_grace() {
    undisturbed(async {
        let serving = hostile("ignore-cancel", Limits::default()).await;
        let cancel = async {
            serving.said("begun").await;
            serving.cancel().await;
        };
        let begun = Instant::now();
        let (outcome, ()) = tokio::join!(created(&serving, "x", 0.0), cancel);
        let message = "create the resource: the operation was cancelled";
        assert_eq!(seen(&outcome.unwrap_err()), (Code::Cancelled, message));
        assert!((Duration::from_secs(9)..LONG).contains(&begun.elapsed()), "{:?}", begun.elapsed());
    })
    .await;
}
