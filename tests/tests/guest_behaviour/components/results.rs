//! What a component may return, and what is said when it returns something else.

use bulkhead::component::{Limits, embed};
use bulkhead_proto::errors::InputPropertiesError;
use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::{calling, construction};
use bulkhead_tests::monitor::{Monitor, Reaction, urn};
use bulkhead_tests::serving::{Serving, detail};
use bulkhead_value::{Object, Reference, Value};
use tonic::Code;

use super::{COMPOSER, PART, act, composer, output};
use crate::{behaviours, guest, object};

const REPORT: &str = "; this is a bug in the provider\nhint: please report it to the provider's author";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outputs_say_what_they_depend_on_or_the_answer_does_beside_them() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let size = output(Some("x".into()), false, &["urn:of:size"]);
    let request = pb::ConstructRequest {
        dependencies: ["any", "said"].map(|name| format!("urn:of:{name}")).into(),
        ..construction(&monitor, COMPOSER, act("dependencies", [("size", size.clone())]))
    };

    let newer = serving.construct(request.clone()).await.unwrap();
    assert_eq!(newer.state["any"], output(Some("any".into()), false, &["urn:of:any"]));
    assert_eq!(newer.state["size"], size);
    assert_eq!(newer.dependencies, [("said".to_owned(), vec!["urn:of:said".to_owned()])].into());

    let older = serving.construct(pb::ConstructRequest { accepts_output_values: false, ..request }).await.unwrap();
    assert_eq!((&older.state["any"], &older.state["size"]), (&"any".into(), &"x".into()));
    let of = |name: &str| older.dependencies.get(name).cloned().unwrap_or_default();
    assert_eq!((of("any"), of("said"), of("size")), (one("any"), one("said"), one("size")));
}

/// VAL-28: known or not, secret or not, for an engine that takes outputs and for one that doesn't.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_output_keeps_all_that_is_said_of_it_or_what_the_engine_takes() {
    let (serving, monitor) = (composer().await, Monitor::preview().await);
    for (known, secret) in [(true, false), (true, true), (false, false), (false, true)] {
        let size = output(known.then(|| "x".into()), secret, &["urn:of:size"]);
        let value = if known { Value::from("x") } else { Value::Unknown };
        let plain = if secret { value.secret() } else { value };
        let inputs = act("", [("size", size.clone())]);
        let request = pb::ConstructRequest { dry_run: true, ..construction(&monitor, COMPOSER, inputs) };
        let newer = serving.construct(request.clone()).await.unwrap();
        assert_eq!(newer.state["size"], size);
        let older = serving.construct(pb::ConstructRequest { accepts_output_values: false, ..request }).await.unwrap();
        assert_eq!((&older.state["size"], &older.dependencies["size"]), (&plain, &one("size")), "{known} {secret}");

        let own = Reference { urn: "urn:of:it".to_owned(), id: None, package_version: String::new() };
        let arguments = object([
            ("__self__", Value::from(own)),
            ("act", "return".into()),
            ("by", output(known.then(|| 2.0.into()), secret, &["urn:of:by"])),
        ]);
        let request =
            pb::CallRequest { dry_run: true, ..calling(&monitor, "composer:index:Composer/resize", arguments) };
        let newer = serving.call(request.clone()).await.unwrap();
        assert_eq!(newer.value["size"], output(known.then(|| 2.0.into()), secret, &["urn:of:by"]));
        let older = serving.call(pb::CallRequest { accepts_output_values: false, ..request }).await.unwrap();
        let value = if known { Value::from(2.0) } else { Value::Unknown };
        let plain = if secret { value.secret() } else { value };
        assert_eq!((&older.value["size"], &older.dependencies["size"]), (&plain, &one("by")), "{known} {secret}");
    }
}

