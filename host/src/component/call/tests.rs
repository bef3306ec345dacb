use std::sync::{Mutex, mpsc};

use bulkhead_schema::Package;
use tokio::sync::watch;

use super::super::cache::Cache;
use super::super::creating::{announcing, changing};
use super::super::engine::Runtime;
use super::super::exports::nothing;
use super::super::load::Loaded;
use super::super::pace::LONG;
use super::*;
use crate::audit::Cause;
use crate::provider::{Context, Leaks, Log, Message, Origin, Silent};
use crate::store::Limits;
use crate::wit::bindings::exports::resources::{Created, Updated};
use crate::wit::bindings::values::{Node, Tree};
use crate::wit::{Left, Made, Unmade, Unready};

/// Instances of a component with nothing in it.
fn pool(log: impl Log + 'static) -> Arc<Pool> {
    let runtime = Runtime::new().unwrap();
    let loaded = Loaded::from_bytes(&runtime, &Cache::disabled(), Limits::default(), &nothing()).unwrap();
    Arc::new(Pool::new(loaded, Arc::new(log)))
}

fn call(deadline: Option<Duration>) -> Call {
    Call {
        context: Context { token: "p:index:T".to_owned(), ..Context::default() },
        package: Arc::new(Package::parse(br#"{"name":"p"}"#).unwrap()),
        deadline,
        grace: Duration::from_secs(60),
        generated: Vec::new(),
        origin: Origin::default(),
        cause: Cause::present(),
        leaks: Leaks::default(),
        cancel: CancellationToken::new(),
        leaving: CancellationToken::new(),
        under_way: watch::channel(()).1,
    }
}

/// What happens to a call once its guest has returned, and it waits until it is heard.
struct Then(Box<dyn Fn() + Send + Sync>);

impl Log for Then {
    fn log(&self, _: Message) {}

    fn seen(&self, _: Option<Speaker>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.0();
        Box::pin(std::future::ready(()))
    }
}

/// A guest that announces this much, logs something, and returns this.
fn saying<T: Send + 'static>(
    checkpoint: Option<&'static str>,
    reply: impl FnOnce() -> T + Send + 'static,
) -> impl for<'a> FnOnce(&'a mut Instance) -> Running<'a, T> + Send + 'static {
    move |instance: &mut Instance| -> Running<'_, T> {
        let call = &mut instance.store.data_mut().call;
        call.messages = 1;
        if let Some((announced, id)) = call.announced.as_ref().zip(checkpoint) {
            announced.keep(Checkpoint { id: id.to_owned(), state: reached() });
        }
        Box::pin(async move {
            // It goes on elsewhere.
            tokio::task::yield_now().await;
            Ok(reply())
        })
    }
}

fn reached() -> Tree {
    Tree { nodes: vec![Node::Text("reached".to_owned())] }
}

/// A create that returns this.
async fn created(call: Call, log: Then, reply: fn() -> Result<Made, Unmade>) -> Ended<Result<Created, types::Error>> {
    run(&pool(log), call, Phase::Create, announcing(saying(None, reply))).await
}

fn announced<T>(ended: &Ended<Result<T, types::Error>>) -> Option<&str> {
    assert!(ended.result.is_err(), "it wasn't answered with what was returned");
    ended.checkpoint.as_ref().map(|checkpoint| checkpoint.id.as_str())
}

#[tokio::test]
async fn an_id_that_was_returned_is_known_though_the_host_fails_before_it_answers() {
    let fails = || Then(Box::new(|| panic!("a bug")));
    let ended = created(call(None), fails(), || Ok(Made::read("made-1"))).await;
    assert!(ended.unreadable && announced(&ended) == Some("made-1"));
    let ended = created(call(None), fails(), || Err(Unmade::NotInitialised(Unready::read("half-1")))).await;
    assert!(ended.unreadable && announced(&ended) == Some("half-1"));
    let ended = created(call(None), fails(), || Err(Unmade::Failed("no".to_owned()))).await;
    assert_eq!(announced(&ended), None, "it said that there is nothing");
}

#[tokio::test]
async fn an_id_that_was_returned_is_known_though_its_call_is_held_up_while_the_process_leaves() {
    let (call, held_up, goes_on) = held_up();
    let ended = created(call, held_up, || Ok(Made::read("made-1"))).await;
    assert_eq!(announced(&ended), Some("made-1"));
    drop(goes_on);
}

#[tokio::test]
async fn what_is_gone_again_is_not_on_record_though_its_call_is_held_up_while_the_process_leaves() {
    let (call, log, goes_on) = held_up();
    let failed = announcing(saying(Some("made-1"), || Err(Unmade::Failed("it was taken away".to_owned()))));
    let ended = run(&pool(log), call, Phase::Create, failed).await;
    assert_eq!(announced(&ended), None);
    drop(goes_on);
    let (call, log, goes_on) = held_up();
    let failed = || -> Result<Updated, _> { Err(types::Error::Failed("it was taken back".to_owned())) };
    let failed = changing("existing-1".to_owned(), saying(Some("existing-1"), failed));
    let ended = run(&pool(log), call, Phase::Update, failed).await;
    assert_eq!(announced(&ended), None);
    drop(goes_on);
}

