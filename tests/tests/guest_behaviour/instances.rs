//! Instances: several at once, used again, and never by another configuration or after a trap.

use std::time::{Duration, Instant};

use bulkhead::component::{Isolation, Limits};
use bulkhead_tests::serving::Serving;
use bulkhead_value::{Object, Value};

use crate::{act, behaviours, labelled, limited, object};

/// The how manieth resource of its instance one is.
async fn counted(serving: &Serving, inputs: Object) -> f64 {
    let created = serving.create("behaviours:index:Counter", inputs).await.unwrap();
    created.state["count"].as_number().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_run_side_by_side_each_in_an_instance_of_its_own() {
    let serving = std::sync::Arc::new(behaviours().await);
    let begun = Instant::now();
    let calls: Vec<_> = (0..64)
        .map(|_| {
            let serving = std::sync::Arc::clone(&serving);
            tokio::spawn(async move { counted(&serving, object([("pause", 5_000.0)])).await })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap(), 1.0, "no call should wait for another's instance");
    }
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(60), "one after the other takes 320 s: {took:?}");
    assert_eq!(counted(&serving, Object::new()).await, 2.0, "instances are used again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_calls_than_places_wait_for_their_turn() {
    let serving = limited(Limits { concurrency: 2, ..Limits::default() }).await;
    let call = || counted(&serving, object([("pause", 1_000.0)]));
    let begun = Instant::now();
    let counts = tokio::join!(call(), call(), call(), call());
    assert!(begun.elapsed() >= Duration::from_secs(2), "{:?}", begun.elapsed());
    assert_eq!(counts.0 + counts.1 + counts.2 + counts.3, 6.0, "two instances made two each: {counts:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_is_used_again_but_not_after_a_trap() {
    let serving = behaviours().await;
    for count in [1.0, 2.0, 3.0] {
        assert_eq!(counted(&serving, Object::new()).await, count);
    }
    serving.create("behaviours:index:Creating", act("fail")).await.unwrap_err();
    assert_eq!(counted(&serving, Object::new()).await, 4.0, "an error isn't a trap");
    serving.create("behaviours:index:Creating", act("panic")).await.unwrap_err();
    assert_eq!(counted(&serving, Object::new()).await, 1.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_may_want_an_instance_for_each_call() {
    let serving = limited(Limits { isolation: Isolation::Call, ..Limits::default() }).await;
    for _ in 0..3 {
        assert_eq!(counted(&serving, Object::new()).await, 1.0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_configuration_starts_with_nothing() {
    let serving = behaviours().await;
    assert_eq!(counted(&serving, Object::new()).await, 1.0);
    assert_eq!(counted(&serving, Object::new()).await, 2.0);
    let serving = serving.ready(labelled("another")).await;
    assert_eq!(counted(&serving, Object::new()).await, 1.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_that_has_grown_is_not_used_again() {
    let serving = limited(Limits { retire_above: 8 << 20, ..Limits::default() }).await;
    assert_eq!(counted(&serving, Object::new()).await, 1.0);
    let large = object([("act", Value::from("value")), ("amount", f64::from(16 << 20).into())]);
    serving.create("behaviours:index:Running", large).await.unwrap();
    assert_eq!(counted(&serving, Object::new()).await, 1.0);
}
