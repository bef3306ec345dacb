//! Configuration on its way to a guest: typed, once, and of nobody else's business.

use std::time::Duration;

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::in_time;
use bulkhead_tests::serving::{Serving, load, missing_keys, object as received, wire};
use bulkhead_value::{Asset, Object, Reference, ReferenceId, Value};
use tonic::Code;

use crate::{act, behaviours, guest, labelled, object, serves_on};

const CONFIGURATION: &str = "behaviours:index:configuration";

/// As engines send it: all but strings as JSON.
fn as_json() -> Object {
    object([
        ("label", "a"),
        ("retries", "3"),
        ("place", r#"{"host":"h","port":8080}"#),
        ("tags", r#"{"a":"1"}"#),
        ("version", "1.2.3"),
    ])
}

fn typed() -> Object {
    object([
        ("label", Value::from("a")),
        ("retries", 3.0.into()),
        ("place", object([("host", Value::from("h")), ("port", 8080.0.into())]).into()),
        ("tags", object([("a", "1")]).into()),
    ])
}

async fn started() -> Serving {
    let serving = Serving::start(&guest("behaviours"), Limits::default()).await;
    serving.handshake(<_>::default()).await;
    serving
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_sees_typed_values_however_they_were_sent() {
    for sent in [as_json(), typed()] {
        let serving = started().await;
        serving.configure(sent).await.unwrap();
        assert_eq!(serving.invoke(CONFIGURATION, Object::new()).await.unwrap().value, typed());
    }
    // The deprecated form.
    let serving = started().await;
    let keys = [("label", "a"), ("retries", "3"), ("place", r#"{"host":"h","port":8080}"#), ("tags", r#"{"a":"1"}"#)];
    let mut variables: std::collections::BTreeMap<String, String> =
        keys.into_iter().map(|(key, value)| (format!("behaviours:config:{key}"), value.to_owned())).collect();
    variables.insert("other:config:label".to_owned(), "b".to_owned());
    let request = pb::ConfigureRequest { variables, accept_secrets: true, ..<_>::default() };
    serving.client.clone().configure(request).await.unwrap();
    assert_eq!(serving.invoke(CONFIGURATION, Object::new()).await.unwrap().value, typed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_newer_form_wins_over_the_deprecated_one() {
    let serving = started().await;
    let variables = [("behaviours:config:label".to_owned(), "old".to_owned())].into();
    let request = pb::ConfigureRequest { variables, args: Some(wire(&labelled("new"))), ..<_>::default() };
    serving.client.clone().configure(request).await.unwrap();
    let seen = serving.invoke(CONFIGURATION, Object::new()).await.unwrap().value;
    assert_eq!(seen["label"], "new".into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_are_read_before_anything_is_negotiated() {
    let serving = Serving::start(&guest("behaviours"), Limits::default()).await;
    let mut configuration = labelled("a");
    configuration.insert("password".to_owned(), Value::from("hunter2").secret());
    configuration.insert("place".to_owned(), Value::from(r#"{"host":"h","port":8080}"#).secret());
    let request = pb::ConfigureRequest { args: Some(wire(&configuration)), ..<_>::default() };
    serving.client.clone().configure(request).await.unwrap();
    let password = serving.invoke("behaviours:index:password", Object::new()).await.unwrap();
    assert_eq!(password.value, object([("length", 7.0)]));
    let seen = serving.invoke(CONFIGURATION, Object::new()).await.unwrap().value;
    assert_eq!(seen["place"].clone().without_secrets(), typed()["place"]);
}

/// What engines write into a configuration is theirs: no failure, no difference, and nothing that a guest sees.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_belongs_to_engines_stays_as_it_is() {
    let engines = |version: &str| {
        let mut configuration = typed();
        for (name, value) in [("version", version), ("pluginDownloadURL", "https://example.com"), ("__internal", "x")] {
            configuration.insert(name.to_owned(), value.into());
        }
        configuration
    };
    let serving = started().await;
    let checked = serving.check_config(engines("1.2.3")).await.unwrap();
    assert_eq!((checked.value, checked.failures), (engines("1.2.3"), Vec::new()));
    let mut other = engines("4.5.6");
    other.insert("pluginDownloadURL".to_owned(), "https://example.org".into());
    let same = serving.diff_config(engines("1.2.3"), other).await.unwrap();
    assert_eq!(same.changes, pb::diff_response::DiffChanges::DiffNone as i32, "{:?}", same.diffs);
    serving.configure(engines("1.2.3")).await.unwrap();
    assert_eq!(serving.invoke(CONFIGURATION, Object::new()).await.unwrap().value, typed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_gives_back_what_it_was_given_and_names_what_is_wrong() {
    let serving = started().await;
    let checked = serving.check_config(as_json()).await.unwrap();
    assert_eq!((checked.value, checked.failures), (as_json(), Vec::new()));
    let wrong = object([("retries", "hunter2"), ("lable", "a")]);
    let failures = serving.check_config(wrong).await.unwrap().failures;
    // Values may be secret, so none is shown: neither here nor by an engine, which shows those that failures name.
    let expected = [
        ("", "lable: unknown property 'lable'; did you mean 'label'?"),
        ("label", "missing required property 'label'"),
        ("", "retries: expected an integer, got a string"),
    ];
    assert_eq!(failures, expected.map(|(property, reason)| (property.to_owned(), reason.to_owned())));
}

/// Engines that destroy or refresh check nothing again, by whichever version of the schema.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_checked_of_a_configuration_is_told_without_its_values_and_taken() {
    let told = async |configuration: Object| -> Vec<String> {
        let serving = started().await;
        serving.configure(configuration).await.unwrap();
        serving.messages().into_iter().map(|message| message.text).collect()
    };
    for right in [as_json(), typed()] {
        assert!(told(right).await.is_empty());
    }
    let mut wrong = labelled("a");
    wrong.insert("lable".to_owned(), "hunter2".into());
    let said = "the provider's configuration isn't what its schema says, at lable: unknown property 'lable'; did you mean 'label'?";
    assert_eq!(told(wrong.clone()).await, [said]);
    wrong.insert("old".to_owned(), Value::from("hunter2").secret());
    assert_eq!(told(wrong).await, [format!("{said}; and 1 more")]);
}

/// Default providers are configured by the stack, others by the program.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_stack_lacks_or_has_too_much_is_told_with_the_command_that_mends_it() {
    let serving = started().await;
    let reasons = async |name: &str, news: &Object| -> Vec<String> {
        let urn = format!("urn:pulumi:dev::p::pulumi:providers:behaviours::{name}");
        let request = pb::CheckRequest { urn, news: Some(wire(news)), ..<_>::default() };
        let checked = serving.client.clone().check_config(request).await.unwrap().into_inner();
        checked.failures.into_iter().map(|failure| failure.reason).collect()
    };
    let missing = "missing required property 'label'";
    let set = " (What the configuration is called); hint: set it with `pulumi config set behaviours:label`";
    assert_eq!(reasons("default_1_2_3", &Object::new()).await, [format!("{missing}{set}")]);
    assert_eq!(reasons("mine", &Object::new()).await, [missing]);

    let surplus = object([("label", "a"), ("old", "b"), ("$(reboot)", "c")]);
    let unknown = ["unknown property '$(reboot)'", "old: unknown property 'old'"];
    let removed = format!("{}; hint: remove it with `pulumi config rm behaviours:old`", unknown[1]);
    assert_eq!(
        reasons("default_1_2_3", &surplus).await,
        [unknown[0], &removed],
        "no shell takes the other one as it is"
    );
    assert_eq!(reasons("mine", &surplus).await, unknown);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_schema_says_is_secret_is_recorded_as_a_secret() {
    let serving = started().await;
    let mut configuration = as_json();
    configuration.insert("password".to_owned(), "hunter2".into());
    let checked = serving.check_config(configuration.clone()).await.unwrap().value;
    configuration.insert("password".to_owned(), Value::from("hunter2").secret());
    assert_eq!(checked, configuration, "and all else as it was given");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_value_in_another_form_is_no_difference() {
    let serving = started().await;
    let mut newer = typed();
    newer.insert("version".to_owned(), "9.9.9".into());
    let same = serving.diff_config(as_json(), newer).await.unwrap();
    assert_eq!(
        (same.changes, same.diffs, same.replaces),
        (pb::diff_response::DiffChanges::DiffNone as i32, vec![], vec![])
    );
    let mut more = as_json();
    more.insert("retries".to_owned(), "4".into());
    let different = serving.diff_config(as_json(), more).await.unwrap();
    assert_eq!((different.diffs, different.replaces), (vec!["retries".to_owned()], vec![]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_reads_its_secrets_and_says_which_it_lacks() {
    let serving = started().await;
    let mut configuration = labelled("a");
    configuration.insert("password".to_owned(), Value::from("hunter2").secret());
    serving.configure(configuration).await.unwrap();
    let password = serving.invoke("behaviours:index:password", Object::new()).await.unwrap();
    assert_eq!(password.value, object([("length", 7.0)]));

    let status = behaviours().await.invoke("behaviours:index:password", Object::new()).await.unwrap_err();
    assert_eq!(status.message(), "call the function: required configuration is missing: password");
    assert_eq!(missing_keys(&status), [("password".to_owned(), "What nobody else may know.".to_owned())].into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_keys_are_named_and_may_be_added() {
    let serving = started().await;
    for missing in [object([("retries", 3.0)]), object([("label", Value::Null)])] {
        let status = serving.configure(missing).await.unwrap_err();
        assert_eq!(status.message(), "configure the provider: required configuration is missing: label");
        assert_eq!(
            missing_keys(&status),
            [("behaviours:label".to_owned(), "What the configuration is called.".to_owned())].into()
        );
    }
    serving.configure(labelled("a")).await.expect("an engine may correct itself");
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_wait_for_the_configuration_and_it_comes_once() {
    let serving = started().await;
    let unready =
        "the provider isn't configured yet\nhint: call Configure first, with an empty configuration if there is none";
    let token = "behaviours:index:Creating";
    for (doing, status) in [
        ("create the resource", serving.create(token, act("succeed")).await.unwrap_err()),
        ("preview the creation", serving.preview(token, act("succeed")).await.unwrap_err()),
        ("check the inputs", serving.check(token, act("succeed")).await.unwrap_err()),
        ("compare the resource", serving.diff(token, act("fail"), act("fail"), act("bug")).await.unwrap_err()),
        ("read the resource", serving.import(token, "made-1").await.unwrap_err()),
        ("update the resource", serving.update(token, act("fail"), act("fail"), act("bug")).await.unwrap_err()),
        ("delete the resource", serving.delete(token, act("fail")).await.unwrap_err()),
        ("call the function", serving.invoke(CONFIGURATION, Object::new()).await.unwrap_err()),
    ] {
        assert_eq!(status.code(), Code::FailedPrecondition, "{doing}");
        assert_eq!(status.message(), format!("{doing}: {unready}"));
    }
    serving.configure(labelled("a")).await.unwrap();
    let status = serving.configure(labelled("b")).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert!(status.message().contains("it was configured before"), "{status:?}");
    assert!(status.message().contains("hint: "), "{status:?}");
    let label = async || serving.invoke(CONFIGURATION, Object::new()).await.unwrap().value["label"].clone();
    assert_eq!(label().await, Value::from("a"));
    serving.handshake(<_>::default()).await;
    assert_eq!(serving.create(token, act("succeed")).await.unwrap_err().code(), Code::FailedPrecondition);
    serving.configure(labelled("b")).await.unwrap();
    assert_eq!(label().await, Value::from("b"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn configurations_of_one_component_do_not_mix() {
    let component = std::fs::read(guest("behaviours").component).unwrap();
    let loaded = load(&component, Limits::default()).unwrap();
    let one = Serving::of(std::sync::Arc::clone(&loaded)).await.ready(labelled("one")).await;
    let two = Serving::of(loaded).await.ready(labelled("two")).await;
    for _ in 0..5 {
        for (serving, label) in [(&one, "one"), (&two, "two")] {
            let created = serving.create("behaviours:index:Counter", Object::new()).await.unwrap();
            assert_eq!(created.state["label"], Value::from(label));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn configuration_that_is_unknown_fails_the_calls_that_need_it_and_no_other() {
    let serving = started().await;
    serving.configure(object([("label", Value::Unknown)])).await.expect("a preview may not know it all");
    let echo = "behaviours:index:Echo";
    assert!(serving.check(echo, Object::new()).await.unwrap().failures.is_empty());
    let (old, new) = (object([("kept", "k")]), object([("kept", "l")]));
    let difference = serving.diff(echo, old.clone(), old, new).await.unwrap();
    assert_eq!(difference.diffs, ["kept"], "to compare needs no configuration");
    assert_eq!(serving.preview(echo, object([("kept", "k")])).await.unwrap()["kept"], Value::from("k"));
    let status = serving.invoke(CONFIGURATION, Object::new()).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert!(status.message().ends_with("the configuration can't be used yet: `label` isn't known yet"), "{status:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_without_handshake_that_accepts_no_secrets_gets_none() {
    let secret = object([("hidden", Value::from("hunter2").secret())]);
    for (accepts, expected) in [(false, Value::from("hunter2")), (true, Value::from("hunter2").secret())] {
        let serving = Serving::start(&guest("behaviours"), Limits::default()).await;
        let args = Some(wire(&labelled("old")));
        let request = pb::ConfigureRequest { args, accept_secrets: accepts, ..<_>::default() };
        serving.client.clone().configure(request).await.unwrap();
        let (echo, existing) = ("behaviours:index:Echo", "behaviours:index:Existing");
        let created = serving.create(echo, secret.clone()).await.unwrap();
        assert_eq!(created.state["hidden"], expected, "accepts secrets: {accepts}");
        let updated = serving.update(echo, created.state, secret.clone(), secret.clone()).await.unwrap();
        assert_eq!(received(updated.properties.unwrap())["hidden"], expected, "accepts secrets: {accepts}");
        let checked = serving.check(echo, secret.clone()).await.unwrap();
        assert_eq!(checked.value["hidden"], expected, "accepts secrets: {accepts}");
        let hidden = |more: Option<(&str, Value)>| -> Object {
            let inputs = [("act", Value::from("live")), ("text", Value::from("hunter2").secret())];
            inputs.into_iter().chain([("style", "plain".into())]).chain(more).collect()
        };
        let state = hidden(Some(("revision", 1.0.into())));
        let read = serving.read(existing, "existing-1", state, hidden(None)).await.unwrap();
        for told in [read.properties, read.inputs] {
            assert_eq!(received(told.unwrap())["text"], expected, "accepts secrets: {accepts}");
        }
    }
}

/// LIFE-05. Nothing can be looked up where nothing is deployed yet: a resource is its id, or its URN if it has none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resources_and_assets_reach_the_guest_as_what_they_stand_for() {
    let urn = bulkhead_tests::serving::urn("behaviours:index:Existing");
    let reference = |id| Value::from(Reference { urn: urn.clone(), id, package_version: String::new() });
    let known = |id: &str| Some(ReferenceId::Known(id.to_owned()));
    let logo = Value::from(Asset::text("a picture"));
    for (neighbour, seen) in [
        (reference(known("existing-1")), "existing-1"),
        (reference(None), urn.as_str()),
        ("existing-2".into(), "existing-2"),
    ] {
        let serving = started().await;
        let configuration = object([("label", "a".into()), ("neighbour", neighbour), ("logo", logo.clone())]);
        let checked = serving.check_config(configuration.clone()).await.unwrap();
        assert_eq!((checked.failures, &checked.value), (Vec::new(), &configuration));
        serving.configure(configuration).await.unwrap();
        let value = serving.invoke(CONFIGURATION, Object::new()).await.unwrap().value;
        assert_eq!((&value["neighbour"], &value["logo"]), (&seen.into(), &logo));
    }
    for id in [Some(ReferenceId::Unknown), known("")] {
        let serving = started().await;
        serving.configure(object([("label", "a".into()), ("neighbour", reference(id))])).await.unwrap();
        let status = serving.invoke(CONFIGURATION, Object::new()).await.unwrap_err();
        let expected = "the configuration can't be used yet: `neighbour` isn't known yet";
        assert!(status.message().ends_with(expected), "{status:?}");
    }
}

/// LIFE-14.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_configuration_that_does_not_work_fails_before_anything_else_runs() {
    let serving = started().await;
    let status = serving.configure(labelled("unreachable")).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Aborted, "nobody answers at `unreachable`"));
    let status = serving.create("behaviours:index:Counter", Object::new()).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition, "{status:?}");
    // The contract has each instance configured once.
    serving.configure(labelled("first")).await.unwrap();
    serves_on(&serving).await;
}

/// The engine may give another one then, and that is the only one that anything is given. What is read has no grace: the guest has
/// a moment to take the first one, which it misses where a machine is busy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_configuration_that_nobody_waits_for_any_more_is_none_though_the_guest_took_it() {
    in_time(50, async || {
        let serving = started().await;
        tokio::select! {
            configured = serving.configure(labelled("slow")) => panic!("an hour passed: {configured:?}"),
            () = serving.said("connecting") => {}
        }
        let took = tokio::time::timeout(Duration::from_millis(500), serving.said("connected")).await;
        serving.configure(labelled("well")).await.unwrap();
        for _ in 0..3 {
            let label = serving.invoke(CONFIGURATION, Object::new()).await.unwrap().value["label"].clone();
            assert_eq!(label, Value::from("well"));
        }
        took.ok()
    })
    .await;
}
