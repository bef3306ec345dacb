//! TCP sockets: to granted names and addresses, and nowhere else.

use std::time::{Duration, Instant};

use bulkhead::component::{Limits, OutgoingLimits};
use bulkhead_tests::serving::Serving;
use bulkhead_tests::until;
use bulkhead_value::Value;
use serde_json::json;
use tonic::Code;

use super::servers::{Manner, Server};
use super::{Names, TALK, allowed, granted, number, resolving, talked, under};
use crate::object;

/// A server that hears the guest out, and says something.
async fn server() -> Server {
    Server::saying("good day").await
}

#[track_caller]
fn denied(outcome: Result<String, String>, subject: &str) {
    let message = outcome.expect_err("it should be denied");
    assert!(message.starts_with("PermissionDenied: "), "{message}");
    assert!(message.contains(&format!("network {subject} is denied: ")), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_granted_name_or_address_is_connected_to() {
    let server = server().await;
    for host in ["localhost", "127.0.0.1"] {
        let serving = allowed(&[format!("tcp://{host}:{}", server.port())]).await;
        let heard = talked(&serving, "talk", host, server.port(), "hello").await;
        assert_eq!(heard.as_deref(), Ok("good day"), "{host}");
    }
    assert_eq!(server.seen(), ["hello", "hello"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_name_address_or_port_is_denied() {
    let (server, other) = (server().await, server().await);
    let (port, another) = (server.port(), other.port());
    let serving = allowed(&[format!("tcp://localhost:{port}"), "tcp://granted.example:5432".to_owned()]).await;
    denied(talked(&serving, "talk", "localhost", another, "x").await, &format!("tcp://localhost:{another}"));
    denied(talked(&serving, "talk", "127.0.0.1", port, "x").await, &format!("tcp://127.0.0.1:{port}"));
    denied(talked(&serving, "talk", "::1", port, "x").await, &format!("tcp://[::1]:{port}"));
    denied(talked(&serving, "talk", "169.254.169.254", 80, "x").await, "tcp://169.254.169.254:80");
    denied(talked(&serving, "resolve", "secret.evil.example", 1, "").await, "tcp://secret.evil.example:*");
    assert!(server.is_untouched().await && other.is_untouched().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_grant_for_http_is_none_for_sockets() {
    let server = server().await;
    let serving =
        allowed(&[format!("http://{}", server.authority()), format!("http://localhost:{}", server.port())]).await;
    denied(talked(&serving, "talk", "127.0.0.1", server.port(), "x").await, "tcp://*");
    denied(talked(&serving, "resolve", "localhost", server.port(), "").await, "tcp://localhost:*");
    assert!(server.is_untouched().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_stands_for_what_was_found_and_for_nothing_else() {
    let server = server().await;
    let port = server.port();
    let endpoint =
        |addresses: &[&str]| json!([{ "endpoint": format!("tcp://name.example:{port}"), "addresses": addresses }]);
    let names = Names::answering(&[&["127.0.0.2", "127.0.0.1"]]);
    let serving = resolving(granted(endpoint(&["127.0.0.1"]), &[]), &names).await;
    let found = talked(&serving, "resolve", "name.example", port, "").await;
    assert_eq!(found.as_deref(), Ok("127.0.0.1"), "the guest isn't told of others");
    assert_eq!(talked(&serving, "talk", "name.example", port, "hello").await.as_deref(), Ok("good day"));
    // An address that no granted name was found to stand for.
    let detour = talked(&serving, "detour", "name.example", port, "127.0.0.2").await;
    denied(detour, &format!("tcp://127.0.0.2:{port}"));
    let serving = resolving(granted(endpoint(&[]), &[]), &Names::answering(&[&["127.0.0.1"]])).await;
    let outcome = talked(&serving, "talk", "name.example", port, "hello").await;
    assert!(outcome.as_ref().is_err_and(|error| error.contains("it stands for 127.0.0.1")), "{outcome:?}");
    assert_eq!(server.seen(), ["hello"]);
    // One that is granted as itself, whatever else stands for it.
    let both =
        json!([{ "endpoint": "tcp://name.example:1", "addresses": ["127.0.0.1"] }, format!("tcp://127.0.0.1:{port}")]);
    let serving = resolving(granted(both, &[]), &Names::answering(&[&["127.0.0.1"]])).await;
    assert_eq!(talked(&serving, "detour", "name.example", port, "127.0.0.1").await.as_deref(), Ok("good day"));
}

/// Whoever asks for such may be after a way around what was granted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_name_is_told_as_what_is_denied() {
    let serving = allowed(&["tcp://*:*".to_owned()]).await;
    for (name, told) in [("a..b", "a..b"), ("there.example/x", "there.example/x"), (&"a.".repeat(600), "1200 bytes")] {
        let message = talked(&serving, "resolve", name, 1, "").await.unwrap_err();
        let denied = format!("network tcp://{told} is denied: the destination names no host");
        assert!(message.contains(&denied), "{message}");
    }
}

/// Whoever answers for a name has it stand for as many addresses as they like, and nobody reads of each.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_stands_for_what_is_not_granted_is_denied_once() {
    let addresses: Vec<String> = (0..64).map(|last| format!("10.0.0.{last}")).collect();
    let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
    let names = Names::answering(&[&addresses]);
    let serving = resolving(granted(json!(["tcp://name.example:1"]), &[]), &names).await;
    let message = talked(&serving, "resolve", "name.example", 1, "").await.unwrap_err();
    assert_eq!(message.matches("is denied: ").count(), 1, "{message}");
    assert!(message.contains("it stands for 10.0.0.0, a private address (63 more are denied with it)"), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_is_called_by_nobody() {
    let serving = allowed(&["tcp://*:*".to_owned(), "tcp://127.0.0.1:*".to_owned()]).await;
    denied(talked(&serving, "listen", "127.0.0.1", 0, "").await, "tcp (bind)");
    denied(talked(&serving, "datagram", "0.0.0.0", 0, "").await, "udp");
    let bound = talked(&serving, "bind", "", 0, "").await.unwrap_err();
    assert!(
        bound.starts_with("access-denied") && bound.contains("network tcp (bind) is denied: no grant allows"),
        "{bound}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_are_limited_and_given_back() {
    let limits = Limits { outgoing: OutgoingLimits { sockets: 5, ..OutgoingLimits::default() }, ..Limits::default() };
    let serving = under(limits, granted(json!(["tcp://localhost:1"]), &[])).await;
    for _ in 0..3 {
        let hoarded = talked(&serving, "hoard", "", 0, "").await.unwrap_err();
        assert!(hoarded.starts_with("5 sockets, then ") && hoarded.contains("new-socket-limit"), "{hoarded}");
        let hint = "\nhint: a provider has at most 5 sockets at once; if the provider should have more, raise the limit `sockets` \
                    in bulkhead.toml";
        assert!(hoarded.ends_with(hint), "{hoarded}");
    }
    let serving = allowed(&["tcp://localhost:1".to_owned()]).await;
    let hoarded = talked(&serving, "hoard", "", 0, "").await.unwrap_err();
    assert!(hoarded.starts_with("32 sockets, then "), "the default: {hoarded}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_goes_through_sockets_is_limited_in_each_call() {
    let server = server().await;
    let limits = Limits { outgoing: OutgoingLimits { sent: 1_000, ..OutgoingLimits::default() }, ..Limits::default() };
    let serving = under(limits, granted(json!([format!("tcp://{}", server.authority())]), &[])).await;
    let said = |bytes: usize| {
        let (serving, port) = (&serving, server.port());
        async move { talked(serving, "talk", "127.0.0.1", port, &"x".repeat(bytes)).await }
    };
    for _ in 0..2 {
        assert_eq!(said(1_000).await.as_deref(), Ok("good day"), "the next call has its own");
    }
    let told = said(1_001).await.unwrap_err();
    let hint = "\nhint: a call sends at most 1000 B; if the provider should have more, raise the limit `sent` in bulkhead.toml";
    assert!(told.ends_with(hint), "{told}");
    assert_eq!(said(10).await.as_deref(), Ok("good day"));
    assert!(server.seen().iter().all(|heard| heard.len() <= 1_000), "what is too much isn't sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_grant_no_socket_is_opened() {
    let serving = allowed(&[]).await;
    let hoarded = talked(&serving, "hoard", "", 0, "").await.unwrap_err();
    assert!(hoarded.starts_with("0 sockets, then ") && hoarded.contains("access-denied"), "{hoarded}");
    assert!(
        hoarded
            .contains("network tcp://* is denied: nothing grants it; run `bulkhead grant networked.wasm --project /`"),
        "{hoarded}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_socket_that_waits_ends_with_its_call() {
    let silent = Server::behaving(Manner::Drips("", "", Duration::from_secs(3_600))).await;
    let serving: Serving = allowed(&[format!("tcp://{}", silent.authority())]).await;
    let inputs = object([
        ("act", Value::from("talk")),
        ("host", "127.0.0.1".into()),
        ("port", number(silent.port().into())),
        ("text", "hello".into()),
    ]);
    let call = serving.invoke(TALK, inputs);
    let cancel = async {
        until("a request", || !silent.seen().is_empty()).await;
        serving.cancel().await;
        Instant::now()
    };
    let (outcome, asked) = tokio::join!(call, cancel);
    assert_eq!(outcome.unwrap_err().code(), Code::Cancelled);
    assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
}