fn one(name: &str) -> Vec<String> {
    vec![format!("urn:of:{name}")]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_schema_says_is_secret_stays_secret() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let key = Value::from("correct horse").secret();
    let constructed =
        serving.construct(construction(&monitor, COMPOSER, act("", [("key", key.clone())]))).await.unwrap();
    assert_eq!(constructed.state["key"], key, "the component returned it in clear");
    assert_eq!(monitor.asked().outputs[&constructed.urn]["key"], key, "and put it on record so");
    // Nobody checks the inputs of a component, which a program may have given in clear.
    let engine = Monitor::start().await;
    let given = construction(&engine, COMPOSER, act("kept", [("key", "4711".into())]));
    let constructed = serving.construct(given).await.unwrap();
    let key = Value::from("4711").secret();
    assert_eq!(engine.asked().inputs("name")["key"], key, "the engine records what a component registers itself with");
    assert_eq!(constructed.state["key"], key);
    let size = output(Some("x".into()), true, &["urn:of:size"]);
    let constructed =
        serving.construct(construction(&monitor, COMPOSER, act("", [("size", size.clone())]))).await.unwrap();
    assert_eq!(constructed.state["size"], size, "to be secret twice is no more than to be secret");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_inputs_are_told_one_by_one() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let status = serving.construct(construction(&monitor, COMPOSER, act("reject", []))).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (Code::InvalidArgument, "construct the component: 2 inputs are wrong")
    );
    let errors = detail::<InputPropertiesError>(&status).unwrap().errors;
    let told: Vec<(&str, &str)> = errors.iter().map(|error| (&*error.property_path, &*error.reason)).collect();
    assert_eq!(told, [("size", "must be even"), ("list[1]", "must be there")]);
    // An engine shows the value beside what is wrong with it, a secret one too.
    let inputs = act("reject", [("size", Value::from(3.0).secret())]);
    let status = serving.construct(construction(&monitor, COMPOSER, inputs)).await.unwrap_err();
    let expected = "construct the component: 2 inputs are wrong: size: must be even; list[1]: must be there";
    assert_eq!((status.message(), status.details()), (expected, &[][..]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_check_runs_on_inputs_and_the_component_sees_them_as_they_are() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let inputs = act(
        "inputs",
        [
            ("another", Value::from("x").secret()),
            ("size", output(None, true, &["urn:of:size"])),
            ("unknown", Value::Unknown),
            ("any", Value::from(Reference { urn: "urn:of:any".into(), id: None, package_version: "1.2.3".into() })),
        ],
    );
    let dependencies = pb::construct_request::PropertyDependencies { urns: vec!["urn:of:another".to_owned()] };
    let request = pb::ConstructRequest {
        input_dependencies: [("another".to_owned(), dependencies)].into(),
        dry_run: true,
        ..construction(&monitor, COMPOSER, inputs)
    };
    let constructed = serving.construct(request).await.unwrap();
    assert_eq!(
        constructed.state["said"].as_str().unwrap(),
        "inputs x secret reference(urn:of:any) output(unknown, secret, urn:of:size) unknown \
         {act, another, any, size, unknown}; another: urn:of:another; preview true"
    );
}

/// An SDK computes with them, and what comes of that is recorded in other places than they are.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_schema_says_is_secret_is_so_to_the_component() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    for key in [Value::from("4711"), Value::from("4711").secret()] {
        let constructed = serving.construct(construction(&monitor, COMPOSER, act("inputs", [("key", key)])));
        let said = constructed.await.unwrap().state["said"].clone();
        assert_eq!(said, "inputs 4711 secret {act, key}; ; preview false".into());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_that_cant_be_one_are_the_providers_bug() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let component = format!("the component `{COMPOSER}` returned");
    for (what, said) in [
        ("no-urn", format!("{component} no URN{REPORT}")),
        ("forge", format!("{component} the URN of something else than a component that it registered{REPORT}")),
        ("unregistered", format!("{component} the URN of something else than a component that it registered{REPORT}")),
        (
            "wrong",
            format!("{component} what its schema doesn't allow, at said: expected a string, got a number{REPORT}"),
        ),
        (
            "unknown",
            format!(
                "{component} what its schema doesn't allow, at any: the value isn't known although the operation is over{REPORT}"
            ),
        ),
    ] {
        let status = serving.construct(construction(&monitor, COMPOSER, act(what, []))).await.unwrap_err();
        assert_eq!((status.code(), status.message()), (Code::Aborted, &*format!("construct the component: {said}")));
    }
    let status = serving.construct(construction(&monitor, COMPOSER, act("fail", []))).await.unwrap_err();
    assert_eq!(status.message(), "it can't be composed");
}