#[tokio::test]
async fn what_an_update_returned_changed_something_though_its_call_is_held_up_while_the_process_leaves() {
    for (checkpoint, state) in [(None, 0), (Some("existing-1"), 1)] {
        let (call, log, goes_on) = held_up();
        let updated = || Ok(Updated { state: Tree { nodes: Vec::new() }, refresh_before_update: false });
        let updated = changing("existing-1".to_owned(), saying(checkpoint, updated));
        let ended = run(&pool(log), call, Phase::Update, updated).await;
        assert_eq!(announced(&ended), Some("existing-1"));
        assert_eq!(
            ended.checkpoint.map(|checkpoint| checkpoint.state.nodes.len()),
            Some(state),
            "the last one it told"
        );
        drop(goes_on);
    }
}

/// A reply that fails once its id was read names none that anybody could go on with.
#[tokio::test]
async fn an_id_that_leads_nowhere_takes_the_place_of_none_that_was_announced() {
    for lost in ["x".repeat((64 << 10) + 1), bulkhead_value::signature::UNKNOWN.to_owned()] {
        // It is dropped, as what was read is where something after it can't be.
        let reply = move || -> Result<Made, Unmade> {
            drop(Made::read(&lost));
            Err(Unmade::Other("no".to_owned()))
        };
        let ended = run(&pool(Silent), call(None), Phase::Create, announcing(saying(Some("made-1"), reply))).await;
        assert_eq!(ended.checkpoint.map(|checkpoint| checkpoint.id), Some("made-1".to_owned()));
    }
}

/// A call, what holds it up once its guest has returned, and until when.
fn held_up() -> (Call, Then, mpsc::Sender<()>) {
    let call = call(None);
    let leaving = call.leaving.clone();
    let (goes_on, waits) = mpsc::channel::<()>();
    let waits = Mutex::new(waits);
    let held_up = move || {
        leaving.cancel();
        let _ = waits.lock().map(|waits| waits.recv());
    };
    (call, Then(Box::new(held_up)), goes_on)
}

/// As one that fills memory, or waits for its next turn behind such.
#[tokio::test]
async fn a_call_that_cannot_be_interrupted_is_answered_without_it_once_its_time_is_up() {
    let (goes_on, waits) = mpsc::channel::<()>();
    let enter = announcing(move |instance: &mut Instance| {
        let announced = instance.store.data().call.announced.clone();
        Box::pin(async move {
            // It goes on elsewhere.
            tokio::task::yield_now().await;
            announced.unwrap().add(Left { id: "made-1".to_owned(), state: None });
            let _ = waits.recv();
            Ok(Err(Unmade::Failed("no".to_owned())))
        })
    });
    let (pool, call) = (pool(Silent), call(Some(Duration::from_millis(20))));
    let running = run(&pool, call, Phase::Create, enter);
    let ended = tokio::time::timeout(LAST_RESORT * 4, running).await;
    let ended = ended.unwrap_or_else(|_| panic!("its caller still waits"));
    assert_eq!(announced(&ended), Some("made-1"));
    assert!(matches!(ended.result.unwrap_err().kind, ErrorKind::DeadlineExceeded));
    drop(goes_on);
}

/// Others of its provider may have all of them for as long as they compute.
#[tokio::test]
async fn a_call_that_waits_for_its_first_turn_ends_with_its_deadline_or_cancel_and_never_begins() {
    let (pool, begun) = (pool(Silent), Arc::<AtomicBool>::default());
    let _all = pool.loaded.runtime.workers().all_turns(&pool.loaded.lines);
    let waits = async |call: Call| {
        Paced::of(&pool.pace, &(std::mem::discriminant(&Phase::Read), &call.context.token)).held(LONG * 10);
        let begun = Arc::clone(&begun);
        let running = run(&pool, call, Phase::Read, move |_: &mut Instance| {
            begun.store(true, Ordering::Relaxed);
            Box::pin(async { Ok(Ok(())) })
        });
        let ended = tokio::time::timeout(Duration::from_secs(20), running).await;
        ended.unwrap_or_else(|_| panic!("it still waits")).result.unwrap_err()
    };
    let late = waits(call(Some(Duration::from_millis(20)))).await;
    let told = "the deadline of the operation passed before its turn came, and it hasn't begun";
    assert!(matches!(late.kind, ErrorKind::Overdue) && late.message == told, "{late}");
    let cancelled = call(None);
    let cancel = cancelled.cancel.clone();
    let (cancelled, ()) = tokio::join!(waits(cancelled), async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        cancel.cancel();
    });
    assert!(matches!(cancelled.kind, ErrorKind::Cancelled) && cancelled.message == CANCELLED, "{cancelled}");
    assert!(!begun.load(Ordering::Relaxed));
}
