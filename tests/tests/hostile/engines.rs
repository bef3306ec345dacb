//! Guests that have an engine tell, ask, remember and make more than there is room for.

use std::sync::Arc;
use std::time::Duration;

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::construction;
use bulkhead_tests::engine::{Engine, TOKEN};
use bulkhead_tests::monitor::{Monitor, Reaction};
use bulkhead_tests::serving::{Serving, creation, urn, wire};
use bulkhead_value::Object;
use tokio::task::JoinSet;
use tonic::{Code, Status};

use crate::{
    BUG, COMPUTED, REPORT, TELL, THING, hostile, seen, short, undisturbed, unready, unready_with_packages, well, what,
};

pub(crate) const GROUP: &str = "hostile:index:Group";

#[tokio::test]
async fn views_have_a_place_or_none() {
    undisturbed(async {
        let serving = hostile("view-flood", Limits::default()).await;
        let status = serving.create(THING, what("x")).await.unwrap_err();
        let message = "create the resource: the engine has no place for views in this call";
        assert_eq!(seen(&status), (Code::Unimplemented, message));

        let engine = Engine::start(&[]).await;
        let request = pb::CreateRequest {
            resource_status_address: engine.address.clone(),
            resource_status_token: TOKEN.to_owned(),
            ..creation(THING, what("x"))
        };
        let status = serving.create_as(request).await.unwrap_err();
        let flaw = "the provider published more than 10000 steps of views in one call";
        assert_eq!(seen(&status), (Code::Aborted, format!("create the resource: {flaw}{BUG}{REPORT}").as_str()));
    })
    .await;
}

/// Engines record views, and run what a recorded provider is of.
#[tokio::test]
async fn views_are_of_own_types_or_of_granted_packages() {
    undisturbed(async {
        let engine = Engine::start(&[]).await;
        let published = async |serving: &Serving, token: &str| {
            let request = pb::CreateRequest {
                resource_status_address: engine.address.clone(),
                resource_status_token: TOKEN.to_owned(),
                ..creation(THING, what(token))
            };
            serving.create_as(request).await.map(drop).map_err(|status| status.message().to_owned())
        };
        let serving = hostile("views-forged", Limits::default()).await;
        let granted = unready_with_packages("views-forged").await.ready(well()).await;
        let own = "published a view of a type of the engine's own";
        for (token, flaw) in [
            ("pulumi:providers:hostile", own),
            ("pulumi:providers:../../evil", own),
            ("pulumi:pulumi:Stack", own),
            ("a::b", "published a view with a type with a `::` in it"),
            ("hostile:index:Thing$a:b:C", "published a view with a type with a `$` in it"),
        ] {
            for serving in [&serving, &granted] {
                let told = published(serving, token).await.expect_err(token);
                assert!(told.contains(flaw), "{token}: {told}");
            }
        }
        let denied = published(&serving, "command:local:Command").await.unwrap_err();
        assert!(denied.contains("packages command is denied"), "{denied}");
        assert!(engine.published().is_empty());
        for (serving, token) in
            [(&serving, "hostile:index:View"), (&serving, "named"), (&granted, "command:local:Command")]
        {
            published(serving, token).await.expect(token);
        }
        assert_eq!(engine.published().len(), 3);
    })
    .await;
}

#[tokio::test]
async fn an_engine_is_asked_so_often_and_no_more() {
    undisturbed(async {
        let engine = Engine::start(&[("hostile", b"{}")]).await;
        let ready = async |limits| {
            let serving = unready("questions-endless", limits).await;
            serving.handshake(engine.handshake()).await;
            serving.configure(well()).await.unwrap();
            serving
        };
        let request = pb::DeleteRequest {
            urn: urn(THING),
            id: "existing-1".to_owned(),
            resource_status_address: engine.address.clone(),
            resource_status_token: TOKEN.to_owned(),
            ..<_>::default()
        };
        let status = ready(short()).await.client.clone().delete(request).await.unwrap_err();
        assert!(status.message().contains(COMPUTED), "{status:?}");
        assert!(engine.published().is_empty(), "{}", engine.published().len());
        let status = ready(Limits::default()).await.create(THING, what("x")).await.unwrap_err();
        let why = "a provider may ask the engine about packages 1000 times in one call, and has done so";
        assert!(status.message().contains(why), "{status:?}");
        assert_eq!(engine.asked().len(), 1_000);
    })
    .await;
}

