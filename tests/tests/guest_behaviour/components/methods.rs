//! Methods: of components, of custom resources and of the provider itself.

use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::{calling, construction};
use bulkhead_tests::monitor::{Monitor, Nature, urn};
use bulkhead_value::{Object, Reference, Value};
use tonic::Code;

use super::{COMPOSER, act, composer, output};
use crate::object;

const RESIZE: &str = "composer:index:Composer/resize";
const REPORT: &str = "; this is a bug in the provider\nhint: please report it to the provider's author";

/// The resource that a method is called on.
fn own(urn: &str) -> (&'static str, Value) {
    let urn = urn.to_owned();
    ("__self__", Value::from(Reference { urn, id: None, package_version: String::new() }))
}

/// Arguments of a method that does as it is told.
fn acting(what: &str) -> Object {
    [own("urn:of:it"), ("act", what.into())].into_iter().collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_method_looks_its_component_up_in_the_engine() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let constructed =
        serving.construct(construction(&monitor, COMPOSER, act("", [("size", 7.0.into())]))).await.unwrap();
    let called = serving.call(calling(&monitor, RESIZE, [own(&constructed.urn)].into_iter().collect())).await.unwrap();
    let expected: Object =
        [("size", Value::from(7.0)), ("urn", urn("", COMPOSER, "name").into())].into_iter().collect();
    assert_eq!((called.value, called.failures), (expected, vec![]));
    assert_eq!(monitor.asked().invokes.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn methods_are_called_on_custom_resources_and_on_the_provider_too() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    for (token, expected) in [
        ("composer:index:Part/describe", ("said", "a part, urn:of:it")),
        ("pulumi:providers:composer/whoami", ("said", "I am urn:of:it")),
        // What isn't an object travels in one.
        ("composer:index:Composer/describe", ("res", "label of urn:of:it")),
    ] {
        let called = serving.call(calling(&monitor, token, [own("urn:of:it")].into_iter().collect())).await.unwrap();
        assert_eq!(called.value, object([expected]), "{token}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_method_gets_its_arguments_as_they_are() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let by = output(None, true, &["urn:of:by"]);
    let arguments = acting("arguments").into_map().into_iter().chain([("by".to_owned(), by)]).collect();
    let dependencies = pb::call_request::ArgumentDependencies { urns: vec!["urn:of:more".to_owned()] };
    let request = pb::CallRequest {
        arg_dependencies: [("by".to_owned(), dependencies)].into(),
        dry_run: true,
        ..calling(&monitor, RESIZE, arguments)
    };
    let called = serving.call(request).await.unwrap();
    assert_eq!(
        called.value["urn"].as_str().unwrap(),
        "reference(urn:of:it) arguments output(unknown, secret, urn:of:by) {__self__, act, by}; by: urn:of:more; preview true"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_schema_says_is_secret_of_arguments_is_so_to_the_method() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let code = ("code".to_owned(), Value::from("4711"));
    let arguments = acting("arguments").into_map().into_iter().chain([code]).collect();
    let called = serving.call(calling(&monitor, RESIZE, arguments)).await.unwrap();
    let said = "reference(urn:of:it) arguments 4711 secret {__self__, act, code}; ; preview false";
    assert_eq!(called.value["urn"], said.into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_say_what_they_depend_on_or_the_answer_does_beside_them() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let urns = ["size", "output", "all"].map(|name| format!("urn:of:{name}")).into();
    let told = pb::call_request::ArgumentDependencies { urns };
    let calling = |what| pb::CallRequest {
        arg_dependencies: [("act".to_owned(), told.clone())].into(),
        ..calling(&monitor, RESIZE, acting(what))
    };
    let request = calling("outputs");
    let newer = serving.call(request.clone()).await.unwrap();
    assert_eq!(newer.value["size"], output(Some(2.0.into()), false, &["urn:of:output"]));
    assert_eq!(newer.dependencies["size"], ["urn:of:size"]);
    let older = serving.call(pb::CallRequest { accepts_output_values: false, ..request }).await.unwrap();
    assert_eq!(older.value["size"], Value::from(2.0));
    assert_eq!(older.dependencies["size"], ["urn:of:output", "urn:of:size"]);
    let whole = serving.call(calling("whole")).await.unwrap();
    assert_eq!(
        whole.value["size"],
        output(Some(2.0.into()), true, &["urn:of:all"]),
        "what is said of all is said of each"
    );
    let secret = serving.call(calling("secret")).await.unwrap();
    assert_eq!(secret.value["key"], Value::from("hunter2 hunter2").secret());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_arguments_are_failures_as_data() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let called = serving.call(calling(&monitor, RESIZE, acting("reject"))).await.unwrap();
    assert_eq!(called.failures, [("by".to_owned(), "must be more".to_owned())]);
    assert!(called.value.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_method_may_fail_and_may_return_what_it_must_not() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let method = format!("the method `{RESIZE}` returned");
    for (what, said) in [
        ("fail", "it doesn't budge".to_owned()),
        ("text", format!("{method} something that isn't an object{REPORT}")),
        ("wrong", format!("{method} what its schema doesn't allow, at urn: expected a string, got a boolean{REPORT}")),
        (
            "unknown",
            format!(
                "{method} what its schema doesn't allow, at key: the value isn't known although the operation is over{REPORT}"
            ),
        ),
    ] {
        let status = serving.call(calling(&monitor, RESIZE, acting(what))).await.unwrap_err();
        assert_eq!(
            (status.code(), status.message()),
            (Code::Aborted, &*crate::said(what, "call the method", &said)),
            "{what}"
        );
    }
    let request = pb::CallRequest { dry_run: true, ..calling(&monitor, RESIZE, acting("unknown")) };
    let called = serving.call(request).await.unwrap();
    let unknown = [("key", Value::Unknown.secret()), ("size", Value::Unknown), ("urn", Value::Unknown)];
    assert_eq!(called.value, unknown.into_iter().collect::<Object>(), "a preview may not know");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_method_knows_the_deployment_and_says_where_its_requests_come_from() {
    let (serving, older) = (composer().await, Monitor::of(Nature { says: false, ..Nature::default() }).await);
    let request = pb::CallRequest {
        organization: "home".to_owned(),
        project: "told".to_owned(),
        stack: "test".to_owned(),
        config: [("told:a", "1"), ("told:b", "2")].map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
        config_secret_keys: vec!["told:b".to_owned()],
        parallel: 4,
        ..calling(&older, RESIZE, acting("describe"))
    };
    let called = serving.call(request).await.unwrap();
    let expected = "home/told/test, preview false, parallel 4, told:a=1 told:b=2 (secret)";
    assert_eq!(called.value["urn"].as_str(), Some(expected));

    let constructed = serving.construct(construction(&older, COMPOSER, act("", []))).await.unwrap();
    let request = calling(&older, RESIZE, [own(&constructed.urn)].into_iter().collect());
    serving.call(pb::CallRequest { stack_trace_handle: "trace-7".to_owned(), ..request }).await.unwrap();
    assert_eq!(older.asked().invokes[0].parent_stack_trace_handle, "trace-7");
}
