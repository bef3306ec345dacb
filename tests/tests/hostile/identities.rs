//! Ids and URNs that aren't what they seem.

use bulkhead::component::{Limits, embed};
use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::construction;
use bulkhead_tests::engine::{Engine, TOKEN};
use bulkhead_tests::monitor::Monitor;
use bulkhead_tests::serving::{Serving, any_package, creation, init_failed, load, urn};
use bulkhead_value::{Asset, AssetSource, Object, Value};
use serde_json::json;
use tonic::Code;

use crate::calls::{Call, listed};
use crate::{
    BUG, LOST, MANIFEST, OWN, REPORT, SCHEMA, THING, hostile, on_record, seen, undisturbed, unready_with_packages,
    well, what,
};

#[tokio::test]
async fn an_id_that_changes_after_it_was_announced_is_reported_with_both() {
    undisturbed(async {
        let serving = hostile("id-changed", Limits::default()).await;
        let left = init_failed(&serving.create(THING, what("x")).await.unwrap_err());
        assert_eq!(left.id, "another-1");
        let reason = "the provider's result can't be used: it announced the id `announced-1` and returned `another-1`";
        assert_eq!(left.reasons, [format!("{reason}{BUG}")]);
        let left = init_failed(&serving.create(THING, what("unready x")).await.unwrap_err());
        assert_eq!(left.id, "another-1");
        let reason = "the provider announced the id `announced-1` and returned `another-1`";
        assert_eq!(left.reasons, ["half", &format!("{reason}{BUG}")]);
    })
    .await;
}

#[tokio::test]
async fn what_was_announced_is_kept_where_nobody_could_go_on_with_the_id_that_is_returned() {
    undisturbed(async {
        let serving = hostile("id-changed", Limits::default()).await;
        for (told, flaw) in [
            ("unknown", "an id that stands for a value that isn't known"),
            ("long", "an id of 100000 bytes, and 65536 are the most"),
            ("longer", "an id of 20000000 bytes, and 65536 are the most"),
        ] {
            let left = init_failed(&serving.create(THING, what(told)).await.unwrap_err());
            assert_eq!((left.id.as_str(), &left.state["text"]), ("announced-1", &"made".into()), "{told}");
            assert_eq!(left.reasons, [format!("the provider's result can't be used: it returned {flaw}{BUG}")]);
            let unready = format!("unready {told}");
            let left = init_failed(&serving.create(THING, what(&unready)).await.unwrap_err());
            assert_eq!((left.id.as_str(), &left.state["text"]), ("announced-1", &"made".into()), "{told}");
            assert_eq!(left.reasons, ["half", &format!("the provider returned {flaw}{BUG}")]);
        }
    })
    .await;
}