#[tokio::test]
async fn views_of_a_resource_that_is_deleted_count_too() {
    undisturbed(async {
        let engine = Engine::start(&[]).await;
        let view = |number| pb::View {
            r#type: "hostile:index:View".to_owned(),
            name: format!("view{number}"),
            outputs: Some(wire(&Object::new())),
            ..<_>::default()
        };
        let serving = hostile("views-deleted", Limits::default()).await;
        let request = pb::DeleteRequest {
            urn: urn(THING),
            id: "existing-1".to_owned(),
            resource_status_address: engine.address.clone(),
            resource_status_token: TOKEN.to_owned(),
            old_views: (0..30).map(view).collect(),
            ..<_>::default()
        };
        serving.client.clone().delete(request).await.unwrap();
        let told: Vec<_> = engine.published().into_iter().map(|told| told.steps).collect();
        assert_eq!(
            told.iter().map(Vec::len).collect::<Vec<_>>(),
            [vec![1; 22], vec![8]].concat(),
            "the rest by itself"
        );

        let made = || pb::CreateRequest {
            resource_status_address: engine.address.clone(),
            resource_status_token: TOKEN.to_owned(),
            ..creation(THING, what("x"))
        };
        let status = serving.create_as(made()).await.unwrap_err();
        let flaw = "the provider published more than 64 MiB of views in one call";
        assert_eq!(seen(&status), (Code::Aborted, format!("create the resource: {flaw}{BUG}{REPORT}").as_str()));
        // Enough for the guest, and for a few of them that are kept until the resource is there.
        let serving = hostile("views-deleted", Limits { memory_together: 40 << 20, ..Limits::default() }).await;
        let status = serving.create_as(made()).await.unwrap_err();
        let message = "there is no memory left to keep views of this size";
        assert_eq!(seen(&status), (Code::Aborted, message));
    })
    .await;
}

/// Each is a process of the operator's machine until the deployment is over.
#[tokio::test]
async fn of_its_own_providers_a_component_has_so_many_run_and_no_more() {
    undisturbed(async {
        let (serving, monitor) = (hostile("providers-endless", Limits::default()).await, Monitor::start().await);
        let status = serving.construct(construction(&monitor, GROUP, what("x"))).await.unwrap_err();
        let why = "the component registered 100 of its own providers, each of which an engine runs, and no call has it run more";
        let hint = "or register them in the program, and hand them to the component with the resource option `providers`";
        assert!(status.message().contains(why) && status.message().contains(hint), "{status:?}");
        assert_eq!(monitor.asked().names().len(), 100);
        // Another call is another component's.
        let monitor = Monitor::start().await;
        serving.construct(construction(&monitor, GROUP, what("x"))).await.unwrap_err();
        assert_eq!(monitor.asked().names().len(), 100);
    })
    .await;
}

#[tokio::test]
async fn registrations_without_end_are_refused() {
    undisturbed(async {
        let (serving, monitor) = (hostile("register-endless", Limits::default()).await, hanging().await);
        let status = serving.construct(construction(&monitor, GROUP, what("x"))).await.unwrap_err();
        let message = "more than 10000 requests to the engine are under way: wait for some before making others";
        assert_eq!(seen(&status), (Code::Aborted, message));
        // What they send is next to nothing.
        let limits = Limits { memory_together: 100 << 20, ..Limits::default() };
        let (serving, monitor) = (hostile("register-endless", limits).await, hanging().await);
        let status = serving.construct(construction(&monitor, GROUP, what("x"))).await.unwrap_err();
        let message =
            "there is no memory left for what is on its way to the engine: wait for some of it before sending more";
        assert_eq!(seen(&status), (Code::Aborted, message));
    })
    .await;
}

#[tokio::test]
async fn what_a_component_left_behind_ends_with_its_call() {
    undisturbed(async {
        let (serving, monitor) = (hostile("register-leftovers", Limits::default()).await, hanging().await);
        let request = construction(&monitor, GROUP, what("x"));
        let cancel = async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            serving.cancel().await;
        };
        let (outcome, ()) = tokio::join!(serving.construct(request), cancel);
        assert_eq!(outcome.unwrap_err().code(), Code::Cancelled);
        let serving = serving.ready(crate::well()).await;
        let status = serving.invoke(TELL, what("x")).await.unwrap_err();
        let message =
            "call the function: the engine can be used only while a component is constructed or a method runs";
        assert_eq!(seen(&status), (Code::Unimplemented, message));
        assert!(!monitor.asked().names().contains(&"outside"));
    })
    .await;
}

#[tokio::test]
async fn what_components_return_counts_while_their_children_are_waited_for() {
    undisturbed(async {
        // Enough for two guests, and for what one of them returns.
        let limits = Limits { memory_together: 210 << 20, ..Limits::default() };
        let (serving, monitor) = (hostile("construct-kept", limits).await, hanging().await);
        let construct = || serving.construct(construction(&monitor, GROUP, what("x")));
        let second = async {
            serving.said("kept").await;
            tokio::time::sleep(Duration::from_millis(500)).await;
            let refused = tokio::time::timeout(Duration::from_secs(20), construct()).await;
            serving.cancel().await;
            refused.expect("there is no room for another one").unwrap_err()
        };
        let (first, second) = tokio::join!(construct(), second);
        assert_eq!(first.unwrap_err().code(), Code::Cancelled);
        assert_eq!(second.code(), Code::ResourceExhausted);
        let message = "the calls of the provider need more memory together than their limit allows";
        assert!(second.message().contains(message), "{second:?}");
    })
    .await;
}

