//! How calls are stopped: by a deadline, by Cancel, by a client that goes away.

use std::time::{Duration, Instant};

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::in_time;
use bulkhead_tests::serving::{Serving, creation, init_failed, urn, wire};
use bulkhead_value::{Object, Value};
use prost::Message as _;
use tonic::{Code, Status};

use crate::{act, behaviours, labelled, limited, object, serves_on};

const RUNNING: &str = "behaviours:index:Running";
const HOUR: f64 = 3_600_000.0;
/// As good as at once where machines are busy, and less than the grace of ten seconds that some calls have.
const SOON: Duration = Duration::from_secs(8);
/// The same for what may wait for a guest that computes, whose threads give way to all others. A call has a minute by itself.
const AT_LAST: Duration = Duration::from_secs(30);

fn running(act: &str, announced: bool, amount: f64) -> Object {
    object([("act", Value::from(act)), ("announced", announced.into()), ("amount", amount.into())])
}

fn on_record(act: &str, amount: f64) -> Object {
    object([("act", Value::from(act)), ("amount", amount.into()), ("text", "begun".into())])
}

/// Creates with a timeout in seconds.
async fn timed(serving: &Serving, inputs: Object, timeout: f64) -> (Result<String, Status>, Duration) {
    let begun = Instant::now();
    let created = serving.create_as(pb::CreateRequest { timeout, ..creation(RUNNING, inputs) }).await;
    (created.map(|created| created.state["text"].as_str().unwrap().to_owned()), begun.elapsed())
}

/// Reads what takes long.
async fn reading(serving: &Serving, act: &str, timeout: f64) -> Result<pb::ReadResponse, Status> {
    let properties = Some(wire(&on_record(act, HOUR)));
    let request = pb::ReadRequest { urn: urn(RUNNING), id: "running-1".into(), properties, timeout, ..<_>::default() };
    serving.client.clone().read(request).await.map(tonic::Response::into_inner)
}

/// Cancels once the guest has begun, and says how long the call went on.
async fn cancelled<T>(serving: &Serving, call: impl Future<Output = T>) -> (T, Duration) {
    let cancel = async {
        serving.said("begun").await;
        let asked = Instant::now();
        serving.cancel().await;
        assert!(asked.elapsed() < SOON, "Cancel should be answered at once");
        asked
    };
    let (outcome, asked) = tokio::join!(call, cancel);
    (outcome, asked.elapsed())
}

const DEADLINE: &str = "the operation took longer than its deadline\n\
                        hint: give it more time with the resource option `customTimeouts`, or where there is none with the limit \
                        `wall` in bulkhead.toml";