#[tokio::test]
async fn an_update_keeps_what_it_reached_whatever_it_says_of_the_id() {
    undisturbed(async {
        let serving = hostile("id-changed", Limits::default()).await;
        for told in ["x", "unknown", "long", "longer", "unready x", "unready unknown", "unready longer"] {
            let left = init_failed(&serving.update(THING, on_record(), what("x"), what(told)).await.unwrap_err());
            assert_eq!((left.id.as_str(), &left.state["text"]), ("existing-1", &"changed".into()), "{told}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_id_that_would_break_what_it_is_put_into_is_the_providers_bug_and_is_not_lost() {
    undisturbed(async {
        let serving = hostile("id-forged", Limits::default()).await;
        for (told, id) in [
            ("nul", "made\0-1"),
            ("lines", "made-1\r\n+ urn:pulumi:dev::project::a:b:C::forged"),
            ("escape", "\u{1b}[2J\u{1b}[1;1Hmade-1"),
        ] {
            let left = init_failed(&serving.create(THING, what(told)).await.expect_err(told));
            assert_eq!(left.id, id, "nobody could find the resource by another");
            assert_eq!(left.reasons, [format!("the provider returned an id with control characters{BUG}")], "{told}");
        }
        let unknown = format!("the provider returned an id that stands for a value that isn't known{BUG}");
        let left = init_failed(&serving.create(THING, what("unknown")).await.unwrap_err());
        assert_eq!(left.reasons, std::slice::from_ref(&unknown));
        // What isn't ready has reasons of its own, which say nothing of that.
        let controls = format!("the provider returned an id with control characters{BUG}");
        for (told, reason) in [("unknown and unready", unknown), ("nul and unready", controls)] {
            let left = init_failed(&serving.create(THING, what(told)).await.expect_err(told));
            assert_eq!(left.reasons, ["half".to_owned(), reason], "{told}");
        }
        let status = serving.create(THING, what("empty")).await.unwrap_err();
        assert_eq!(status.code(), Code::Unknown);
        assert_eq!(serving.create(THING, what("ö ☃ a/b|c,d")).await.unwrap().id, "ö ☃ a/b|c,d", "ids are opaque else");
    })
    .await;
}

#[tokio::test]
async fn an_id_of_megabytes_is_the_providers_bug() {
    undisturbed(async {
        let serving = hostile("id-forged", Limits::default()).await;
        for (told, bytes) in [("large", 10_000_000), ("larger", 20_000_000), ("large and unready", 100_000)] {
            let status = serving.create(THING, what(told)).await.unwrap_err();
            let flaw =
                format!("the provider created a resource and returned an id of {bytes} bytes, and 65536 are the most");
            let message = format!("create the resource: {flaw}{BUG}{LOST}");
            assert_eq!(seen(&status), (Code::Unknown, message.as_str()), "{told}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_message_belongs_to_the_resource_of_its_call_whatever_it_says() {
    undisturbed(async {
        let serving = hostile("urn-forged", Limits::default()).await;
        serving.create(THING, what("x")).await.unwrap();
        let messages = serving.messages();
        assert_eq!(messages.len(), 2, "{messages:?}");
        for message in messages {
            assert_eq!(message.urn.as_deref(), Some(urn(THING).as_str()));
            assert!(!message.text.contains(['\u{1b}', '\0', '\r', '\u{7}']), "{:?}", message.text);
        }
    })
    .await;
}

#[tokio::test]
async fn a_component_is_what_it_registered_itself() {
    undisturbed(async {
        let (serving, monitor) = (hostile("construct-forged", Limits::default()).await, Monitor::start().await);
        let request = construction(&monitor, "hostile:index:Group", what("x"));
        let status = serving.construct(request).await.unwrap_err();
        let flaw = "the component `hostile:index:Group` returned the URN of something else than a component that it registered";
        assert_eq!(seen(&status), (Code::Aborted, format!("construct the component: {flaw}{BUG}{REPORT}").as_str()));
    })
    .await;
}

#[tokio::test]
async fn results_depend_on_what_their_call_was_told_of() {
    undisturbed(async {
        let loaded = unready_with_packages("depends-forged").await;
        let (serving, monitor) = (loaded.ready(well()).await, Monitor::start().await);
        let strange = "returned what depends on a resource that it wasn't told of in this call, at text";
        for forged in ["inside", "within", "beside", "malformed", "echoed"] {
            let request = construction(&monitor, "hostile:index:Group", what(forged));
            let status = serving.construct(request).await.expect_err(forged);
            let message =
                format!("construct the component: the component `hostile:index:Group` {strange}{BUG}{REPORT}");
            assert_eq!(seen(&status), (Code::Aborted, message.as_str()), "{forged}");
        }
        let own = serving.construct(construction(&monitor, "hostile:index:Group", what("own"))).await.unwrap();
        assert_eq!(own.dependencies["text"].len(), 2, "itself and its child: {own:?}");
        let victim = "urn:pulumi:dev::project::a:b:C::victim".to_owned();
        let on = |urns| pb::construct_request::PropertyDependencies { urns };
        let told = pb::ConstructRequest {
            input_dependencies: [("what".to_owned(), on(vec![victim.clone()]))].into(),
            ..construction(&monitor, "hostile:index:Group", what("inside"))
        };
        serving.construct(told).await.expect("what its inputs depend on");
        let told = pb::ConstructRequest {
            dependencies: vec![victim],
            ..construction(&monitor, "hostile:index:Group", what("inside"))
        };
        serving.construct(told).await.expect("what it is to come after");
        let status = Call::Method.make(&serving).await.unwrap_err();
        let message = format!("call the method: the method `hostile:index:Group/tell` {strange}{BUG}{REPORT}");
        assert_eq!(seen(&status), (Code::Aborted, message.as_str()));
    })
    .await;
}

#[tokio::test]
async fn outputs_are_registered_for_own_components_and_once() {
    undisturbed(async {
        let (serving, monitor) = (hostile("outputs-forged", Limits::default()).await, Monitor::start().await);
        let constructed =
            serving.construct(construction(&monitor, "hostile:index:Group", what("x"))).await.expect("it goes on");
        let outcomes: Vec<_> = constructed.state["text"].as_str().unwrap().lines().collect();
        let [stack, other, child, own, again] = outcomes.try_into().unwrap();
        for forged in [stack, other, child] {
            let flaw = "outputs for something that it didn't register as a component in this call";
            assert!(forged.contains(flaw), "{forged}");
        }
        assert_eq!(own, "done");
        assert!(again.contains("outputs twice for the same component"), "{again}");
        assert_eq!(monitor.asked().outputs.len(), 1, "nobody else's record changes");
    })
    .await;
}

#[tokio::test]
async fn a_component_has_no_files_read_for_it_by_way_of_its_own_resources() {
    undisturbed(async {
        let serving = unready_with_packages("file-to-itself").await.ready(well()).await;
        let monitor = Monitor::start().await;
        let given = Asset { hash: Some("0".repeat(64)), source: AssetSource::Path("./given".to_owned()) };
        let inputs = Object::from([("any".to_owned(), Value::from(given))]);
        let constructed = serving.construct(construction(&monitor, "hostile:index:Group", inputs)).await.unwrap();
        let outcomes: Vec<_> = constructed.state["text"].as_str().unwrap().lines().collect();
        for refused in &outcomes[..4] {
            assert!(refused.contains("names a file or an address that nobody gave it"), "{refused}");
        }
        assert_eq!(outcomes[4..], ["done", "done"], "what it was given, and what others read");
        assert_eq!(monitor.asked().names(), ["name", "given", "other"]);
    })
    .await;
}

#[tokio::test]
async fn a_component_is_not_told_of_files_by_itself() {
    undisturbed(async {
        let serving = unready_with_packages("file-told").await.ready(well()).await;
        let nobody = "names a file or an address that nobody gave it";
        let monitor = Monitor::start().await;
        let constructed = |told| serving.construct(construction(&monitor, "hostile:index:Group", what(told)));
        let told = constructed("others").await.unwrap().state;
        let outcomes: Vec<_> = told["text"].as_str().unwrap().lines().collect();
        assert!(outcomes.len() == 3 && outcomes.iter().all(|refused| refused.contains(nobody)), "{told:?}");
        assert_eq!(monitor.asked().names(), ["name", "other"]);
        let registered = constructed("outputs").await.unwrap().state;
        assert!(registered["text"].as_str().unwrap().contains(nobody), "{registered:?}");
        assert_eq!(monitor.asked().outputs.len(), 0);
        for status in [constructed("state").await.unwrap_err(), Call::Method.make(&serving).await.unwrap_err()] {
            assert!(status.message().contains(nobody) && status.code() == Code::Aborted, "{status:?}");
        }
    })
    .await;
}

/// An engine that is told by which provider to make it asks that one, whatever its type's package is.
#[tokio::test]
async fn what_the_schema_says_is_its_own_under_another_packages_name_too() {
    undisturbed(async {
        let mut schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
        schema["allowedPackageNames"] = json!(["aws"]);
        schema["resources"]["aws:s3:BucketObject"] = schema["resources"]["hostile:index:Thing"].clone();
        let schema = schema.to_string();
        let component = embed(&bulkhead_tests::hostile("file-told"), schema.as_bytes(), MANIFEST.as_bytes()).unwrap();
        let loaded = load(&component, Limits::default()).unwrap().under(Limits::default(), any_package());
        let (serving, monitor) = (Serving::of(loaded).await.ready(well()).await, Monitor::start().await);
        let request = construction(&monitor, "hostile:index:Group", what("others"));
        let status = serving.construct(request).await.unwrap_err();
        assert!(status.message().contains("names a file or an address that nobody gave it"), "{status:?}");
        assert_eq!(monitor.asked().names(), ["name"]);
    })
    .await;
}

#[tokio::test]
async fn aliases_and_types_name_no_other_types() {
    undisturbed(async {
        let serving = hostile("types-forged", Limits::default()).await;
        let monitor = Monitor::start().await;
        let told = serving.construct(construction(&monitor, "hostile:index:Group", what("x"))).await.unwrap().state;
        let outcomes: Vec<_> = told["text"].as_str().unwrap().lines().collect();
        let flaws = [
            "registered a resource with a type with a `$` in it",
            "registered a resource with a type with a `$` in it",
            "registered a resource with an alias of a type with a `$` in it",
            "packages notes is denied",
            "registered a resource with an alias whose stack, project or parent engines read as more than that",
            "registered a resource with an alias whose stack, project or parent engines read as more than that",
        ];
        assert_eq!(outcomes.len(), flaws.len(), "{told:?}");
        for (outcome, flaw) in outcomes.iter().zip(flaws) {
            assert!(outcome.contains(flaw), "{outcome}");
        }
        assert_eq!(monitor.asked().names(), ["name"]);
    })
    .await;
}

/// Engines look at little of it before they record it, and some of it ends them, with all that is being deployed.
#[tokio::test]
async fn an_engine_is_asked_for_nothing_that_ends_it_or_that_it_cannot_read_again() {
    undisturbed(async {
        let serving = unready_with_packages("engines-ended").await.ready(well()).await;
        let monitor = Monitor::start().await;
        let told = serving.construct(construction(&monitor, "hostile:index:Group", what("x"))).await.unwrap().state;
        let outcomes: Vec<_> = told["text"].as_str().unwrap().lines().collect();
        let by = |token: &str| format!("by the token `{token}`, which isn't of the form `package:module:name`");
        let provider = "registered a resource by the type of a provider, which can only be created".to_owned();
        let receiver = "called a method on a `__self__` that is no resource".to_owned();
        let with = |urn: &str| format!("the component registers `child` with `{urn}`, a resource that isn't there");
        let absent = with("urn:pulumi:dev::project::hostile:index:Thing::absent");
        let done = || "done".to_owned();
        let expected = [
            &[by("hostile"), by("hostile:x"), by("hostile::x"), receiver.clone(), receiver, done()][..],
            &[by("hostile:x"), provider.clone(), provider.clone(), provider.clone(), provider],
            &[absent.clone(), with("garbage"), absent.clone(), absent.clone(), absent.clone(), absent, done()],
        ]
        .concat();
        assert_eq!(outcomes.len(), expected.len(), "{outcomes:#?}");
        for (outcome, expected) in outcomes.iter().zip(&expected) {
            assert!(outcome.contains(expected), "{outcome} should say: {expected}");
        }
        let asked = monitor.asked();
        assert_eq!((asked.names(), asked.calls.len(), asked.reads.len()), (vec!["name", "child"], 0, 0));
        assert!(asked.invokes.iter().all(|invoked| invoked.tok == "pulumi:pulumi:getResource"), "{:?}", asked.invokes);
    })
    .await;
}

#[tokio::test]
async fn names_that_steer_a_terminal_are_shown_to_nobody() {
    undisturbed(async {
        let serving = hostile("names-forged", Limits::default()).await;
        let steers = |text: &String| text.contains(char::is_control);
        let checked = serving.check(OWN, what("x")).await.unwrap();
        let (property, reason) = &checked.failures[0];
        assert!(property.contains("safe") && !steers(property) && !steers(reason), "{checked:?}");
        let compared = serving.diff(OWN, on_record(), what("x"), what("y")).await.unwrap();
        let detailed = compared.detailed_diff.keys();
        let names = compared.diffs.iter().chain(&compared.replaces).chain(&compared.stables).chain(detailed);
        assert_eq!(names.inspect(|name| assert!(name.contains("safe") && !steers(name), "{name:?}")).count(), 4);
        let status = listed(&serving, "x").await.unwrap_err();
        let flaw = "the provider listed a resource with a name with control characters";
        assert_eq!(seen(&status), (Code::Aborted, format!("list the resources: {flaw}{BUG}{REPORT}").as_str()));
        let monitor = Monitor::start().await;
        let status = serving.construct(construction(&monitor, "hostile:index:Group", what("x"))).await.unwrap_err();
        assert!(status.message().contains("registered a resource with a name with control characters"), "{status:?}");
        let engine = Engine::start(&[]).await;
        let request = pb::CreateRequest {
            resource_status_address: engine.address.clone(),
            resource_status_token: TOKEN.to_owned(),
            ..creation(THING, what("x"))
        };
        let status = serving.create_as(request).await.unwrap_err();
        assert!(status.message().contains("published a view with a name with control characters"), "{status:?}");
    })
    .await;
}
