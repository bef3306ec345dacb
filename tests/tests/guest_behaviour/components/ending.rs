//! How a construct ends: with its children, with a failure of one of them, or because somebody wants it to.

use std::time::{Duration, Instant};

use bulkhead::component::Limits;
use bulkhead_tests::composing::construction;
use bulkhead_tests::monitor::{Monitor, Reaction, urn};
use bulkhead_tests::serving::Serving;
use bulkhead_tests::until;
use tonic::{Code, Status};

use super::{COMPOSER, PART, act, composer};
use crate::{guest, object};

/// An engine whose `slow` parts never come, and whose `broken` ones fail.
async fn failing() -> Monitor {
    Monitor::reacting(|of| match of.name.as_str() {
        name if name.contains("slow") => Reaction::Hangs,
        name if name.contains("broken") => Reaction::Refuses(Status::unknown("it is broken")),
        _ => Reaction::Answers,
    })
    .await
}

const BROKEN: &str = "register `name-broken` as a `composer:index:Part`: it is broken";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_child_that_fails_ends_its_component_though_another_is_still_to_come() {
    let (serving, monitor) = (composer().await, failing().await);
    let status = serving.construct(construction(&monitor, COMPOSER, act("broken", []))).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Aborted, BROKEN));
    assert!(monitor.asked().outputs.is_empty());
    let constructed = serving.construct(construction(&monitor, COMPOSER, act("", []))).await.unwrap();
    assert_eq!(constructed.urn, urn("", COMPOSER, "name"), "the next one is none the worse");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_may_go_on_without_a_child_that_failed() {
    let (serving, monitor) = (composer().await, failing().await);
    let constructed = serving.construct(construction(&monitor, COMPOSER, act("broken-ignored", []))).await.unwrap();
    assert_eq!(constructed.state["said"].as_str().unwrap(), format!("Error::Failed(\"{BROKEN}\")"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn children_that_nobody_waited_for_are_waited_for() {
    let serving = composer().await;
    for (what, parts) in [("unjoined", 3), ("leaked", 1)] {
        let monitor = Monitor::reacting(|of| match of.custom {
            true => Reaction::Waits(Duration::from_millis(200)),
            false => Reaction::Answers,
        })
        .await;
        serving.construct(construction(&monitor, COMPOSER, act(what, []))).await.unwrap();
        assert_eq!(monitor.asked().answered.len(), 1 + parts, "{what}");
    }
    let status =
        serving.construct(construction(&failing().await, COMPOSER, act("unjoined-broken", []))).await.unwrap_err();
    assert_eq!(status.message(), BROKEN, "their failures aren't lost");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_that_fails_waits_for_nobody() {
    let (serving, monitor) = (composer().await, failing().await);
    let begun = Instant::now();
    let status = serving.construct(construction(&monitor, COMPOSER, act("fail-early", []))).await.unwrap_err();
    assert_eq!(status.message(), "it changed its mind");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_that_crashes_is_one_calls_failure() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let status = serving.construct(construction(&monitor, COMPOSER, act("trap", []))).await.unwrap_err();
    assert_eq!(
        status.message(),
        "construct the component: the provider crashed: wasm trap: wasm `unreachable` instruction executed; this is a bug in \
         the provider\nhint: please report it to the provider's author"
    );
    serving.construct(construction(&monitor, COMPOSER, act("", []))).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_ends_components_that_wait_and_those_that_sleep() {
    for what in ["wait", "sleep", "unjoined-slow"] {
        let (serving, monitor) = (composer().await, failing().await);
        let constructing = serving.construct(construction(&monitor, COMPOSER, act(what, [])));
        let cancelling = async {
            until("a registration", || !monitor.asked().registrations.is_empty()).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
            serving.cancel().await;
        };
        let (status, ()) = tokio::join!(constructing, cancelling);
        assert_eq!(status.unwrap_err().code(), Code::Cancelled, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn components_never_keep_their_provider_from_making_their_children() {
    let limits = Limits { concurrency: 1, ..Limits::default() };
    let serving = Serving::start(&guest("composer"), limits).await.ready(object([("label", "x")])).await;
    let monitor = failing().await;
    let constructing = async || serving.construct(construction(&monitor, COMPOSER, act("wait", []))).await;
    let creating = async {
        until("two registrations", || monitor.asked().registrations.iter().filter(|of| of.custom).count() >= 2).await;
        let created = serving.create(PART, object([("number", 1.0)])).await;
        serving.cancel().await;
        created
    };
    let (first, second, created) = tokio::join!(constructing(), constructing(), creating);
    assert_eq!(created.unwrap().id, "part-name");
    assert_eq!((first.unwrap_err().code(), second.unwrap_err().code()), (Code::Cancelled, Code::Cancelled));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_shuts_down_or_is_gone_is_told_from_one_that_refuses() {
    let serving = composer().await;
    let monitor = Monitor::reacting(|_| Reaction::Refuses(Status::unavailable("resource monitor shut down"))).await;
    let status = serving.construct(construction(&monitor, COMPOSER, act("", []))).await.unwrap_err();
    assert_eq!(status.code(), Code::Cancelled);

    let monitor = Monitor::start().await;
    let request = construction(&monitor, COMPOSER, act("", []));
    drop(monitor);
    let status = serving.construct(request).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert!(
        status.message().starts_with("ask what the engine can do: the engine's resource monitor can't be reached: "),
        "{status:?}"
    );
}
