//! How much and how long: responses without end, and servers that take their time.

use std::time::{Duration, Instant};

use bulkhead::component::{Limits, OutgoingLimits};
use bulkhead_proto::provider as pb;
use bulkhead_tests::serving::{Serving, urn, wire};
use bulkhead_tests::until;
use bulkhead_value::Object;
use serde_json::json;
use tonic::Code;

use super::servers::{Manner, Server, ok};
use super::{FETCH, allowed, body, failure, fetched, granted, number, numbers, texts, under, wish, with};

/// The guest under limits of the network, which may talk to a server.
async fn limited(server: &Server, outgoing: OutgoingLimits) -> Serving {
    let permissions = granted(json!([format!("http://{}", server.authority())]), &[]);
    under(Limits { outgoing, ..Limits::default() }, permissions).await
}

async fn serving(server: &Server) -> Serving {
    limited(server, OutgoingLimits::default()).await
}

fn small() -> OutgoingLimits {
    OutgoingLimits { response: 100_000, ..OutgoingLimits::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_is_limited_by_what_comes_and_by_what_it_announces() {
    let server = Server::answering(|request| match request.split(' ').nth(1).unwrap() {
        "/fits" => ok(&"x".repeat(100_000)),
        "/announced" => "HTTP/1.1 200 OK\r\ncontent-length: 100001\r\n\r\n".to_owned(),
        "/endless" => format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(1 << 20)),
        "/chunked" => {
            format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{}", "5\r\nhello\r\n".repeat(20_001))
        }
        _ => ok(""),
    })
    .await;
    let serving = limited(&server, small()).await;
    let at = |path: &str| with(wish(&server.authority()), "path", path);
    assert_eq!(fetched(&serving, at("/fits")).await.unwrap()["length"], number(100_000));
    for path in ["/announced", "/endless", "/chunked"] {
        assert_eq!(failure(&serving, at(path)).await, "ErrorCode::HttpResponseBodySize(Some(100000))", "{path}");
    }
    let told = body(&serving, at("/announced")).await.unwrap_err();
    assert!(told.ends_with(&format!("\nhint: a response has at most 97.7 KiB; {}", raise("response"))), "{told}");
    assert_eq!(body(&serving, at("/")).await.as_deref(), Ok(""), "and the next is fine");
}

/// What an operator is told to do.
fn raise(limit: &str) -> String {
    format!("if the provider should have more, raise the limit `{limit}` in bulkhead.toml")
}

/// A server that says how long the body was that it got.
async fn measuring() -> Server {
    Server::answering(|request| {
        let length = request.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("none");
        ok(length)
    })
    .await
}

fn sending(server: &Server, bytes: usize) -> Object {
    let wish = with(wish(&server.authority()), "method", "POST");
    with(with(wish, "headers", texts(&[&format!("content-length: {bytes}")])), "body", "x".repeat(bytes))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_sent_is_limited_in_each_call() {
    let server = measuring().await;
    let serving = limited(&server, OutgoingLimits { sent: 10_000, ..OutgoingLimits::default() }).await;
    for _ in 0..3 {
        assert_eq!(body(&serving, sending(&server, 9_900)).await.as_deref(), Ok("9900"), "the next call has its own");
    }
    let told = body(&serving, sending(&server, 10_000)).await.unwrap_err();
    assert!(
        told.starts_with("ErrorCode::HttpRequestBodySize(Some(10000))") || told.starts_with("StreamError"),
        "{told}"
    );
    assert!(told.ends_with(&format!("\nhint: a call sends at most 9.8 KiB; {}", raise("sent"))), "{told}");
    assert_eq!(body(&serving, sending(&server, 100)).await.as_deref(), Ok("100"), "and the next is fine");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heads_are_sent_too_and_all_requests_of_a_call_count_together() {
    let server = measuring().await;
    let serving = limited(&server, OutgoingLimits { sent: 10_000, ..OutgoingLimits::default() }).await;
    let path = |length: usize| format!("/{}", "x".repeat(length));
    let at = |length: usize| with(wish(&server.authority()), "path", path(length));
    assert!(body(&serving, at(9_900)).await.is_ok());
    let told = body(&serving, at(10_000)).await.unwrap_err();
    assert!(told.starts_with("ErrorCode::HttpRequestBodySize(Some(10000))\nhint: a call sends at most"), "{told}");
    assert!(body(&serving, with(at(3_000), "hold", number(2))).await.is_ok(), "three requests");
    let told = body(&serving, with(at(3_000), "hold", number(3))).await.unwrap_err();
    assert!(told.starts_with("ErrorCode::HttpRequestBodySize(Some(10000))\nhint: a call sends at most"), "{told}");
    let seen = server.seen().iter().filter(|request| request.len() > 9_950).count();
    assert_eq!(seen, 0, "what is too much reaches nobody");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_are_limited() {
    let server = Server::answering(|request| {
        let filling = match request.split(' ').nth(1).unwrap() {
            "/large" => format!("x: {}\r\n", "y".repeat(1 << 20)),
            "/many" => (0..10_000).map(|number| format!("x-{number}: y\r\n")).collect(),
            "/endless" => format!("x: {}", "y".repeat(4 << 20)),
            _ => format!("x: {}\r\n", "y".repeat(10_000)),
        };
        format!("HTTP/1.1 200 OK\r\n{filling}content-length: 0\r\n\r\n")
    })
    .await;
    let serving = serving(&server).await;
    let at = |path: &str| with(wish(&server.authority()), "path", path);
    for path in ["/large", "/many", "/endless"] {
        let failed = failure(&serving, at(path)).await;
        assert!(failed.starts_with("ErrorCode::HttpResponseHeaderSectionSize"), "{path}: {failed}");
    }
    assert!(body(&serving, at("/")).await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heads_that_are_kept_are_limited_together() {
    let server =
        Server::answering(|_| format!("HTTP/1.1 200 OK\r\nx: {}\r\ncontent-length: 0\r\n\r\n", "y".repeat(60_000)))
            .await;
    let serving = serving(&server).await;
    let keeping = |count: u32| with(wish(&server.authority()), "keep", number(count));
    let failed = failure(&serving, keeping(1_200)).await;
    assert!(failed.contains("the provider keeps more responses than there is memory for"), "{failed}");
    for _ in 0..2 {
        assert!(body(&serving, keeping(1_000)).await.is_ok(), "what nobody keeps any more leaves room");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_says_how_long_it_waits() {
    let waits = |wish, waits: &[u32]| with(wish, "waits", numbers(waits));
    let silent = Server::behaving(Manner::Keeps).await;
    let begun = Instant::now();
    let failed = failure(&serving(&silent).await, waits(wish(&silent.authority()), &[5_000, 300, 5_000])).await;
    assert_eq!(failed, "ErrorCode::HttpResponseTimeout");
    // A head that comes drop by drop is still one head.
    let slow = Server::behaving(Manner::Drips("HTTP/1.1 200 OK\r\n", "x: y\r\n", Duration::from_millis(50))).await;
    let failed = failure(&serving(&slow).await, waits(wish(&slow.authority()), &[5_000, 300, 5_000])).await;
    assert_eq!(failed, "ErrorCode::HttpResponseTimeout");
    let pausing = Manner::Drips("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", "x", Duration::from_secs(60));
    let pausing = Server::behaving(pausing).await;
    let failed = failure(&serving(&pausing).await, waits(wish(&pausing.authority()), &[5_000, 5_000, 300])).await;
    assert_eq!(failed, "ErrorCode::ConnectionReadTimeout");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
}

/// Invokes with a deadline, as engines give reads: what came of it, and after how long.
async fn read_within(serving: &Serving, authority: &str, seconds: f64) -> (tonic::Status, Duration) {
    let begun = Instant::now();
    let properties = Some(wire(&wish(authority)));
    let request = pb::ReadRequest {
        urn: urn("networked:index:Page"),
        id: "page-1".into(),
        properties,
        timeout: seconds,
        ..<_>::default()
    };
    let status = serving.client.clone().read(request).await.expect_err("it should end");
    (status, begun.elapsed())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_never_finish_hold_a_call_no_longer_than_its_deadline() {
    let drip = Duration::from_millis(20);
    for manner in [
        Manner::Keeps,
        Manner::Drips("HTTP/1.1 200 OK\r\n", "x: y\r\n", drip),
        Manner::Drips("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n", "x", drip),
        Manner::Drips("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\nx\r\n", drip),
        Manner::Drips("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 102 Processing\r\n\r\n", drip),
    ] {
        let server = Server::behaving(manner).await;
        let serving = serving(&server).await;
        let (status, took) = read_within(&serving, &server.authority(), 0.7).await;
        assert_eq!(status.code(), Code::DeadlineExceeded, "{status:?}");
        assert!(took < Duration::from_secs(8), "{took:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_call_waits_for_no_server() {
    let drip = Manner::Drips("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n", "x", Duration::from_millis(20));
    for manner in [Manner::Keeps, drip] {
        let server = Server::behaving(manner).await;
        let serving = serving(&server).await;
        let call = serving.invoke(FETCH, wish(&server.authority()));
        let cancel = async {
            serving.said("fetching").await;
            until("a request", || !server.seen().is_empty()).await;
            let asked = Instant::now();
            serving.cancel().await;
            asked
        };
        let (outcome, asked) = tokio::join!(call, cancel);
        assert_eq!(outcome.unwrap_err().code(), Code::Cancelled);
        assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_limited_and_given_back() {
    let server = Server::saying(ok("hello")).await;
    let serving = limited(&server, OutgoingLimits { connections: 3, ..OutgoingLimits::default() }).await;
    let holding = |amount| {
        let wish = with(wish(&server.authority()), "hold", number(amount));
        with(wish, "waits", numbers(&[1_500, 10_000, 10_000]))
    };
    for _ in 0..2 {
        assert_eq!(body(&serving, holding(2)).await.as_deref(), Ok("hello"));
        let told = body(&serving, holding(3)).await.unwrap_err();
        let hint = format!("a provider has at most 3 connections at once; {}", raise("connections"));
        assert_eq!(told, format!("ErrorCode::ConnectionLimitReached\nhint: {hint}"));
    }
    // Others wait for their turn.
    let ask = || body(&serving, wish(&server.authority()));
    let (a, b, c, d, e, f) = tokio::join!(ask(), ask(), ask(), ask(), ask(), ask());
    for outcome in [a, b, c, d, e, f] {
        assert_eq!(outcome.as_deref(), Ok("hello"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_never_answers_keeps_nobody_else_waiting() {
    let (silent, server) = (Server::behaving(Manner::Keeps).await, Server::saying(ok("hello")).await);
    let both = [silent.authority(), server.authority()].map(|authority| format!("http://{authority}"));
    let serving = allowed(&both).await;
    let waiting = serving.invoke(FETCH, wish(&silent.authority()));
    let others = async {
        while silent.seen().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        for _ in 0..10 {
            assert_eq!(body(&serving, wish(&server.authority())).await.as_deref(), Ok("hello"));
        }
    };
    tokio::select! { outcome = waiting => panic!("nobody answered it: {outcome:?}"), () = others => {} }
}
