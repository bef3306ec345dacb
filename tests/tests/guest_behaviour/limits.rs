//! What a guest may use up, and whose error it is when it is used up.

use std::time::Duration;

use bulkhead::component::Limits;
use bulkhead_proto::provider::UpdateRequest;
use bulkhead_tests::serving::{Serving, init_failed, object as received, urn, wire};
use bulkhead_value::{Object, Value};
use tonic::{Code, Status};

use crate::{act, behaviours, guest, limited, object, serves_on};

const RUNNING: &str = "behaviours:index:Running";
const MIB: usize = 1 << 20;

fn running(act: &str, announced: bool, amount: usize) -> Object {
    let amount = f64::from(u32::try_from(amount).unwrap());
    object([("act", Value::from(act)), ("announced", announced.into()), ("amount", amount.into())])
}

/// What an operator is told to do.
fn raise(limit: &str) -> String {
    format!("if the provider should have more, raise the limit `{limit}` in bulkhead.toml")
}

async fn exhausting(serving: &Serving, inputs: Object) -> Status {
    let status = serving.create(RUNNING, inputs).await.unwrap_err();
    serves_on(serving).await;
    status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_is_limited() {
    let serving = limited(Limits { memory: 16 * MIB, ..Limits::default() }).await;
    let status = exhausting(&serving, running("memory", false, 0)).await;
    assert_eq!(status.code(), Code::ResourceExhausted);
    let message = "the provider needs more memory than its limit allows";
    let raise = format!("it may have 16.0 MiB; {}", raise("memory"));
    assert_eq!(status.message(), format!("create the resource: {message}\nhint: {raise}"));
    let left = init_failed(&exhausting(&serving, running("memory", true, 0)).await);
    assert_eq!(left.reasons, [format!("{message}; hint: {raise}")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_stack_is_limited() {
    let status = exhausting(&behaviours().await, running("recursion", false, 0)).await;
    assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
    assert_eq!(
        status.message(),
        "create the resource: the provider needs more stack than its limit allows\n\
         hint: 512 KiB are the most, whatever is set; please report it to the provider's author"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn computing_is_limited_and_waiting_is_not() {
    let serving = limited(Limits { compute: Duration::from_millis(300), ..Limits::default() }).await;
    let status = exhausting(&serving, running("loop", false, 0)).await;
    assert_eq!(status.code(), Code::ResourceExhausted);
    let expected = "create the resource: the provider computed for longer than it may in one call\nhint: ";
    assert_eq!(status.message(), format!("{expected}{}", raise("compute")));
    let waited = serving.create(RUNNING, running("wait", false, 1_500)).await.unwrap();
    assert_eq!(waited.state["text"], Value::from("done"));
    let status = serving.invoke("behaviours:index:run", act("loop")).await.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted, "in functions too");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_are_limited_per_call() {
    let serving = limited(Limits { value_bytes: MIB, ..Limits::default() }).await;
    for announced in [false, true] {
        // The id comes first, and was read.
        let left = init_failed(&exhausting(&serving, running("value", announced, 4 * MIB)).await);
        assert_eq!(left.id, "running-1");
        let message = "the provider passed more data to the host than its limit allows";
        assert_eq!(left.reasons, [format!("{message}; hint: {}", raise("value"))]);
    }
    // One instance serves them all: what counts is the call.
    for _ in 0..4 {
        let created = serving.create(RUNNING, running("value", false, MIB / 2)).await.unwrap();
        assert_eq!(created.state["text"].as_str().unwrap().len(), MIB / 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_are_limited_in_nodes_and_levels_and_lose_no_resource() {
    let few = Limits { nodes: 1, ..Limits::default() };
    let shallow = Limits { depth: 1, ..Limits::default() };
    for (limits, returned, limit) in
        [(few, "a value tree of more than 1 nodes", "nodes"), (shallow, "a value tree deeper than 1 levels", "depth")]
    {
        let serving = limited(limits).await;
        let status = serving.create("behaviours:index:Creating", act("succeed")).await.unwrap_err();
        let left = init_failed(&status);
        assert_eq!(left.id, "made-1");
        let reason = format!("the provider's result can't be used: it returned {returned}; hint: {}", raise(limit));
        assert_eq!(left.reasons, [reason], "a limit that was lowered is no bug");
        let status = serving.invoke("behaviours:index:answer", act("well")).await.unwrap_err();
        assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
        assert!(
            status.message().ends_with(&format!("the provider returned {returned}\nhint: {}", raise(limit))),
            "{status:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_that_is_too_large_to_begin_with_says_so() {
    let liar = guest("liar");
    let serving = Serving::start(&liar, Limits { memory: 1, ..Limits::default() }).await.ready(Object::new()).await;
    let status = serving.create("liar:index:Lie", object([("lie", "truth")])).await.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted);
    let expected = "create the resource: the provider needs more memory than its limit allows\nhint: ";
    assert_eq!(status.message(), format!("{expected}it may have 1 B; {}", raise("memory")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_schema_says_needs_no_guest_at_all() {
    // Not even an instance fits.
    let limits = Limits { memory: 1, ..Limits::default() };
    let serving = Serving::start(&guest("liar"), limits).await.ready(Object::new()).await;
    let (token, truth) = ("liar:index:Lie", object([("lie", "truth")]));
    let checked = serving.check(token, truth.clone()).await.unwrap();
    assert_eq!((checked.value, checked.failures), (truth.clone(), Vec::new()));
    let expected = object([("lie", Value::from("truth")), ("name", Value::Unknown), ("count", Value::Unknown)]);
    let mut preview = serving.preview(token, truth.clone()).await.unwrap();
    preview.remove("any");
    assert_eq!(preview, expected);
    let difference = serving.diff(token, truth.clone(), truth.clone(), object([("lie", "other")])).await.unwrap();
    assert_eq!(difference.diffs, ["lie"]);
    let preview = UpdateRequest {
        urn: urn(token),
        id: "lie-1".into(),
        olds: Some(wire(&truth)),
        news: Some(wire(&truth)),
        preview: true,
        ..<_>::default()
    };
    let preview = serving.client.clone().update(preview).await.unwrap().into_inner();
    assert_eq!(received(preview.properties.unwrap())["lie"], Value::from("truth"));
    assert!(serving.create(token, truth).await.is_err(), "a real call needs one");
}
