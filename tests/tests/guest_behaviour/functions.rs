//! Functions: answers, and everything that isn't one.

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, object as received, urn, wire};
use bulkhead_value::{Object, Reference, ReferenceId, Value};
use tonic::Code;

use crate::{act, behaviours, guest, object, serves_on};

const ANSWER: &str = "behaviours:index:answer";
const REPORT: &str = "; this is a bug in the provider\nhint: please report it to the provider's author";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_function_returns_an_object_and_secrets_stay_secret() {
    let serving = behaviours().await;
    let answer = serving.invoke(ANSWER, act("well")).await.unwrap();
    assert_eq!((answer.value, answer.failures), (object([("value", 42.0)]), Vec::new()));
    let answer = serving.invoke(ANSWER, act("secret")).await.unwrap().value;
    assert_eq!(answer["value"], Value::List(vec![Value::from("hunter2").secret()].into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_arguments_are_failures_as_data() {
    let serving = behaviours().await;
    let answer = serving.invoke(ANSWER, act("reject")).await.unwrap();
    assert_eq!(
        (answer.value, answer.failures),
        (Object::new(), vec![("act".to_owned(), "must be another".to_owned())])
    );
    for (arguments, property) in
        [(Object::new(), "act"), (act("dance"), "act"), (object([("act", "well"), ("atc", "well")]), "atc")]
    {
        let failures = serving.invoke(ANSWER, arguments).await.unwrap().failures;
        assert_eq!(failures.len(), 1, "{failures:?}");
        assert_eq!(failures[0].0, property, "{failures:?}");
        assert!(!failures[0].1.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_function_may_fail_in_each_way() {
    let serving = behaviours().await;
    for (what, code, message) in [
        ("fail", Code::Aborted, "the oracle is silent".to_owned()),
        ("notFound", Code::NotFound, "there is no oracle".to_owned()),
        ("checkpoint", Code::Unimplemented, "checkpoints have a meaning in create and update only".to_owned()),
        (
            "panic",
            Code::Aborted,
            format!("the provider crashed: wasm trap: wasm `unreachable` instruction executed{REPORT}"),
        ),
        (
            "partial",
            Code::Aborted,
            format!("the provider reported a partial resource in a call that neither makes nor changes one{REPORT}"),
        ),
    ] {
        let status = serving.invoke(ANSWER, act(what)).await.unwrap_err();
        assert_eq!(
            (status.code(), status.message()),
            (code, &*crate::said(what, "call the function", &message)),
            "{what}"
        );
        serves_on(&serving).await;
    }
    let status = serving.invoke(ANSWER, act("unknown")).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    let message = status.message();
    let expected =
        "call the function: the function `behaviours:index:answer` returned what its schema doesn't allow, at value: ";
    assert!(message.starts_with(expected) && message.ends_with(REPORT), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_and_arguments_have_to_be_known() {
    let serving = behaviours().await;
    let status = serving.invoke("behaviours:index:anwser", Object::new()).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(
        status
            .message()
            .starts_with("call the function: the package `behaviours` has no function `behaviours:index:anwser`"),
        "{status:?}"
    );
    let unknown = object([("act", Value::Unknown)]);
    let status = serving.invoke(ANSWER, unknown).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert_eq!(status.message(), "call the function: can't call a function with inputs that aren't known: act");
}

/// FUN-02. Engines send secrets and resources, and take them back; only what isn't known is refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_and_resources_pass_and_what_isnt_known_does_not() {
    let serving = behaviours().await;
    let reference = |id| {
        let urn = urn("behaviours:index:Existing");
        Value::from(Reference { urn, id, package_version: String::new() })
    };
    let giving = |given: Value| object([("act", "back".into()), ("given", given)]);
    for given in [
        object([("deep", Value::from("hunter2").secret())]).into(),
        reference(Some(ReferenceId::Known("existing-1".to_owned()))),
        reference(None),
    ] {
        let answer = serving.invoke(ANSWER, giving(given.clone())).await.unwrap();
        assert_eq!((answer.value, answer.failures), (object([("value", given)]), Vec::new()));
    }
    for given in [object([("deep", Value::Unknown)]).into(), reference(Some(ReferenceId::Unknown))] {
        let status = serving.invoke(ANSWER, giving(given)).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        let expected = "call the function: can't call a function with inputs that aren't known: given";
        assert!(status.message().starts_with(expected), "{status:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_function_knows_whether_a_preview_asks() {
    let serving = Serving::start(&guest("liar"), Limits::default()).await.ready(Object::new()).await;
    for (preview, answer) in [(true, "yes"), (false, "no")] {
        let args = Some(wire(&object([("lie", "whether-a-preview-asks")])));
        let request = pb::InvokeRequest { tok: "liar:index:tell".to_owned(), args, preview };
        let invoked = serving.client.clone().invoke(request).await.expect("it should answer").into_inner();
        assert_eq!(received(invoked.r#return.expect("it should return something"))["name"], answer.into());
    }
}

/// FUN-09.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_function_answers_while_a_create_is_under_way() {
    let serving = behaviours().await;
    let inputs = object([("act", Value::from("wait")), ("amount", 600_000.0.into())]);
    let answering = async {
        serving.said("begun").await;
        let answer = serving.invoke(ANSWER, act("well")).await;
        serving.cancel().await;
        answer
    };
    let (created, answer) = tokio::join!(serving.create("behaviours:index:Running", inputs), answering);
    assert_eq!(answer.unwrap().value, object([("value", 42.0)]));
    assert_eq!(created.unwrap_err().code(), Code::Aborted, "it went on until it was cancelled");
}
