//! Guests that break the contract. Whatever they return, an id that is known is never lost, and no value is shown.

use bulkhead::component::Limits;
use bulkhead_tests::serving::{Serving, init_failed, object as received};
use bulkhead_value::{Object, Value};
use tonic::Code;

use crate::{guest, object};

const LIE: &str = "liar:index:Lie";
const BUG: &str = "; this is a bug in the provider";
const HINT: &str = "\nhint: please report it to the provider's author";
const NAMELESS: &str = "\nhint: a resource may have been created: look for it where the provider makes such things, and import or delete it";

/// Trees that aren't trees, and what is said of them.
const MALFORMED: [(&str, &str); 12] = [
    ("empty", "a value tree without nodes"),
    ("list", "a value tree whose root isn't an object"),
    ("archive", "a value tree whose archive at node 1 has a member that is neither asset nor archive"),
    ("root", "a value tree whose root isn't an object"),
    ("forward", "a value tree whose node 0 names node 1, which doesn't come before it"),
    ("self", "a value tree whose node 0 names node 0, which doesn't come before it"),
    ("dangling", "a value tree whose node 0 names node 4294967295, which doesn't come before it"),
    ("shared", "a value tree that uses node 0 twice"),
    ("unused", "a value tree that leaves 1 of its nodes unused"),
    ("duplicate", "a value tree whose node 2 names a field twice"),
    ("opaque", "a value tree with a node of a later contract, at 0"),
    ("deep", "a value tree deeper than 1024 levels"),
];

async fn liar() -> Serving {
    Serving::start(&guest("liar"), Limits::default()).await.ready(Object::new()).await
}

fn lie(lie: &str) -> Object {
    object([("lie", lie)])
}

fn truth(lie: &str) -> Object {
    object([("lie", Value::from(lie)), ("name", "n".into()), ("count", 1.0.into())])
}

