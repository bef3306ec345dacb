//! What the instances of one configuration share, and with whom they don't.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bulkhead::component::{Isolation, Limits, SessionLimits};
use bulkhead_tests::serving::{Serving, load};
use bulkhead_tests::until;
use bulkhead_value::{Object, Value};
use tonic::{Code, Status};

use crate::{guest, object};

async fn sharing(limits: Limits) -> Arc<Serving> {
    Arc::new(Serving::start(&guest("sharing"), limits).await.ready(Object::new()).await)
}

async fn share(serving: &Serving, act: &str, key: &str, value: &str) -> Result<String, Status> {
    let arguments = object([("act", act), ("key", key), ("value", value)]);
    came(serving, arguments).await
}

async fn came(serving: &Serving, arguments: Object) -> Result<String, Status> {
    let invoked = serving.invoke("sharing:index:share", arguments).await?;
    Ok(invoked.value["text"].as_str().unwrap().to_owned())
}

fn holding(act: &str, amount: f64) -> Object {
    object([("name", Value::from("door")), ("act", act.into()), ("amount", amount.into())])
}

async fn hold(serving: &Serving, act: &str, amount: f64) -> Result<f64, Status> {
    let invoked = serving.invoke("sharing:index:hold", holding(act, amount)).await?;
    Ok(invoked.value["holders"].as_number().unwrap())
}