/// All of it is there, as it was given and as it is sent, until the engine takes it or answers.
#[tokio::test]
async fn what_is_on_its_way_to_an_engine_counts_while_it_is_waited_for() {
    undisturbed(async {
        // Enough for a dozen guests, and for what some of them send.
        let limits = Limits { memory_together: 100 << 20, ..Limits::default() };
        let (serving, monitor) = (Arc::new(hostile("construct-awaited", limits).await), Arc::new(hanging().await));
        let mut calls: JoinSet<Status> = (0..12)
            .map(|_| {
                let (serving, monitor) = (Arc::clone(&serving), Arc::clone(&monitor));
                async move { serving.construct(construction(&monitor, GROUP, what("x"))).await.map(drop).unwrap_err() }
            })
            .collect();
        let mut refused = Vec::new();
        for _ in 0..5 {
            let next = tokio::time::timeout(Duration::from_secs(20), calls.join_next()).await;
            refused.push(next.expect("there is room for some of them only").unwrap().unwrap());
        }
        serving.cancel().await;
        let no_room =
            "there is no memory left for what is on its way to the engine: wait for some of it before sending more";
        let together = "the calls of the provider need more memory together than their limit allows";
        let told = |text: &str| refused.iter().filter(|status| status.message().contains(text)).count();
        assert!(told(no_room) > 0 && told(no_room) + told(together) == refused.len(), "{refused:?}");
        calls.join_all().await;
    })
    .await;
}

#[tokio::test]
async fn what_an_engine_answers_counts_until_somebody_waits_for_it() {
    undisturbed(async {
        // Enough for the guest, and for a few of thirty answers.
        let limits = Limits { memory_together: 120 << 20, ..Limits::default() };
        let (serving, monitor) = (hostile("answers-kept", limits).await, Monitor::start().await);
        let status = serving.construct(construction(&monitor, GROUP, what("x"))).await.unwrap_err();
        let message =
            "there was no memory left for what the engine answered: wait for some answers before asking for more";
        assert_eq!(seen(&status), (Code::Aborted, message));
    })
    .await;
}

#[tokio::test]
async fn what_an_engine_tells_of_counts_until_the_end_of_the_call() {
    undisturbed(async {
        let little = Limits { memory_together: 24 << 20, ..Limits::default() };
        for (limits, most, message) in [
            // Of whichever is wanted first.
            (little, 24, " no memory left for "),
            (Limits::default(), 33, "the engine has told the component of more resources than 32 MiB have names for"),
        ] {
            let serving = hostile("references-kept", limits).await;
            // The next call has its own.
            for _ in 0..2 {
                let monitor = Monitor::start().await;
                let status = serving.construct(construction(&monitor, GROUP, what("x"))).await.unwrap_err();
                assert!(status.code() == Code::Aborted && status.message().contains(message), "{status:?}");
                let made = monitor.asked().invokes.len();
                assert!((5..=most).contains(&made), "{made}");
            }
        }
    })
    .await;
}

/// An engine that answers no registration of a custom resource, or of another provider's component.
pub(crate) async fn hanging() -> Monitor {
    Monitor::reacting(|of| if of.custom || of.remote { Reaction::Hangs } else { Reaction::Answers }).await
}

#[tokio::test]
async fn components_that_are_made_of_themselves_for_ever_are_refused() {
    undisturbed(async {
        let (serving, monitor) = (hostile("construct-cycle", Limits::default()).await, hanging().await);
        let outcome = serving.construct(construction(&monitor, GROUP, what("parent"))).await;
        outcome.expect("who is whose parent is for the engine to say");
        for told in ["dependency", "deleted"] {
            let status = serving.construct(construction(&monitor, GROUP, what(told))).await.expect_err(told);
            assert!(status.message().contains("::name`, a resource that isn't there"), "{told}: {status:?}");
        }
        let (serving, monitor) = (Arc::new(serving), Arc::new(monitor));
        let mut calls: JoinSet<_> = (0..1_100)
            .map(|_| {
                let (serving, monitor) = (Arc::clone(&serving), Arc::clone(&monitor));
                async move {
                    let request = construction(&monitor, GROUP, what("itself"));
                    serving.construct(request).await.map(drop).unwrap_err()
                }
            })
            .collect();
        let status = calls.join_next().await.unwrap().unwrap();
        assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
        serving.cancel().await;
        for status in calls.join_all().await {
            assert!(matches!(status.code(), Code::Cancelled | Code::ResourceExhausted), "{status:?}");
        }
    })
    .await;
}