async fn serves_on(serving: &Serving) {
    assert_eq!(serving.create(LIE, lie("truth")).await.unwrap().state, truth("truth"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_malformed_state_does_not_lose_the_resource() {
    let serving = liar().await;
    for (what, said) in MALFORMED {
        let left = init_failed(&serving.create(LIE, lie(what)).await.expect_err(what));
        assert_eq!(left.id, "lie-1", "{what}");
        assert_eq!(left.reasons, [format!("the provider's result can't be used: it returned {said}{BUG}")], "{what}");
        serves_on(&serving).await;
        let updated = serving.update(LIE, truth("truth"), lie("truth"), lie(what)).await;
        let left = init_failed(&updated.expect_err(what));
        assert_eq!((left.id.as_str(), &left.state), ("existing-1", &truth("truth")), "{what}: the last state is kept");
        assert_eq!(left.reasons, [format!("the provider's result can't be used: it returned {said}{BUG}")], "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_malformed_answer_of_a_read_or_a_function_is_the_providers_bug() {
    let serving = liar().await;
    for (what, said) in MALFORMED {
        let status = serving.read(LIE, "lie-1", truth(what), lie(what)).await.expect_err(what);
        assert_eq!(status.code(), Code::Aborted, "{what}");
        assert_eq!(status.message(), format!("read the resource: the provider returned {said}{BUG}{HINT}"));
        let status = serving.invoke("liar:index:tell", lie(what)).await.expect_err(what);
        assert_eq!(status.code(), Code::Aborted, "{what}");
        // A function may return any value, as far as the contract goes.
        if what != "root" && what != "list" {
            assert_eq!(status.message(), format!("call the function: the provider returned {said}{BUG}{HINT}"));
        }
        serves_on(&serving).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_knows_what_a_malformed_state_without_an_id_means() {
    let serving = liar().await;
    let status = serving.create(LIE, lie("forward-without-id")).await.unwrap_err();
    assert_eq!(status.code(), Code::Unknown);
    assert_eq!(
        status.message(),
        format!(
            "create the resource: the provider returned a value tree whose node 0 names node 1, \
             which doesn't come before it, and no id{BUG}{NAMELESS}"
        )
    );
    let left = init_failed(&serving.create(LIE, lie("partial-malformed")).await.unwrap_err());
    assert_eq!((left.id.as_str(), left.state), ("lie-1", Object::new()), "the id is known");
    for without in ["partial-without-reason", "partial-with-empty-reason"] {
        let left = init_failed(&serving.create(LIE, lie(without)).await.unwrap_err());
        assert_eq!(left.reasons, ["the provider gave no reason"], "{without}");
    }
    let status = serving.create(LIE, lie("rejected-without-reason")).await.unwrap_err();
    assert_eq!(status.message(), "create the resource: lie: the provider gave no reason");
    let status = serving.create(LIE, lie("failed-without-reason")).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Aborted, "the provider gave no reason"));
    let status = serving.create(LIE, lie("trap")).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_state_that_does_not_conform_is_recorded_and_told_apart_as_the_providers_bug() {
    let serving = liar().await;
    let missing = |name: &str| format!("missing required property '{name}'");
    for (what, expected) in [
        ("missing", vec![("name", missing("name"))]),
        ("wrong-type", vec![("count", "expected an integer, got a string".to_owned())]),
        ("unknown", vec![("name", "the value isn't known although the operation is over".to_owned())]),
        ("not-a-number", vec![("count", "expected an integer, got a number that isn't one".to_owned())]),
        ("several", vec![("count", missing("count")), ("name", "expected a string, got a boolean".to_owned())]),
    ] {
        let created = init_failed(&serving.create(LIE, lie(what)).await.expect_err(what));
        assert_eq!(created.id, "lie-1", "{what}");
        let updated = serving.update(LIE, truth("truth"), lie("truth"), lie(what)).await;
        let updated = init_failed(&updated.expect_err(what));
        assert_eq!(updated.id, "existing-1", "{what}");
        for reasons in [&created.reasons, &updated.reasons] {
            assert_eq!(reasons.len(), expected.len(), "{what}: {reasons:?}");
            for (reason, (path, why)) in reasons.iter().zip(&expected) {
                let start = format!("the provider returned a state that its schema doesn't allow, at {path}: {why}");
                assert!(reason.starts_with(&start), "{what}: {reason}");
                assert!(reason.ends_with(BUG), "{what}: {reason}");
                assert!(!reason.contains("hunter2"), "{what}: {reason}");
            }
        }
        let read = init_failed(&serving.read(LIE, "lie-1", truth(what), lie(what)).await.expect_err(what));
        assert_eq!(
            (read.id.as_str(), read.inputs, read.reasons),
            ("lie-1", Some(lie(what)), created.reasons),
            "{what}"
        );
        assert_eq!((read.state.first_unknown(), &read.state), (None, &created.state), "{what}");
        let status = serving.invoke("liar:index:tell", lie(what)).await.expect_err(what);
        assert_eq!(status.code(), Code::Aborted, "{what}");
        assert!(status.message().contains(BUG) && !status.message().contains("hunter2"), "{status:?}");
        serves_on(&serving).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_could_be_saved_of_a_state_is_saved() {
    let serving = liar().await;
    let left = init_failed(&serving.create(LIE, lie("missing")).await.unwrap_err());
    assert_eq!(left.state, object([("lie", Value::from("missing")), ("count", 1.0.into())]));
    let left = init_failed(&serving.create(LIE, lie("wrong-type")).await.unwrap_err());
    assert_eq!(left.state["name"], Value::from("n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deletion_cannot_be_partial() {
    let status = liar().await.delete(LIE, truth("truth")).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert_eq!(
        status.message(),
        format!(
            "delete the resource: the provider reported a partial resource in a call that neither makes nor changes one{BUG}{HINT}"
        )
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_number_that_json_has_no_word_for_passes() {
    let serving = liar().await;
    let state = serving.create(LIE, lie("nan")).await.unwrap().state;
    assert!(state["any"].as_number().unwrap().is_nan());
    let read = serving.read(LIE, "lie-1", truth("nan"), lie("nan")).await.unwrap();
    assert!(received(read.properties.unwrap())["any"].as_number().unwrap().is_nan());
}

/// A result that can't be sent to this engine belongs to a resource that exists all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_state_that_cannot_be_sent_does_not_lose_the_resource() {
    let serving = liar().await;
    for (what, property) in [("bytes", "any"), ("reserved-key", "any"), ("sentinel", "name")] {
        let created = init_failed(&serving.create(LIE, lie(what)).await.expect_err(what));
        let updated = serving.update(LIE, truth("truth"), lie("truth"), lie(what)).await;
        let updated = init_failed(&updated.expect_err(what));
        for (left, id) in [(created, "lie-1"), (updated, "existing-1")] {
            assert_eq!(left.id, id, "{what}");
            assert_eq!(left.reasons.len(), 1, "{what}: {:?}", left.reasons);
            assert!(left.reasons[0].contains(&format!("`{property}`")), "{what}: {:?}", left.reasons);
            assert!(left.reasons[0].contains("a bug in the provider"), "{what}: {:?}", left.reasons);
        }
        serves_on(&serving).await;
    }
}

/// Something exists that nobody can name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_knows_what_a_partial_resource_without_an_id_means() {
    let serving = liar().await;
    let status = serving.create(LIE, lie("partial-without-id")).await.unwrap_err();
    assert_eq!(status.code(), Code::Unknown, "{status:?}");
    assert!(status.message().contains("the provider reported a partial resource without an id"), "{status:?}");
    serves_on(&serving).await;
}

/// Engines refuse unknown values in a state to record, and with it the whole resource.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_state_to_record_holds_nothing_unknown() {
    let serving = Serving::start(&guest("liar"), Limits::default()).await.ready(Object::new()).await;
    let left = init_failed(&serving.create("liar:index:Lie", object([("lie", "unknown")])).await.unwrap_err());
    assert_eq!((left.id.as_str(), left.state.first_unknown()), ("lie-1", None));
    assert_eq!(left.state["count"], 1.0.into(), "the rest is saved");
}
