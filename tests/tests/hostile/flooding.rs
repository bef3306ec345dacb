//! Guests that want more of what the host keeps for them than there is: messages, handles, randomness, places, engines.

use std::time::Duration;

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::construction;
use bulkhead_tests::engine::{Engine, TOKEN};
use bulkhead_tests::monitor::{Monitor, Reaction};
use bulkhead_tests::serving::{Serving, creation, urn, wire};
use bulkhead_value::Object;
use tonic::Code;

use crate::calls::Call;
use crate::{
    BUG, COMPUTED, LOST, OWN, REPORT, TELL, THING, fixed, hostile, seen, short, undisturbed, unready, well, what,
};

pub(crate) const GROUP: &str = "hostile:index:Group";

#[tokio::test]
async fn a_flood_of_messages_is_cut_off_with_a_note() {
    undisturbed(async {
        let serving = hostile("log-flood", Limits::default()).await;
        serving.create(THING, what("x")).await.unwrap();
        let messages = serving.messages();
        assert_eq!(messages.len(), 1_001);
        assert_eq!(
            messages[1_000].text,
            "the provider logged more than 1000 messages in one call; the rest is dropped"
        );
        serving.create(THING, what("x")).await.unwrap();
        assert_eq!(serving.messages().len(), 2_002, "the next call may speak again");
    })
    .await;
}

#[tokio::test]
async fn a_message_of_any_length_is_cut() {
    undisturbed(async {
        let serving = hostile("log-huge", Limits::default()).await;
        serving.create(THING, what("x")).await.unwrap();
        let messages = serving.messages();
        assert_eq!(messages.len(), 10);
        let expected = format!("{} … (100000000 bytes in all)", "x".repeat(16_384));
        assert!(messages.iter().all(|message| message.text == expected));
    })
    .await;
}

#[tokio::test]
async fn messages_of_one_call_are_bounded_together() {
    undisturbed(async {
        let serving = hostile("log-large", Limits { log_bytes: 1 << 20, ..Limits::default() }).await;
        serving.create(THING, what("x")).await.unwrap();
        let messages = serving.messages();
        let bytes: usize = messages.iter().map(|message| message.text.len()).sum();
        assert!(bytes < (1 << 20) + 200, "{bytes}");
        let last = messages.last().unwrap();
        let expected = "the provider logged more than 1.0 MiB in one call; the rest is dropped\n\
                        hint: if the provider should have more, raise the limit `log` in bulkhead.toml";
        assert_eq!(last.text, expected);
    })
    .await;
}

#[tokio::test]
async fn handles_without_end_are_refused_and_go_with_their_instance() {
    undisturbed(async {
        for guest in ["handles-pollables", "handles-streams"] {
            let serving = hostile(guest, Limits::default()).await;
            let message = "the provider needs more handles than its limit allows";
            for _ in 0..2 {
                let status = Call::Invoke.make(&serving).await.unwrap_err();
                let whole = format!("call the function: {message}{}", fixed("32768"));
                assert_eq!(seen(&status), (Code::ResourceExhausted, whole.as_str()), "{guest}");
                // It may have made something before.
                let status = Call::Create.make(&serving).await.unwrap_err();
                let whole = format!("create the resource: {message}{LOST}{}", fixed("32768").replace("\nhint: ", "; "));
                assert_eq!(seen(&status), (Code::Unknown, whole.as_str()), "{guest}");
            }
        }
        let serving = hostile("handles-locks", Limits::default()).await;
        for _ in 0..2 {
            let status = serving.create(THING, what("x")).await.unwrap_err();
            assert_eq!(status.code(), Code::Aborted, "it gave up: {status:?}");
        }
        let refusals: Vec<_> = serving.messages().into_iter().map(|message| message.text).collect();
        let refused = "the locks in use would grow to 1025 names, and the limit is 1024";
        assert_eq!(refusals, [refused; 2], "each instance had as many as the other");
        serving.create(THING, what("one")).await.expect("none of them should be left");
        let serving = hostile("handles-kept", Limits::default()).await;
        for _ in 0..2_000 {
            serving.create(THING, what("x")).await.expect("what was kept should have gone with its instance");
        }
    })
    .await;
}

