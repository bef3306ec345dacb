//! Lists: page after page from a guest that isn't trusted to come to an end.

use std::time::{Duration, Instant};

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::list_response::Response;
use bulkhead_tests::serving::{Serving, wire};
use bulkhead_value::{Object, Value};
use tonic::{Code, Status, Streaming};

use crate::{behaviours, guest, object};

const BOOK: &str = "catalogue:index:Book";
const BUG: &str = "; this is a bug in the provider\nhint: please report it to the provider's author";

async fn catalogue() -> Serving {
    limited(Limits::default()).await
}

async fn limited(limits: Limits) -> Serving {
    Serving::start(&guest("catalogue"), limits).await.ready(Object::new()).await
}

fn asked(act: &str) -> pb::ListRequest {
    query(object([("act", act)]))
}

fn query(query: Object) -> pb::ListRequest {
    pb::ListRequest { token: BOOK.to_owned(), query: Some(wire(&query)), ..<_>::default() }
}

/// So many books on pages of so many.
fn books(count: u32, per_page: u32) -> pb::ListRequest {
    query(object([("count", f64::from(count)), ("perPage", f64::from(per_page))]))
}

async fn begun(serving: &Serving, request: pb::ListRequest) -> Result<Streaming<pb::ListResponse>, Status> {
    serving.client.clone().list(request).await.map(tonic::Response::into_inner)
}

/// All messages of a stream, and how it ended.
async fn all(serving: &Serving, request: pb::ListRequest) -> (Vec<Response>, Result<(), Status>) {
    let mut messages = Vec::new();
    let mut stream = match begun(serving, request).await {
        Ok(stream) => stream,
        Err(status) => return (messages, Err(status)),
    };
    loop {
        match stream.message().await {
            Ok(Some(message)) => messages.push(message.response.expect("a message should say something")),
            Ok(None) => return (messages, Ok(())),
            Err(status) => return (messages, Err(status)),
        }
    }
}

/// The ids of a stream, whose order is held to the protocol's: results, then at most one continuation.
async fn listed(serving: &Serving, request: pb::ListRequest) -> (Vec<String>, Option<String>) {
    let (mut messages, outcome) = all(serving, request).await;
    outcome.unwrap();
    let continuation = match messages.last() {
        Some(Response::Continuation(_)) => messages.pop(),
        _ => None,
    };
    let ids = messages.into_iter().map(|message| match message {
        Response::Result(result) => result.id,
        other => panic!("only results should come before the end: {other:?}"),
    });
    let token = |last: Response| match last {
        Response::Continuation(continuation) => continuation.continuation_token,
        _ => String::new(),
    };
    (ids.collect(), continuation.map(token))
}

fn ids(numbers: impl IntoIterator<Item = u32>) -> Vec<String> {
    numbers.into_iter().map(|number| format!("book-{number}")).collect()
}