/// Shows that the lock is free.
async fn free(serving: &Serving) {
    let got = tokio::time::timeout(Duration::from_secs(30), hold(serving, "drop", 0.0)).await;
    got.expect("nobody should hold the lock").unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn creates_that_need_each_other_run_side_by_side() {
    const SIZE: u32 = 32;
    let serving = sharing(Limits::default()).await;
    let creates: Vec<_> = (0..SIZE)
        .map(|_| {
            let serving = Arc::clone(&serving);
            let inputs = object([("size", f64::from(SIZE))]);
            tokio::spawn(async move { serving.create("sharing:index:Rendezvous", inputs).await })
        })
        .collect();
    let mut arrivals = Vec::new();
    for create in creates {
        let created = create.await.unwrap().expect("all should meet");
        arrivals.push(created.state["arrival"].as_number().unwrap() as u32);
    }
    arrivals.sort_unstable();
    assert_eq!(arrivals, (1..=SIZE).collect::<Vec<_>>(), "each was counted once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_outlive_instances_and_are_swapped_whole() {
    let serving = sharing(Limits { isolation: Isolation::Call, ..Limits::default() }).await;
    assert_eq!(share(&serving, "get", "key", "").await.unwrap(), "nothing");
    assert_eq!(share(&serving, "insert", "key", "one").await.unwrap(), "Ok(())");
    assert_eq!(share(&serving, "insert", "key", "two").await.unwrap(), "Err(\"one\")");
    assert_eq!(share(&serving, "set", "key", "three").await.unwrap(), "set");
    assert_eq!(share(&serving, "get", "key", "").await.unwrap(), "three");
    assert_eq!(share(&serving, "remove", "key", "").await.unwrap(), "Ok(())");
    assert_eq!(share(&serving, "get", "key", "").await.unwrap(), "nothing");
    assert_eq!(share(&serving, "add", "key", "").await.unwrap(), "1");
    assert_eq!(share(&serving, "add", "key", "").await.unwrap(), "2", "counters are beside the values");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_shared_with_another_configuration() {
    let component = std::fs::read(&guest("sharing").component).unwrap();
    let loaded = load(&component, Limits::default()).unwrap();
    let one = Serving::of(Arc::clone(&loaded)).await.ready(Object::new()).await;
    let other = Serving::of(loaded).await.ready(Object::new()).await;
    share(&one, "set", "key", "mine").await.unwrap();
    share(&one, "add", "counter", "").await.unwrap();
    assert_eq!(share(&other, "get", "key", "").await.unwrap(), "nothing");
    assert_eq!(share(&other, "add", "counter", "").await.unwrap(), "1");
    let held = hold(&one, "drop", 50_000.0);
    let others = async {
        one.said("holding").await;
        free(&other).await;
    };
    tokio::select! { _ = held => panic!("the other configuration waited"), () = others => {} }

    let again = one.ready(Object::new()).await;
    assert_eq!(share(&again, "get", "key", "").await.unwrap(), "nothing", "it is gone with its configuration");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_call_at_a_time_holds_a_lock() {
    let serving = sharing(Limits::default()).await;
    let begun = Instant::now();
    let holds: Vec<_> = (0..8)
        .map(|_| {
            let serving = Arc::clone(&serving);
            tokio::spawn(async move { hold(&serving, "drop", 20.0).await })
        })
        .collect();
    for held in holds {
        assert_eq!(held.await.unwrap().unwrap(), 1.0, "nobody else held it");
    }
    assert!(begun.elapsed() >= Duration::from_millis(160), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_expensive_is_made_once() {
    let serving = sharing(Limits::default()).await;
    let token = || async {
        let invoked = serving.invoke("sharing:index:token", object([("pause", 100.0)])).await.unwrap();
        invoked.value["text"].as_str().unwrap().to_owned()
    };
    let tokens = tokio::join!(token(), token(), token(), token());
    assert_eq!(<[String; 4]>::from(tokens), ["token 1", "token 1", "token 1", "token 1"]);
    assert_eq!(token().await, "token 1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_comes_back_however_a_call_ends() {
    let serving = sharing(Limits::default()).await;
    hold(&serving, "forget", 0.0).await.unwrap();
    free(&serving).await;
    let status = hold(&serving, "fail", 0.0).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Aborted, "it was held in vain"));
    free(&serving).await;
    let status = hold(&serving, "panic", 0.0).await.unwrap_err();
    assert!(status.message().starts_with("call the function: the provider crashed"), "{status:?}");
    free(&serving).await;
    let gone = hold(&serving, "drop", 50_000.0);
    tokio::select! { _ = gone => panic!("its time passed"), () = serving.said("holding") => {} }
    free(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_for_a_lock_ends_when_the_call_is_cancelled() {
    let serving = sharing(Limits::default()).await;
    let waiting = async {
        serving.said("holding").await;
        hold(&serving, "drop", 0.0).await
    };
    let cancelling = async {
        until("a second call that waits", || {
            serving.messages().iter().filter(|message| message.text == "waiting").count() >= 2
        })
        .await;
        serving.cancel().await;
        Instant::now()
    };
    let (held, waited, cancelled) = tokio::join!(hold(&serving, "drop", 50_000.0), waiting, cancelling);
    assert_eq!((held.unwrap_err().code(), waited.unwrap_err().code()), (Code::Cancelled, Code::Cancelled));
    assert!(cancelled.elapsed() < Duration::from_secs(8), "{:?}", cancelled.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_would_wait_for_itself_for_ever_is_ended() {
    let serving = sharing(Limits::default()).await;
    let status = hold(&serving, "twice", 0.0).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted, "{status:?}");
    assert_eq!(
        status.message(),
        "call the function: the provider broke the contract: it waits for a lock that the same call holds; \
         this is a bug in the provider\nhint: please report it to the provider's author"
    );
    free(&serving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_shared_is_bounded() {
    let session = SessionLimits { bytes: 1_000, value: 600, keys: 4, locks: 4, name: 8 };
    let serving = sharing(Limits { session, ..Limits::default() }).await;
    let set = |key: &'static str, amount: f64| {
        let arguments = object([
            ("act", Value::from("set")),
            ("key", key.into()),
            ("value", "x".into()),
            ("amount", amount.into()),
        ]);
        came(&serving, arguments)
    };
    let refused = |outcome: Result<String, Status>| {
        let status = outcome.unwrap_err();
        assert_eq!(status.code(), Code::Aborted, "{status:?}");
        status.message().to_owned()
    };
    set("a", 600.0).await.unwrap();
    assert_eq!(refused(set("a", 601.0).await), "a shared value would grow to 601 bytes, and the limit is 600");
    assert_eq!(
        refused(set("b", 600.0).await),
        "what is shared would grow to 1202 bytes, and the limit `session` is 1000\n\
         hint: if the provider should have more, raise the limit `session` in bulkhead.toml"
    );
    assert_eq!(
        refused(share(&serving, "add", "long name", "").await),
        "a shared name would grow to 9 bytes, and the limit is 8"
    );
    for counter in ["b", "c", "d"] {
        share(&serving, "add", counter, "").await.unwrap();
    }
    assert_eq!(
        refused(share(&serving, "add", "e", "").await),
        "what is shared would grow to 5 keys, and the limit is 4"
    );
    let status = hold(&serving, "several", 4.0).await.unwrap_err();
    assert_eq!(status.message(), "the locks in use would grow to 5 names, and the limit is 4");
    assert_eq!(hold(&serving, "several", 3.0).await.unwrap(), 3.0, "all were given back");
}
