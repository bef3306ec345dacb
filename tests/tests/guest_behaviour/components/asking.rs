//! What else a component asks the engine for, and where it may.

use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::construction;
use bulkhead_tests::monitor::{CALLED, Monitor, Nature, urn};
use bulkhead_value::{Object, Value};
use tonic::Code;

use super::{COMPOSER, PART, act, composer, output};
use crate::object;

const MUCH: &str = "more than 256 MiB are on their way to the engine: wait for some of it before sending more";

/// What a component returned as `said`.
async fn said(what: &str, monitor: &Monitor) -> String {
    let constructed = composer().await.construct(construction(monitor, COMPOSER, act(what, []))).await.unwrap();
    constructed.state["said"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_deployment_is_described_by_the_monitor_or_by_the_request() {
    let config = "deployed:region=west deployed:token=hunter2 (secret) other:region=east";
    assert_eq!(
        said("describe", &Monitor::start().await).await,
        format!("acme/deployed/dev, preview false, parallel 16, {config}")
    );

    let older = Monitor::of(Nature { says: false, ..Nature::default() }).await;
    let request = pb::ConstructRequest {
        organization: "home".to_owned(),
        project: "told".to_owned(),
        stack: "test".to_owned(),
        config: [("told:a", "1"), ("told:b", "2"), ("composer:c", "3"), ("other:d", "another's")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        config_secret_keys: ["told:b", "composer:c", "other:d"].map(str::to_owned).into(),
        parallel: 4,
        ..construction(&older, COMPOSER, act("describe", []))
    };
    let constructed = composer().await.construct(request).await.unwrap();
    assert_eq!(
        constructed.state["said"].as_str().unwrap(),
        "home/told/test, preview false, parallel 4, composer:c=3 (secret) told:a=1 told:b=2 (secret)",
        "what another package is configured with in secret is its own"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_engine_is_there_only_while_a_component_is_constructed() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let outside =
        "Error::Unsupported(\"the engine can be used only while a component is constructed or a method runs\")";
    let answer = serving.invoke("composer:index:outside", Object::new()).await.unwrap().value;
    let said: Vec<&str> = answer["said"].as_str().unwrap().lines().collect();
    assert_eq!(said, [outside; 7], "deployment, register, read, outputs, hydrate, invoke, call");

    // Several at once, so that there are instances that were configured for the sake of a construct.
    let construct = || serving.construct(construction(&monitor, COMPOSER, act("configured", [])));
    let all = tokio::join!(construct(), construct(), construct());
    for constructed in [all.0, all.1, all.2] {
        assert_eq!(constructed.unwrap().state["said"].as_str().unwrap(), outside);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resource_is_read_and_looked_up() {
    let monitor = Monitor::start().await;
    let own = urn("", COMPOSER, "name");
    let part = urn(&own, PART, "name-1");
    assert_eq!(said("read", &monitor).await, format!("{part} found found {{found}}"));
    let read = &monitor.asked().reads[0];
    assert_eq!((&*read.id, &*read.r#type, &*read.parent), ("found", PART, &*own));
    assert!(read.accept_secrets && read.accept_resources);

    assert_eq!(said("hydrate", &monitor).await, format!("{own}  made of name {{made}}"));
    assert_eq!(monitor.asked().invokes[0].tok, "pulumi:pulumi:getResource");
}

/// What the user gave the component may be right all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arguments_that_a_function_rejects_are_no_wrong_inputs_of_the_component_that_gave_them() {
    let monitor = Monitor::start().await;
    let request = construction(&monitor, COMPOSER, act("invoke", [("size", "too much".into())]));
    let status = composer().await.client.clone().construct(request).await.unwrap_err();
    let message = "call the function `other:index:ask`: size: must be less";
    assert_eq!((status.code(), status.message()), (Code::Aborted, message));
    assert!(status.details().is_empty(), "{status:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn functions_get_plain_arguments_and_their_results_remember_what_those_were() {
    let serving = composer().await;
    let answer = |size: Value| -> Value {
        let with = object([("size", size)]);
        object([("asked", Value::from("other:index:ask")), ("with", with.into())]).into()
    };
    for (given, expected) in [
        (Value::from("x"), answer("x".into())),
        (Value::from("x").secret(), output(Some(answer("x".into())), true, &[])),
        (output(Some("x".into()), false, &["urn:of:x"]), output(Some(answer("x".into())), false, &["urn:of:x"])),
    ] {
        let monitor = Monitor::start().await;
        let request = construction(&monitor, COMPOSER, act("invoke", [("size", given)]));
        let constructed = serving.construct(request).await.unwrap();
        assert_eq!(constructed.state["any"], expected);
        let asked = &monitor.asked().invokes[0];
        let depends_on = match &expected {
            Value::Output(output) => output.dependencies.clone(),
            _ => Vec::new(),
        };
        assert_eq!((&asked.depends_on, &*asked.version), (&depends_on, ""), "the engine sees whether that is there");
        assert_eq!(asked.parent, urn("", COMPOSER, "name"));
    }

    let monitor = Monitor::preview().await;
    let unknown = output(None, true, &["urn:of:x"]);
    let request = construction(&monitor, COMPOSER, act("invoke", [("size", unknown.clone())]));
    let constructed = serving.construct(pb::ConstructRequest { dry_run: true, ..request }).await.unwrap();
    assert_eq!(constructed.state["any"], unknown);
    assert!(monitor.asked().invokes.is_empty(), "nobody is called with what isn't known");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_method_is_called_on_a_child() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let request = construction(&monitor, COMPOSER, act("call", []));
    let request = pb::ConstructRequest { stack_trace_handle: "trace-7".to_owned(), ..request };
    let constructed = serving.construct(request).await.unwrap();
    let result = constructed.state["any"].as_object().unwrap();
    assert_eq!(result["called"], output(Some("composer:index:Part/describe".into()), false, &[CALLED]));
    let call = &monitor.asked().calls[0];
    assert_eq!((&*call.tok, &*call.parent_stack_trace_handle), ("composer:index:Part/describe", "trace-7"));
    assert!(call.arg_dependencies["__self__"].urns.is_empty(), "whoever gets a reference follows it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_make_no_sense_are_the_components_bugs() {
    let monitor = Monitor::start().await;
    for (what, expected) in [
        ("twice", "done, Error::Bug(\"a request to the engine was waited for twice\")"),
        (
            "malformed",
            "Error::Bug(\"the provider passed a value tree whose node 0 names node 7, which doesn't come before it\")",
        ),
        ("anonymous", "Error::Bug(\"reading a resource takes its id, which is empty\")"),
        ("nameless", "Error::Bug(\"a resource needs a type token and a name to be registered\")"),
    ] {
        assert_eq!(said(what, &monitor).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_cant_have_the_host_remember_without_end() {
    let serving = composer().await;
    for (what, expected) in [
        ("many", "more than 10000 requests to the engine are under way: wait for some before making others"),
        ("large", MUCH),
        ("much-asked", MUCH),
        ("much-output", MUCH),
    ] {
        let monitor = Monitor::reacting(|of| match of.custom {
            true => bulkhead_tests::monitor::Reaction::Hangs,
            false => bulkhead_tests::monitor::Reaction::Answers,
        })
        .await;
        let status = serving.construct(construction(&monitor, COMPOSER, act(what, []))).await.unwrap_err();
        assert_eq!((status.code(), status.message()), (Code::Aborted, expected));
    }
}
