//! A component registers itself and its children with the monitor that the request names.

use std::time::Duration;

use bulkhead_proto::alias::{Alias, alias};
use bulkhead_proto::provider as pb;
use bulkhead_proto::resource::register_resource_request as registering;
use bulkhead_tests::composing::construction;
use bulkhead_tests::monitor::{Monitor, Nature, Reaction, urn};
use bulkhead_value::wire::encode;
use bulkhead_value::{Archive, ArchiveSource, Object, Output, Reference, Value};
use tonic::Code;

use super::{COMPOSER, PART, act, composer, output};

/// How long a child takes where what others do meanwhile would be seen.
const PAUSE: Duration = Duration::from_millis(300);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_registers_itself_and_its_children_and_then_its_outputs() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let request = construction(&monitor, COMPOSER, act("children", [("size", 3.0.into())]));
    let constructed = serving.construct(request).await.unwrap();

    let own = urn("", COMPOSER, "name");
    assert_eq!(constructed.urn, own);
    let asked = monitor.asked();
    let mut names = asked.names();
    assert_eq!(names.remove(0), "name");
    names.sort_unstable();
    assert_eq!(names, ["name-1", "name-2", "name-3"]);
    let component = asked.registration("name");
    assert_eq!((component.r#type.as_str(), component.custom, component.remote), (COMPOSER, false, false));
    let child = asked.registration("name-2");
    assert_eq!((child.r#type.as_str(), child.custom, child.parent.as_str()), (PART, true, own.as_str()));
    assert_eq!(asked.inputs("name-2"), [("size", 3.0), ("number", 2.0)].into_iter().collect::<Object>());

    let part = |n: u32| {
        Value::from(Output {
            value: Some(Box::new(format!("made of name-{n}").into())),
            secret: false,
            dependencies: vec![format!("urn:pulumi:dev::project::{COMPOSER}${PART}::name-{n}")],
        })
    };
    let made = Value::List((1..=3).map(part).collect());
    assert_eq!(constructed.state["made"], made, "each output says what it depends on");
    assert_eq!(asked.outputs.keys().collect::<Vec<_>>(), [&own]);
    let plain = (1..=3).map(|n| Value::from(format!("made of name-{n}"))).collect();
    assert_eq!(asked.outputs[&own]["made"], Value::List(plain), "the engine itself takes no outputs here");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn children_register_side_by_side() {
    let (serving, monitor) = (composer().await, slow_parts(Nature::default(), Duration::from_secs(3)).await);
    serving.construct(construction(&monitor, COMPOSER, act("children", []))).await.unwrap();
    assert_eq!(monitor.asked().at_once, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_one_operation_runs_at_a_time_requests_dont_overlap() {
    for nature in [
        Nature { parallel: 1, ..Nature::default() },
        Nature { parallel: 0, ..Nature::default() },
        Nature { says: false, ..Nature::default() },
    ] {
        let (serving, monitor) = (composer().await, slow_parts(nature, PAUSE).await);
        let request = construction(&monitor, COMPOSER, act("children", []));
        serving.construct(pb::ConstructRequest { parallel: 1, ..request }).await.unwrap();
        let asked = monitor.asked();
        assert_eq!((asked.at_once, asked.answered.len()), (1, 4));
    }
}

/// A monitor that takes its time for children.
async fn slow_parts(nature: Nature, time: Duration) -> Monitor {
    let waits = move |part: &bulkhead_proto::resource::RegisterResourceRequest| match part.custom {
        true => Reaction::Waits(time),
        false => Reaction::Answers,
    };
    Monitor::of(Nature { reacts: Box::new(waits), ..nature }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preview_constructs_with_what_the_engine_knows() {
    let (serving, monitor) = (composer().await, Monitor::preview().await);
    let request = construction(&monitor, COMPOSER, act("children", [("size", Value::Unknown)]));
    let constructed = serving.construct(pb::ConstructRequest { dry_run: true, ..request }).await.unwrap();
    let made = constructed.state["made"].as_list().unwrap();
    let child = urn(&constructed.urn, PART, "name-1");
    assert_eq!(
        made[0],
        output(None, false, &[&child]),
        "nothing is made yet, and still it is known what it comes from"
    );
    assert_eq!(constructed.state["size"], Value::Unknown);
    assert_eq!(monitor.asked().inputs("name-3")["size"], Value::Unknown);
}

/// "Replace it when the sources change": the component is registered with the options that it was given.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_may_trigger_the_replacement_of_a_component() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let source = ArchiveSource::Path("./app".to_owned());
    let app = Value::from(Archive { hash: Some("0".repeat(64)), source });
    let app = encode::value(&app, &encode::Capabilities::ALL).unwrap();
    let trigger = bulkhead_proto::raw::Value::from_bytes(app.clone());
    let request = construction(&monitor, COMPOSER, act("refer", []));
    serving.construct(pb::ConstructRequest { replacement_trigger: Some(trigger), ..request }).await.unwrap();
    let asked = monitor.asked();
    assert_eq!(asked.registration("name").replacement_trigger.as_ref().unwrap().as_bytes(), app);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_option_reaches_the_component() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let strings = |of: &str| vec![format!("{of}-1"), format!("{of}-2")];
    let spec = |parent| {
        let [name, r#type, stack, project] = ["old", COMPOSER, "an-old-stack", "an-old-project"].map(str::to_owned);
        alias::Alias::Spec(alias::Spec { name, r#type, stack, project, parent })
    };
    let aliases: Vec<Alias> = [
        alias::Alias::Urn(urn("", COMPOSER, "before")),
        spec(None),
        spec(Some(alias::spec::Parent::NoParent(true))),
        spec(Some(alias::spec::Parent::ParentUrn(urn("", COMPOSER, "parent")))),
    ]
    .map(|alias| Alias { alias: Some(alias) })
    .into();
    let trigger = output(Some("again".into()), true, &["urn:of:trigger"]);
    let request = pb::ConstructRequest {
        parent: urn("", COMPOSER, "above"),
        protect: Some(false),
        dependencies: strings("first"),
        providers: [("aws".to_owned(), "urn::id".to_owned())].into(),
        additional_secret_outputs: strings("secret"),
        custom_timeouts: Some(pb::construct_request::CustomTimeouts {
            create: "1h30m".to_owned(),
            update: "2µs".to_owned(),
            delete: "3m".to_owned(),
            read: "4ms".to_owned(),
        }),
        deleted_with: urn("", COMPOSER, "with"),
        delete_before_replace: Some(false),
        ignore_changes: strings("ignored"),
        replace_on_changes: strings("replaced"),
        retain_on_delete: Some(true),
        resource_hooks: Some(pb::construct_request::ResourceHooksBinding {
            before_create: strings("before-create"),
            after_create: strings("after-create"),
            before_update: strings("before-update"),
            after_update: strings("after-update"),
            before_delete: strings("before-delete"),
            after_delete: strings("after-delete"),
            on_error: strings("error"),
        }),
        stack_trace_handle: "trace-7".to_owned(),
        replace_with: strings("along"),
        aliases: aliases.clone(),
        replacement_trigger: Some(bulkhead_proto::raw::Value::from_bytes(
            encode::value(&trigger, &encode::Capabilities::ALL).unwrap(),
        )),
        ..construction(&monitor, COMPOSER, act("refer", []))
    };
    serving.construct(request).await.unwrap();

    let asked = monitor.asked();
    let own = asked.registration("name");
    assert_eq!(own.parent, urn("", COMPOSER, "above"));
    assert_eq!((own.protect, own.retain_on_delete), (Some(false), Some(true)));
    assert_eq!(own.dependencies, ["first-1", "first-2", "urn:of:trigger"]);
    assert_eq!(own.providers, [("aws".to_owned(), "urn::id".to_owned())].into());
    assert_eq!(own.additional_secret_outputs, strings("secret"));
    let timeouts = own.custom_timeouts.clone().unwrap();
    assert_eq!([&*timeouts.create, &timeouts.update, &timeouts.delete, &timeouts.read], ["1h30m", "2µs", "3m", "4ms"]);
    assert_eq!(own.deleted_with, urn("", COMPOSER, "with"));
    assert_eq!((own.delete_before_replace, own.delete_before_replace_defined), (false, true));
    assert_eq!((&own.ignore_changes, &own.replace_on_changes), (&strings("ignored"), &strings("replaced")));
    let hooks = registering::ResourceHooksBinding {
        before_create: strings("before-create"),
        after_create: strings("after-create"),
        before_update: strings("before-update"),
        after_update: strings("after-update"),
        before_delete: strings("before-delete"),
        after_delete: strings("after-delete"),
        on_error: strings("error"),
    };
    assert_eq!(own.hooks, Some(hooks));
    assert_eq!(own.replace_with, strings("along"));
    assert_eq!((&own.aliases, own.alias_specs), (&aliases, true));
    let trigger = Value::from("again").secret();
    let trigger = encode::value(&trigger, &encode::Capabilities::ALL).unwrap();
    assert_eq!(own.replacement_trigger.as_ref().unwrap().as_bytes(), trigger);

    let child = asked.registration("name-1");
    for registration in [own, child] {
        assert_eq!(registration.parent_stack_trace_handle, "trace-7");
        assert!(registration.accept_secrets && registration.accept_resources && registration.accepts_byte_string);
        assert!(registration.supports_partial_values && registration.supports_result_reporting);
    }
}

/// COMP-08.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn timeouts_that_are_no_durations_are_refused_where_they_come_from() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let hint = "\nhint: write it like `1h30m`, with the units h, m, s, ms, us and ns";
    for (delete, reason) in [("-1s", "it is negative"), ("10 minutes", "it has a unit that there isn't")] {
        let timeouts = pb::construct_request::CustomTimeouts {
            create: "1h30m".to_owned(),
            delete: delete.to_owned(),
            ..<_>::default()
        };
        let request = construction(&monitor, COMPOSER, act("", []));
        let request = pb::ConstructRequest { custom_timeouts: Some(timeouts), ..request };
        let status = serving.construct(request).await.unwrap_err();
        let message =
            format!("construct the component: the option `customTimeouts.delete` is no duration: {reason}{hint}");
        assert_eq!((status.code(), status.message()), (Code::InvalidArgument, message.as_str()));
    }
    assert!(monitor.asked().names().is_empty(), "the component wasn't asked");

    let constructed = serving.construct(construction(&monitor, COMPOSER, act("impatient", []))).await.unwrap();
    let message = "register `name-1` as a `composer:index:Part`: the option `customTimeouts.create` is no duration: \
                   a unit is missing after a number";
    assert_eq!(
        constructed.state["said"].as_str(),
        Some(format!("Error::Failed({:?})", format!("{message}{hint}")).as_str())
    );
    assert_eq!(monitor.asked().names(), ["name"], "the engine wasn't asked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn options_that_nobody_set_stay_unset() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    serving.construct(construction(&monitor, COMPOSER, act("", []))).await.unwrap();
    let asked = monitor.asked();
    let own = asked.registration("name");
    assert_eq!((own.protect, own.retain_on_delete, own.delete_before_replace_defined), (None, None, false));
    assert_eq!((&own.custom_timeouts, &own.hooks, &own.replacement_trigger), (&None, &None, &None));
    assert!(own.parent.is_empty() && own.deleted_with.is_empty() && own.aliases.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn children_depend_on_what_their_inputs_come_from() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let size = output(Some(3.0.into()), true, &["urn:of:b", "urn:of:a"]);
    serving.construct(construction(&monitor, COMPOSER, act("children", [("size", size)]))).await.unwrap();
    let asked = monitor.asked();
    let urns = vec!["urn:of:a".to_owned(), "urn:of:b".to_owned()];
    assert_eq!(asked.registration("name-1").dependencies, urns);
    assert_eq!(asked.dependencies("name-1"), [("size".to_owned(), urns), ("number".to_owned(), vec![])].into());
    assert_eq!(
        asked.inputs("name-1")["size"],
        Value::from(3.0).secret(),
        "the engine takes outputs of remote ones only"
    );

    let monitor = Monitor::start().await;
    let constructed = serving.construct(construction(&monitor, COMPOSER, act("refer", []))).await.unwrap();
    let asked = monitor.asked();
    assert_eq!(asked.registration("name-1").dependencies, *std::slice::from_ref(&constructed.urn));
    let reference = Reference { urn: constructed.urn, id: None, package_version: String::new() };
    assert_eq!(asked.inputs("name-1")["size"], Value::from(reference));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_provider_constructs_is_sent_outputs_and_says_what_it_depends_on() {
    let (serving, monitor) = (composer().await, Monitor::start().await);
    let size = output(Some("x".into()), false, &["urn:of:size"]);
    let request = construction(&monitor, COMPOSER, act("remote", [("size", size.clone())]));
    let constructed = serving.construct(request).await.unwrap();
    let asked = monitor.asked();
    assert!(asked.registration("name-1").remote);
    assert_eq!(asked.inputs("name-1")["size"], size);
    let remote = constructed.state["any"].as_object().unwrap();
    let below = format!("{}-child", urn(&constructed.urn, PART, "name-1"));
    assert_eq!(remote["made"], output(Some("made of name-1".into()), false, &[&below]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_engine_is_asked_for_features_once_and_sent_what_it_takes() {
    let (serving, monitor) =
        (composer().await, Monitor::of(Nature { says: false, features: vec![], ..<_>::default() }).await);
    let reference = Reference { urn: "urn:of:it".to_owned(), id: None, package_version: String::new() };
    for value in [output(Some("x".into()), true, &["urn:of:x"]), Value::from(reference)] {
        let request = construction(&monitor, COMPOSER, act("remote", [("size", value)]));
        serving.construct(request).await.unwrap();
    }
    let asked = monitor.asked();
    let sent: Vec<Value> = asked
        .registrations
        .iter()
        .filter(|of| of.remote)
        .map(|of| bulkhead_tests::serving::object(of.object.clone().unwrap())["size"].clone())
        .collect();
    assert_eq!(sent, ["x".into(), "urn:of:it".into()], "neither secrets nor references nor outputs");
    assert_eq!(asked.deployment_info, 1);
    let mut features = asked.features.clone();
    features.dedup();
    assert_eq!((features.len(), asked.features.len()), (13, 13));

    let request =
        pb::ConstructRequest { deleted_with: "urn:of:it".to_owned(), ..construction(&monitor, COMPOSER, act("", [])) };
    let status = serving.construct(request).await.unwrap_err();
    assert_eq!(
        status.message(),
        "construct the component: register `name` as a `composer:index:Composer`: the engine doesn't know the resource \
         option `deletedWith`, or not in this form\nhint: update the Pulumi CLI"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn constructs_at_the_same_time_never_mix_their_engines() {
    let serving = composer().await;
    let (left, right) = (slow_parts(Nature::default(), PAUSE).await, slow_parts(Nature::default(), PAUSE).await);
    let named = |monitor: &Monitor, name: &str| {
        let request = construction(monitor, COMPOSER, act("children", []));
        serving.construct(pb::ConstructRequest {
            name: name.to_owned(),
            stack_trace_handle: name.to_owned(),
            ..request
        })
    };
    let all = tokio::join!(named(&left, "a"), named(&right, "b"), named(&left, "c"), named(&right, "d"));
    for (constructed, name) in [(all.0, "a"), (all.1, "b"), (all.2, "c"), (all.3, "d")] {
        assert_eq!(constructed.unwrap().urn, urn("", COMPOSER, name));
    }
    for (monitor, names) in [(left, ["a", "c"]), (right, ["b", "d"])] {
        let asked = monitor.asked();
        assert_eq!(asked.registrations.len(), 8);
        for registration in &asked.registrations {
            let of = names.iter().find(|name| registration.name.starts_with(**name)).unwrap();
            assert_eq!(registration.parent_stack_trace_handle, *of);
        }
    }
}