/// A monitor that does as `reaction` says with each custom resource.
async fn reacting_to_children(reaction: Reaction) -> Monitor {
    let react = move |of: &bulkhead_proto::resource::RegisterResourceRequest| match of.custom {
        true => reaction.clone(),
        false => Reaction::Answers,
    };
    Monitor::reacting(react).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_engine_leaves_out_isnt_known_and_left_out() {
    let (serving, monitor) = (composer().await, reacting_to_children(Reaction::LeavesOut).await);
    let constructed =
        serving.construct(construction(&monitor, COMPOSER, act("children", [("size", 1.0.into())]))).await;
    let state = constructed.unwrap().state;
    assert_eq!(state, [("size", 1.0)].into_iter().collect::<Object>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_fails_with_what_the_engine_goes_on_without() {
    for what in ["children", "unjoined"] {
        let (serving, monitor) = (composer().await, reacting_to_children(Reaction::Fails).await);
        let status = serving.construct(construction(&monitor, COMPOSER, act(what, []))).await.unwrap_err();
        let said = status.message();
        assert!(
            said.ends_with("the engine goes on without it, since it or what it depends on failed"),
            "{what}: {said}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_there_is_nothing_of_is_named() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let construct = async |token: &str| {
        let status = serving.construct(construction(&monitor, token, act("", []))).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        status.message().to_owned()
    };
    assert_eq!(
        construct("composer:index:Compser").await,
        "construct the component: the package `composer` has no component resource `composer:index:Compser`\n\
         hint: did you mean `composer:index:Composer`?"
    );
    assert_eq!(
        construct(PART).await,
        "construct the component: `composer:index:Part` is a custom resource: it is created, not constructed"
    );
    let status = serving.call(calling(&monitor, "composer:index:Composer/rezise", Object::new())).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (
            Code::InvalidArgument,
            "call the method: the package `composer` has no method `composer:index:Composer/rezise`\n\
             hint: did you mean `composer:index:Composer/resize`?"
        )
    );
    let nobody =
        pb::ConstructRequest { monitor_endpoint: String::new(), ..construction(&monitor, COMPOSER, act("", [])) };
    let status = serving.construct(nobody).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (
            Code::InvalidArgument,
            "construct the component: the request names no resource monitor to be used: `monitorEndpoint` is empty"
        )
    );
    assert!(monitor.asked().registrations.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_without_components_has_neither_call() {
    let (serving, monitor) = (behaviours().await, Monitor::start().await);
    let construct = serving.construct(construction(&monitor, "behaviours:index:Creating", Object::new())).await;
    assert_eq!(construct.unwrap_err().code(), Code::Unimplemented);
    let call = serving.call(calling(&monitor, "behaviours:index:Creating/call", Object::new())).await;
    assert_eq!(call.unwrap_err().code(), Code::Unimplemented);
}

/// As in published schemas of bridged providers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_whose_own_methods_have_no_code_serves_everything_else() {
    const METHOD: &str = "pulumi:providers:tls/terraformConfig";
    let schema = r#"{"name":"tls","version":"1.0.0","provider":{"methods":{"terraformConfig":"METHOD"}},
        "functions":{"METHOD":{"inputs":{"properties":{"__self__":{"$ref":"pulumi.json#/Any"}}}}},
        "resources":{"tls:index:Chart":{"isOverlay":true,"isComponent":true}}}"#;
    let schema = schema.replace("METHOD", METHOD);
    let liar = std::fs::read(guest("liar").component).unwrap();
    let component = embed(&liar, schema.as_bytes(), br#"{"manifestVersion":1,"contract":"0.1.0"}"#).unwrap();
    let loaded = bulkhead_tests::serving::load(&component, Limits::default()).unwrap();
    let (serving, monitor) = (Serving::of(loaded).await.ready(Object::new()).await, Monitor::start().await);
    let status = serving.call(calling(&monitor, METHOD, Object::new())).await.unwrap_err();
    let message = "the provider has no component resources and no methods";
    assert_eq!((status.code(), status.message().contains(message)), (Code::Unimplemented, true), "{status:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_value_is_accepted() {
    let serving = Serving::start(&guest("composer"), Default::default()).await;
    let told = serving.handshake(pb::ProviderHandshakeRequest::default()).await;
    assert!(told.accept_secrets && told.accept_resources && told.accept_outputs && told.accepts_outputs_in_call);
    let configured = serving.configure([("label", "x")].into_iter().collect()).await.unwrap();
    assert!(configured.accept_secrets && configured.accept_resources && configured.accept_outputs);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn components_wait_for_the_configuration() {
    let (serving, monitor) = (Serving::start(&guest("composer"), Default::default()).await, Monitor::start().await);
    serving.handshake(pb::ProviderHandshakeRequest::default()).await;
    let status = serving.construct(construction(&monitor, COMPOSER, act("", []))).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    let itself = object([("__self__", urn("", COMPOSER, "name"))]);
    let status = serving.call(calling(&monitor, "composer:index:Composer/describe", itself)).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
}