/// What is said of a create that announced nothing.
fn late() -> String {
    let left =
        "a resource may have been created: look for it where the provider makes such things, and import or delete it";
    format!("create the resource: {DEADLINE}; {left}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endless_loop_ends_at_its_deadline_and_delays_nobody() {
    let serving = behaviours().await;
    let looping = timed(&serving, running("loop", false, 0.0), 3.0);
    let others = async {
        serving.said("begun").await;
        let mut served = 0;
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(2) {
            serves_on(&serving).await;
            served += 1;
        }
        served
    };
    let ((outcome, took), served) = tokio::join!(looping, others);
    let status = outcome.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::DeadlineExceeded, late().as_str()));
    // With a grace it would be thirteen.
    assert!((Duration::from_millis(2_950)..Duration::from_secs(12)).contains(&took), "{took:?}");
    assert!(served > 12, "{served} calls were served meanwhile");
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_announced_survives_a_deadline() {
    let serving = behaviours().await;
    let (outcome, _) = timed(&serving, running("loop", true, 0.0), 2.0).await;
    let left = init_failed(&outcome.unwrap_err());
    let told = DEADLINE.replace("\nhint: ", "; hint: ");
    assert_eq!((left.id.as_str(), left.reasons), ("running-1", vec![told]));
    assert_eq!(left.state["text"], Value::from("begun"));
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_and_deleting_end_at_their_deadlines_too() {
    let serving = behaviours().await;
    for what in ["loop", "sleep"] {
        let delete = pb::DeleteRequest {
            urn: urn(RUNNING),
            id: "running-1".into(),
            properties: Some(wire(&on_record(what, HOUR))),
            timeout: 0.3,
            ..<_>::default()
        };
        for (doing, status, left) in [
            ("read the resource", reading(&serving, what, 0.3).await.map(drop), ""),
            (
                "delete the resource",
                serving.client.clone().delete(delete).await.map(drop),
                "; `pulumi refresh` shows what became of it",
            ),
        ] {
            let (status, late) = (status.unwrap_err(), format!("{doing}: {DEADLINE}{left}"));
            assert_eq!((status.code(), status.message()), (Code::DeadlineExceeded, &*late), "{what}");
        }
    }
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sleeps_of_the_standard_library_end_at_the_deadline_too() {
    let serving = behaviours().await;
    let (outcome, took) = timed(&serving, running("sleep", false, HOUR), 0.5).await;
    let status = outcome.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::DeadlineExceeded, late().as_str()));
    assert!(took < SOON, "{took:?}");
    let (outcome, took) = timed(&serving, running("sleep", false, 300.0), 0.0).await;
    assert_eq!(outcome.unwrap(), "done");
    assert!(took >= Duration::from_millis(300), "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_knows_how_much_time_is_left() {
    let serving = behaviours().await;
    assert_eq!(timed(&serving, running("remaining", false, 0.0), 0.0).await.0.unwrap(), "none");
    let left: u64 = timed(&serving, running("remaining", false, 0.0), 30.0).await.0.unwrap().parse().unwrap();
    assert!((20_000..=30_000).contains(&left), "{left}");
    let invoked = serving.invoke("behaviours:index:run", act("remaining")).await.unwrap();
    let left: u64 = invoked.value["text"].as_str().unwrap().parse().unwrap();
    assert!((50_000..=60_000).contains(&left), "what changes nothing has 60 s: {left}");
}

/// CRUD-25: 0 stands for no timeout.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_timeout_a_change_has_as_long_as_it_likes_and_a_read_60_seconds() {
    let serving = behaviours().await;
    let recorded = || Some(wire(&on_record("remaining", 0.0)));
    for (timeout, reads, changes) in [(0.0, 50_000..=60_000, None), (30.0, 20_000..=30_000, Some(20_000..=30_000))] {
        let (urn, id) = (urn(RUNNING), "running-1".to_owned());
        let read =
            pb::ReadRequest { urn: urn.clone(), id: id.clone(), properties: recorded(), timeout, ..<_>::default() };
        let update = pb::UpdateRequest {
            urn: urn.clone(),
            id: id.clone(),
            olds: recorded(),
            news: Some(wire(&running("remaining", false, 0.0))),
            timeout,
            ..<_>::default()
        };
        let delete = pb::DeleteRequest { urn, id, properties: recorded(), timeout, ..<_>::default() };
        let mut seen = Vec::new();
        for doing in ["read", "update", "delete"] {
            let mut client = serving.client.clone();
            match doing {
                "read" => client.read(read.clone()).await.map(drop),
                "update" => client.update(update.clone()).await.map(drop),
                _ => client.delete(delete.clone()).await.map(drop),
            }
            .expect(doing);
            let messages = serving.messages().into_iter();
            let left = messages.filter_map(|message| Some(message.text.strip_prefix("left: ")?.to_owned())).next_back();
            seen.push(left.expect(doing));
        }
        let within =
            |left: &str, range: &std::ops::RangeInclusive<u64>| left.parse().is_ok_and(|left| range.contains(&left));
        assert!(within(&seen[0], &reads), "{timeout}: {seen:?}");
        for left in &seen[1..] {
            assert!(changes.as_ref().map_or(left == "none", |range| within(left, range)), "{timeout}: {seen:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_loop_in_a_read_ends_at_once() {
    for what in ["loop", "sleep"] {
        let serving = behaviours().await;
        let (outcome, took) = cancelled(&serving, reading(&serving, what, 0.0)).await;
        let status = outcome.unwrap_err();
        assert_eq!(
            (status.code(), status.message()),
            (Code::Cancelled, "read the resource: the operation was cancelled")
        );
        assert!(took < AT_LAST, "{what}: {took:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_function_ends_at_once() {
    for what in ["loop", "sleep"] {
        let serving = behaviours().await;
        let call = serving.invoke("behaviours:index:run", running(what, false, HOUR));
        let (outcome, took) = cancelled(&serving, call).await;
        let status = outcome.unwrap_err();
        assert_eq!(
            (status.code(), status.message()),
            (Code::Cancelled, "call the function: the operation was cancelled")
        );
        assert!(took < AT_LAST, "{what}: {took:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_loop_in_a_create_ends_after_its_grace() {
    let serving = behaviours().await;
    let (outcome, took) = cancelled(&serving, serving.create(RUNNING, running("loop", true, 0.0))).await;
    let left = init_failed(&outcome.unwrap_err());
    assert_eq!((left.id.as_str(), left.reasons), ("running-1", vec!["the operation was cancelled".to_owned()]));
    assert!((Duration::from_millis(9_500)..AT_LAST).contains(&took), "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_guest_may_save_what_it_made() {
    let serving = behaviours().await;
    let (outcome, took) = cancelled(&serving, serving.create(RUNNING, running("wait", false, HOUR))).await;
    let left = init_failed(&outcome.unwrap_err());
    assert_eq!((left.id.as_str(), left.reasons), ("running-1", vec!["cancelled: true".to_owned()]));
    assert!(took < SOON, "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancellation_that_is_passed_on_loses_nothing_that_was_announced() {
    let serving = behaviours().await;
    let (outcome, _) = cancelled(&serving, serving.create(RUNNING, running("waitAndPassOn", true, HOUR))).await;
    let left = init_failed(&outcome.unwrap_err());
    assert_eq!((left.id.as_str(), left.reasons), ("running-1", vec!["the operation was cancelled".to_owned()]));

    let serving = behaviours().await;
    let (outcome, _) = cancelled(&serving, serving.create(RUNNING, running("waitAndPassOn", false, HOUR))).await;
    assert_eq!(outcome.unwrap_err().code(), Code::Cancelled, "nothing was announced");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_cancel_nothing_is_served_until_the_next_handshake() {
    let serving = behaviours().await;
    serving.cancel().await;
    serving.cancel().await;
    let status = serving.create(RUNNING, act("return")).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (Code::Cancelled, "create the resource: the engine has cancelled this provider")
    );
    assert_eq!(serving.check(RUNNING, act("return")).await.unwrap_err().code(), Code::Cancelled);
    assert_eq!(serving.configure(labelled("again")).await.unwrap_err().code(), Code::Cancelled);
    let serving = serving.ready(labelled("again")).await;
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_handshake_ends_what_ran_for_the_engine_before() {
    let serving = behaviours().await;
    let shake = async {
        serving.said("begun").await;
        serving.handshake(<_>::default()).await;
    };
    let (outcome, ()) = tokio::join!(reading(&serving, "loop", 0.0), shake);
    assert_eq!(outcome.unwrap_err().code(), Code::Cancelled);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_goes_away_takes_its_calls_along() {
    let serving = limited(Limits { concurrency: 1, ..Limits::default() }).await;
    let begun = Instant::now();
    let create = serving.create(RUNNING, running("wait", false, HOUR));
    tokio::select! { _ = create => panic!("an hour passed"), () = serving.said("begun") => {} }
    // The guest was told, and came to its end: else there would be no place for another call.
    serving.said("waited").await;
    serves_on(&serving).await;
    tokio::select! { _ = reading(&serving, "loop", 0.0) => panic!("a loop ended"), () = tokio::time::sleep(Duration::from_millis(300)) => {} }
    serves_on(&serving).await;
    assert!(begun.elapsed() < Duration::from_millis(9_500), "{:?}", begun.elapsed());
}

/// That of gRPC, which is about who waits and says nothing of the resource: its call is told, and comes to its end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_whose_deadline_has_passed_takes_its_calls_along() {
    let serving = limited(Limits { concurrency: 1, ..Limits::default() }).await;
    let create = creation(RUNNING, running("wait", false, HOUR)).encode_to_vec();
    let status = serving.hurried("Create", &create, "3S").await;
    assert_eq!((status.code(), status.message()), (Code::DeadlineExceeded, "the caller's deadline has passed"));
    serving.said("waited").await;
    serves_on(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_waits_for_its_turn_has_a_deadline_too() {
    let serving = limited(Limits { concurrency: 1, ..Limits::default() }).await;
    let waiting = async {
        serving.said("begun").await;
        let begun = Instant::now();
        let status = reading(&serving, "return", 0.3).await.unwrap_err();
        assert_eq!(status.code(), Code::DeadlineExceeded, "{status:?}");
        begun.elapsed()
    };
    // It has the place for a minute.
    tokio::select! {
        held = reading(&serving, "sleep", 0.0) => panic!("nobody waited for as long: {held:?}"),
        waited = waiting => assert!(waited < AT_LAST, "{waited:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_waits_for_its_turn_does_not_begin_once_it_is_cancelled() {
    let serving = limited(Limits { concurrency: 1, ..Limits::default() }).await;
    let first = serving.create(RUNNING, running("wait", true, HOUR));
    let second = async {
        serving.said("begun").await;
        let waiting = serving.create(RUNNING, running("wait", true, HOUR));
        let cancel = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            serving.cancel().await;
        };
        tokio::join!(waiting, cancel).0.unwrap_err()
    };
    let (first, second) = tokio::join!(first, second);
    assert_eq!(init_failed(&first.unwrap_err()).id, "running-1", "what had begun is on record");
    assert_eq!(second.code(), Code::Cancelled, "{second:?}");
    assert_eq!(second.message(), "create the resource: the operation was cancelled before it began");
    let begun = serving.messages().into_iter().filter(|message| message.text == "begun").count();
    assert_eq!(begun, 1);
}

/// A process that leaves waits for four seconds. What was announced is told before that, by a guest that doesn't end as well: it has
/// most of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_announced_is_told_by_a_process_that_leaves() {
    in_time(10, async || {
        let serving = behaviours().await;
        let create = serving.create(RUNNING, running("loop", true, 0.0));
        let leave = async {
            serving.said("begun").await;
            serving.leave();
            Instant::now()
        };
        let (created, asked) = tokio::join!(create, leave);
        let took = asked.elapsed();
        assert_eq!(init_failed(&created.unwrap_err()).id, "running-1");
        (took < Duration::from_secs(4)).then_some(())
    })
    .await;
}