#[tokio::test]
async fn headers_that_are_never_sent_are_bounded_together() {
    undisturbed(async {
        let serving = hostile("fields-flood", Limits::default()).await;
        for kind in ["anew", "shared", "anew"] {
            let status = serving.invoke(TELL, what(kind)).await.unwrap_err();
            let message = "call the function: the provider needs more memory for headers than its limit allows";
            assert_eq!(seen(&status), (Code::ResourceExhausted, format!("{message}{}", fixed("64 MiB")).as_str()));
        }
        serving.invoke(TELL, what("asked")).await.expect("what is there once takes nothing more for being asked for");
    })
    .await;
}

#[tokio::test]
async fn bodies_that_are_never_sent_are_bounded_together() {
    undisturbed(async {
        let serving = hostile("bodies-flood", Limits::default()).await;
        for kind in ["requests", "responses", "requests"] {
            let status = serving.invoke(TELL, what(kind)).await.unwrap_err();
            let message = "call the function: the provider needs more memory for bodies than its limit allows";
            let message = format!("{message}{}", fixed("64 MiB"));
            assert_eq!(seen(&status), (Code::ResourceExhausted, message.as_str()), "{kind}");
        }
    })
    .await;
}

#[tokio::test]
async fn denials_without_end_are_told_in_part() {
    undisturbed(async {
        let serving = hostile("denied-flood", Limits::default()).await;
        let status = Call::Invoke.make(&serving).await.unwrap_err();
        assert_eq!(status.code(), Code::Aborted, "{status:?}");
        assert_eq!(status.message().matches("is denied: ").count(), 8, "{status:?}");
    })
    .await;
}

#[tokio::test]
async fn denials_are_as_long_as_anybody_reads() {
    undisturbed(async {
        let serving = hostile("denied-huge", Limits::default()).await;
        let status = Call::Invoke.make(&serving).await.unwrap_err();
        let message = status.message();
        assert_eq!(message.matches("is denied: ").count(), 8, "{message}");
        assert!(message.len() < 32_000, "{} bytes", message.len());
        serving.invoke(TELL, what("go on")).await.expect("it does without");
        let warnings = serving.messages();
        assert_eq!(warnings.len(), 8, "{warnings:?}");
        for warning in warnings {
            assert!(warning.text.len() < 4_096, "{}", warning.text);
        }
    })
    .await;
}

#[tokio::test]
async fn randomness_is_had_in_portions() {
    undisturbed(async {
        let serving = hostile("random-huge", Limits::default()).await;
        let status = serving.create(THING, what("x")).await.unwrap_err();
        let flaw = "the provider broke the contract: more than 4194304 random bytes at once";
        assert_eq!(seen(&status), (Code::Unknown, format!("create the resource: {flaw}{BUG}{LOST}").as_str()));
        let status = serving.invoke(TELL, Object::new()).await.unwrap_err();
        assert_eq!(seen(&status), (Code::Aborted, format!("call the function: {flaw}{BUG}{REPORT}").as_str()));
        let serving = hostile("random-endless", short()).await;
        assert_eq!(serving.create(THING, what("x")).await.unwrap_err().code(), Code::ResourceExhausted);
    })
    .await;
}

#[tokio::test]
async fn what_the_host_works_out_for_a_guest_counts_as_its_computing() {
    undisturbed(async {
        let serving = hostile("defaults-huge", short()).await;
        for (doing, call) in [
            ("check the inputs", Call::Check),
            ("compare the resource", Call::Diff),
            ("preview the creation", Call::Preview),
            ("preview the update", Call::PreviewUpdate),
        ] {
            let status = call.make(&serving).await.unwrap_err();
            assert_eq!(seen(&status), (Code::ResourceExhausted, format!("{doing}: {COMPUTED}").as_str()));
        }
    })
    .await;
}

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

