//! Calls in crowds: who waits for whom, whom that delays, and what those are told for whom there is no place.

use std::time::Duration;

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, creation};
use tonic::Code;

use crate::calls::Call;
use crate::{OWN, TELL, THING, hostile, short, undisturbed, what};

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
    let limits = Limits { memory: 600 << 20, wall: Duration::from_secs(20), ..short() };
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
        let limits = Limits { memory: 600 << 20, wall: Duration::from_secs(20), ..short() };
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
    let request = pb::CreateRequest { timeout: 6.0, ..creation(THING, what("x")) };
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