async fn refusal(serving: &Serving, request: pb::ListRequest) -> (Code, String) {
    let status = all(serving, request).await.1.expect_err("the list should fail");
    (status.code(), status.message().to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_pages_of_a_guest_come_in_one_stream_and_in_order() {
    let serving = catalogue().await;
    assert_eq!(listed(&serving, books(8, 3)).await, (ids(1..=8), None));
    assert_eq!(listed(&serving, query(Object::new())).await, (ids(1..=5), None), "a default of the query's schema");
    assert_eq!(listed(&serving, books(0, 3)).await, (vec![], None));
    let bare = pb::ListRequest { token: BOOK.to_owned(), ..<_>::default() };
    assert_eq!(listed(&serving, bare).await, (ids(1..=5), None), "the query may be left out");
    assert_eq!(listed(&serving, asked("gaps")).await, (ids([1]), None), "a page without results isn't the end");
    assert_eq!(listed(&serving, asked("empty-continuation")).await, (ids([1]), None));

    let (messages, _) = all(&serving, books(2, 2)).await;
    let names: Vec<String> = messages
        .into_iter()
        .map(|message| if let Response::Result(result) = message { result.name } else { panic!("{message:?}") })
        .collect();
    assert_eq!(names, ["", "Volume 2"], "a name is optional");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_size_is_an_upper_bound_and_a_continuation_leads_on() {
    let serving = catalogue().await;
    let mut request = pb::ListRequest { page_size: 3, ..query(object([("count", 8.0)])) };
    let mut pages = Vec::new();
    loop {
        let (page, continuation) = listed(&serving, request.clone()).await;
        assert!(page.len() <= 3, "{page:?}");
        for id in &page {
            let read = serving.import(BOOK, id).await.unwrap();
            assert_eq!(&read.id, id, "what is listed can be read");
        }
        pages.push(page);
        match continuation {
            Some(token) => request.continuation_token = token,
            None => break,
        }
    }
    assert_eq!(pages, [ids(1..=3), ids(4..=6), ids(7..=8)]);

    // A guest may return less than was asked for; then so does the host, and never nothing.
    let few = pb::ListRequest { page_size: 5, ..books(4, 2) };
    let (page, continuation) = listed(&serving, few).await;
    assert_eq!((page, continuation.is_some()), (ids(1..=2), true));
    let gaps = pb::ListRequest { page_size: 5, ..asked("gaps") };
    assert_eq!(listed(&serving, gaps).await, (ids([1]), None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_holds_for_all_pages_together() {
    let serving = catalogue().await;
    for (limit, expected) in [(-1, 8), (0, 8), (1, 1), (3, 3), (7, 7), (8, 8), (9, 8)] {
        let request = pb::ListRequest { limit, ..books(8, 3) };
        assert_eq!(listed(&serving, request).await, (ids(1..=expected), None), "{limit}");
    }
    let mut request = pb::ListRequest { limit: 5, page_size: 3, ..query(object([("count", 8.0)])) };
    let (page, continuation) = listed(&serving, request.clone()).await;
    assert_eq!(page, ids(1..=3));
    request.continuation_token = continuation.unwrap();
    assert_eq!(listed(&serving, request).await, (ids(4..=5), None), "a follow-up repeats the limit");
    let endless = pb::ListRequest { limit: 100, ..asked("endless") };
    assert_eq!(listed(&serving, endless).await, (ids(0..100), None), "nobody is asked for more than is wanted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_is_told_what_was_asked_for() {
    let serving = catalogue().await;
    let request = query(object([("act", Value::from("asked")), ("shelf", 7.0.into())]));
    let (told, _) = listed(&serving, request.clone()).await;
    assert_eq!(told, [r#"catalogue:index:Book None None None Some(5.0) Some("7")"#], "checked, completed and typed");
    let request = pb::ListRequest { limit: 10, page_size: 4, continuation_token: "3:there".to_owned(), ..request };
    let (told, _) = listed(&serving, request).await;
    assert_eq!(told, [r#"catalogue:index:Book Some("10") Some(4) Some("there") Some(5.0) Some("7")"#]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_known_is_not_asked_for() {
    let serving = catalogue().await;
    let unknown = |name: &str| query(object([("act", Value::from("trap")), (name, Value::Unknown)]));
    let (messages, outcome) = all(&serving, unknown("shelf")).await;
    outcome.unwrap();
    assert!(matches!(messages[..], [Response::Computed(_)]), "{messages:?}");
    let (code, message) = refusal(&serving, unknown("sehlf")).await;
    assert_eq!(code, Code::InvalidArgument, "what is known to be wrong is said all the same: {message}");
    assert!(serving.messages().is_empty(), "the guest isn't called");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_requests_are_refused_before_the_guest_sees_them() {
    let serving = catalogue().await;
    let token = |token: &str| pb::ListRequest { token: token.to_owned(), ..<_>::default() };
    let continued = |from: &str| pb::ListRequest { continuation_token: from.to_owned(), ..books(3, 3) };
    let foreign = "list the resources: the continuation isn't one that this provider gave\n\
                   hint: begin with an empty one, and pass on what the last page ended with";
    for (request, message) in [
        (
            token("catalogue:index:Bokk"),
            "list the resources: the package `catalogue` has no resource type `catalogue:index:Bokk`\n\
             hint: did you mean `catalogue:index:Book`?",
        ),
        (
            token("catalogue:index:Shelf"),
            "list the resources: resources of the type `catalogue:index:Shelf` can't be listed",
        ),
        (query(object([("cuont", 1.0)])), "list the resources: cuont: unknown property 'cuont'; did you mean 'count'?"),
        (
            query(object([("count", "many"), ("perPage", "few")])),
            "list the resources: 2 inputs are wrong: count: expected an integer, got a string; \
             perPage: expected an integer, got a string",
        ),
        (continued("there"), foreign),
        (continued("3:"), foreign),
        (continued("-1:3"), foreign),
    ] {
        assert_eq!(refusal(&serving, request).await, (Code::InvalidArgument, message.to_owned()));
    }
    assert!(serving.messages().is_empty(), "the guest isn't called");
    let unready = Serving::start(&guest("catalogue"), Limits::default()).await;
    assert_eq!(refusal(&unready, books(1, 1)).await.0, Code::FailedPrecondition);
    let unable = pb::ListRequest { token: "behaviours:index:Creating".to_owned(), ..<_>::default() };
    assert_eq!(refusal(&behaviours().await, unable).await.0, Code::Unimplemented, "it has no lists at all");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_that_cannot_be_used_are_the_providers_bug() {
    let serving = catalogue().await;
    assert_eq!(listed(&serving, asked("state")).await.0, ids([1]), "a state that conforms is no harm");
    for (act, page_size, message) in [
        ("no-id", 0, "the provider listed a resource with an empty id"),
        ("unknown-id", 0, "the provider listed a resource with something that isn't known"),
        ("unknown-name", 0, "the provider listed a resource with something that isn't known"),
        (
            "wrong-state",
            0,
            "the provider listed a resource with a state that its schema doesn't allow, at title: missing required \
             property 'title'",
        ),
        (
            "unknown-state",
            0,
            "the provider listed a resource with a state that its schema doesn't allow, at title: the value isn't known \
             although the operation is over",
        ),
        ("malformed-state", 0, "the provider returned a value tree without nodes"),
        ("too-many", 2, "the provider returned a page with more results than were asked for"),
        ("same", 0, "the provider returned a page that continues with itself"),
        ("long", 0, "the provider returned a continuation of more than 1 MiB"),
        ("empty-for-ever", 0, "the provider returned 1000 pages without results, and promised more"),
        ("trap", 0, "the provider crashed: wasm trap: wasm `unreachable` instruction executed"),
    ] {
        let request = pb::ListRequest { page_size, ..asked(act) };
        let expected = (Code::Aborted, format!("list the resources: {message}{BUG}"));
        assert_eq!(refusal(&serving, request).await, expected, "{act}");
    }
    let (messages, outcome) = all(&serving, asked("fail")).await;
    let status = outcome.unwrap_err();
    assert_eq!(
        (messages.len(), status.code(), status.message()),
        (1, Code::Aborted, "the library is closed"),
        "what came before stands"
    );
    assert_eq!(listed(&serving, books(8, 3)).await, (ids(1..=8), None), "and the host serves on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_asked_for_pages_that_are_not_read() {
    let serving = catalogue().await;
    let mut stream = begun(&serving, asked("endless")).await.unwrap();
    for _ in 0..3 {
        stream.message().await.unwrap().expect("there is always more");
    }
    drop(stream);
    let dropped = Instant::now();
    loop {
        let pages = serving.messages().len();
        tokio::time::sleep(Duration::from_millis(300)).await;
        if serving.messages().len() == pages {
            break;
        }
        assert!(dropped.elapsed() < Duration::from_secs(20), "paging stops when the stream is dropped");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_stream_ends_the_guests_call() {
    for act in ["wait", "loop"] {
        let serving = limited(Limits { concurrency: 1, ..Limits::default() }).await;
        let begun_at = Instant::now();
        let mut stream = begun(&serving, asked(act)).await.unwrap();
        tokio::select! { _ = stream.message() => panic!("an hour passed"), () = serving.said("begun") => {} }
        drop(stream);
        // There is place for one call at a time.
        assert_eq!(listed(&serving, books(2, 2)).await, (ids(1..=2), None), "{act}");
        // What is listed ends by itself after a minute.
        assert!(begun_at.elapsed() < Duration::from_secs(30), "{act}: {:?}", begun_at.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancel_ends_a_list() {
    for act in ["wait", "endless"] {
        let serving = catalogue().await;
        let cancel = async {
            serving.said("asked for a page after None").await;
            tokio::time::sleep(Duration::from_millis(100)).await;
            serving.cancel().await;
            Instant::now()
        };
        let ((_, outcome), cancelled) = tokio::join!(all(&serving, asked(act)), cancel);
        assert_eq!(outcome.unwrap_err().code(), Code::Cancelled, "{act}");
        assert!(cancelled.elapsed() < Duration::from_secs(8), "{act}");
    }
}