#[tokio::test]
async fn registrations_without_end_are_refused() {
    undisturbed(async {
        let (serving, monitor) = (hostile("register-endless", Limits::default()).await, hanging().await);
        let status = serving.construct(construction(&monitor, GROUP, what("x"))).await.unwrap_err();
        let message = "more than 10000 requests to the engine are under way: wait for some before making others";
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
            (little, 24, "there is no memory left for "),
            (Limits::default(), 33, "the engine has told the component of more resources than 32 MiB have names for"),
        ] {
            let serving = hostile("references-kept", limits).await;
            // The next call has its own.
            for _ in 0..2 {
                let monitor = Monitor::start().await;
                let status = serving.construct(construction(&monitor, GROUP, what("x"))).await.unwrap_err();
                assert!(status.code() == Code::Aborted && status.message().starts_with(message), "{status:?}");
                let made = monitor.asked().registrations.len();
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
        for told in ["parent", "dependency", "deleted"] {
            let outcome = serving.construct(construction(&monitor, GROUP, what(told))).await;
            outcome.expect("who is whose parent is for the engine to say");
        }
        let (serving, monitor) = (std::sync::Arc::new(serving), std::sync::Arc::new(monitor));
        let mut calls: tokio::task::JoinSet<_> = (0..1_100)
            .map(|_| {
                let (serving, monitor) = (std::sync::Arc::clone(&serving), std::sync::Arc::clone(&monitor));
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

#[tokio::test]
async fn two_providers_that_attack_together_leave_room_for_a_third() {
    undisturbed(async {
        for pair in [["loop", "memory"], ["fill", "loop"], ["log", "random"]] {
            let [one, another] = pair.map(attacking);
            let both = tokio::time::timeout(Duration::from_secs(100), async { tokio::join!(one, another) });
            both.await.expect("each attack should have an end");
        }
    })
    .await;
}

/// A provider whose calls attack, several at once.
async fn attacking(attack: &'static str) {
    let limits = Limits { memory: 600 << 20, ..short() };
    let serving = std::sync::Arc::new(hostile("some-calls", limits).await);
    let mut calls: tokio::task::JoinSet<_> = (0..3)
        .map(|_| {
            let serving = std::sync::Arc::clone(&serving);
            async move { serving.invoke(TELL, what(attack)).await.map(drop) }
        })
        .collect();
    while calls.join_next().await.is_some() {}
}

#[tokio::test]
async fn a_thousand_calls_at_once_wait_for_their_turn_and_delay_nobody() {
    undisturbed(async {
        let serving = std::sync::Arc::new(hostile("wait-sleep", Limits { concurrency: 8, ..Limits::default() }).await);
        let calls: Vec<_> = (0..1_000)
            .map(|_| {
                let serving = std::sync::Arc::clone(&serving);
                let request = pb::CreateRequest { timeout: 2.0, ..creation(THING, what("x")) };
                tokio::spawn(async move { serving.create_as(request).await.map(drop) })
            })
            .collect();
        for call in calls {
            let status = call.await.unwrap().unwrap_err();
            assert_eq!(status.code(), Code::DeadlineExceeded, "{status:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_provider_that_attacks_in_some_calls_serves_the_others() {
    undisturbed(async {
        let limits = Limits { memory: 600 << 20, ..short() };
        let serving = std::sync::Arc::new(hostile("some-calls", limits).await);
        for attack in ["loop", "memory", "fill", "wait", "naps", "random", "log", "crash", "nodes", "text"] {
            let attacking: Vec<_> = (0..4)
                .map(|_| {
                    let serving = std::sync::Arc::clone(&serving);
                    tokio::spawn(async move { serving.invoke(TELL, what(attack)).await.map(drop) })
                })
                .collect();
            for _ in 0..10 {
                let served = tokio::time::timeout(crate::PATIENCE, crate::served(&serving)).await;
                served.expect("calls that attack nobody should be served");
            }
            for outcome in attacking {
                let outcome = outcome.await.unwrap();
                assert!(outcome.is_err() || ["nodes", "text"].contains(&attack), "{attack} should have an end");
            }
        }
        let status = serving.check(OWN, what("check")).await.unwrap_err();
        assert!(matches!(status.code(), Code::ResourceExhausted | Code::DeadlineExceeded), "{status:?}");
    })
    .await;
}

#[tokio::test]
async fn more_calls_than_may_wait_are_refused_at_once() {
    undisturbed(async {
        let limits = Limits { concurrency: 2, queue: 3, ..Limits::default() };
        let serving = std::sync::Arc::new(hostile("wait-sleep", limits).await);
        let calls: Vec<_> = (0..20)
            .map(|_| {
                let serving = std::sync::Arc::clone(&serving);
                tokio::spawn(async move { created(&serving).await })
            })
            .collect();
        let mut codes = Vec::new();
        for call in calls {
            let status = call.await.unwrap().unwrap_err();
            if status.code() == Code::ResourceExhausted {
                let message = "create the resource: 2 calls of the provider run and 3 wait already\nhint: ask for less at once \
                               (`pulumi up --parallel`), or raise the limit `concurrency` in \
                               bulkhead.toml, or `queue` in bulkhead.toml";
                assert_eq!(status.message(), message);
            }
            codes.push(status.code());
        }
        assert_eq!(codes.iter().filter(|code| **code == Code::ResourceExhausted).count(), 15);
        assert_eq!(codes.iter().filter(|code| **code == Code::DeadlineExceeded).count(), 5);
    })
    .await;
}

#[tokio::test]
async fn who_finds_no_place_until_his_deadline_is_told_of_the_others() {
    undisturbed(async {
        let limits = Limits { concurrency: 1, ..Limits::default() };
        let serving = std::sync::Arc::new(hostile("wait-sleep", limits).await);
        let waiting = |timeout| pb::CreateRequest { timeout, ..creation(THING, what("x")) };
        let first = std::sync::Arc::clone(&serving);
        // It goes on for as long as the second may take on a busy machine.
        let request = waiting(60.0);
        let first = tokio::spawn(async move { first.create_as(request).await.map(drop) });
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        let request = waiting(0.2);
        let status = serving.create_as(request).await.unwrap_err();
        assert_eq!(status.code(), Code::DeadlineExceeded);
        assert_eq!(
            status.message(),
            "create the resource: other calls of the provider went on until the deadline of the operation, which hadn't begun\n\
             hint: ask for less at once (`pulumi up --parallel`), or raise the limit `concurrency` in bulkhead.toml"
        );
        serving.cancel().await;
        assert_eq!(first.await.unwrap().unwrap_err().code(), Code::Cancelled);
    })
    .await;
}

async fn created(serving: &Serving) -> Result<(), tonic::Status> {
    let request = pb::CreateRequest { timeout: 1.0, ..creation(THING, what("x")) };
    serving.create_as(request).await.map(drop)
}

#[tokio::test]
async fn a_thousand_loops_delay_nobody() {
    undisturbed(async {
        let limits = Limits { compute: Duration::from_millis(5), concurrency: 16, ..Limits::default() };
        let serving = std::sync::Arc::new(hostile("loop", limits).await);
        let calls: Vec<_> = (0..1_000)
            .map(|_| {
                let serving = std::sync::Arc::clone(&serving);
                tokio::spawn(async move { Call::Create.make(&serving).await })
            })
            .collect();
        for call in calls {
            assert_eq!(call.await.unwrap().unwrap_err().code(), Code::ResourceExhausted);
        }
    })
    .await;
}
