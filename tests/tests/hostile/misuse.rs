//! Guests that use interfaces as nobody does who means well. Whatever comes of it, a server hears of no request but one that was
//! decided on, nothing outside of a directory is reached, and no call takes long.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bulkhead::component::Limits;
use bulkhead_tests::serving::{Serving, load};
use bulkhead_tests::temporary_directory;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tonic::Code;

use crate::{BUG, REPORT, TELL, hostile, permitted, seen, undisturbed, well, what};

/// Far less than a deadline.
const SOON: Duration = Duration::from_secs(20);

/// An answer without a body.
const EMPTY: &[u8] = b"HTTP/1.1 204 No Content\r\n\r\n";
/// One with a body, and a field after it.
const TRAILED: &[u8] =
    b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-after\r\n\r\n4\r\nbody\r\n0\r\nx-after: 1\r\n\r\n";

/// The guest, granted a server of this scheme and a directory.
async fn misusing(guest: &str, scheme: &str, server: SocketAddr, directory: &Path) -> Serving {
    let endpoint = format!("{scheme}://{server}");
    let permissions = permitted(
        &json!({
            "network": [{ "endpoint": endpoint, "reason": "its server" }],
            "filesystem": [{ "path": "out", "access": "write", "reason": "reports" }],
        }),
        json!({
            "digest": "dev",
            "network": [{ "endpoint": endpoint, "addresses": ["loopback"] }],
            "filesystem": [{ "path": "out", "at": directory, "access": "write" }],
        }),
    );
    let loaded = load(&bulkhead_tests::hostile(guest), Limits::default()).unwrap();
    Serving::of(loaded.under(Limits::default(), permissions)).await.ready(well()).await
}

/// What the guest says of an attack, soon.
async fn told(serving: &Serving, attack: &str) -> String {
    let begun = Instant::now();
    let told = serving.invoke(TELL, what(attack)).await.unwrap_or_else(|status| panic!("{attack}: {status:?}"));
    assert!(begun.elapsed() < SOON, "{attack}: {:?}", begun.elapsed());
    told.value["text"].as_str().unwrap().to_owned()
}

/// A server that answers each connection once, and what it was sent.
async fn recording(answer: &'static [u8]) -> (SocketAddr, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, heard) = (listener.local_addr().unwrap(), Arc::<Mutex<Vec<u8>>>::default());
    let all = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let all = Arc::clone(&all);
            tokio::spawn(async move {
                let mut piece = [0; 4096];
                // As much as comes without an answer, in pieces between which the guest may have to wait for its turn.
                let soon = Duration::from_millis(250);
                while let Ok(Ok(read @ 1..)) = tokio::time::timeout(soon, stream.read(&mut piece)).await {
                    all.lock().unwrap().extend_from_slice(&piece[..read]);
                }
                let _ = stream.write_all(answer).await;
                while let Ok(more @ 1..) = stream.read(&mut piece).await {
                    all.lock().unwrap().extend_from_slice(&piece[..more]);
                }
            });
        }
    });
    (address, heard)
}

#[tokio::test]
async fn a_request_is_one_request_whatever_its_parts_say() {
    undisturbed(async {
        let (server, heard) = recording(EMPTY).await;
        let directory = temporary_directory();
        let serving = misusing("interfaces-misused", "http", server, directory.path()).await;
        for (attack, outcome) in [
            ("line-in-value", "unmade: HeaderError::InvalidSyntax"),
            ("line-in-name", "unmade: HeaderError::InvalidSyntax"),
            ("host-of-others", "unmade: HeaderError::Forbidden"),
            ("chunked", "unmade: HeaderError::Forbidden"),
            ("chunked-oddly", "unmade: HeaderError::Forbidden"),
            ("length-of-none", "refused: ErrorCode::HttpRequestBodySize(Some(0))"),
            ("length-signed", "unmade: HeaderError::InvalidSyntax"),
            ("line-in-path", "unmade: path"),
            ("path-of-others", "unmade: path"),
            ("path-of-an-authority", "unmade: path"),
            ("path-with-null", "unmade: path"),
            ("line-in-method", "unmade: method"),
            ("host-of-two", "failed: ErrorCode::HttpRequestUriInvalid"),
        ] {
            assert_eq!(told(&serving, &format!("{attack} {server}")).await, outcome, "{attack}");
            assert_eq!(*heard.lock().unwrap(), b"", "{attack}");
        }
        for (attack, outcome, denied) in [
            (
                "user",
                "failed: ErrorCode::HttpRequestUriInvalid",
                "http://evil.example (GET) is denied: the destination holds a user or a password",
            ),
            (
                "port-of-none",
                "failed: ErrorCode::HttpRequestUriInvalid",
                "http://evil.example:0 (GET) is denied: the destination names no port",
            ),
            (
                "tunnel",
                "failed: ErrorCode::HttpRequestMethodInvalid",
                "http://evil.example:443 (CONNECT) is denied: no grant allows tunnels",
            ),
            (
                "echo",
                "failed: ErrorCode::HttpRequestMethodInvalid",
                "http://SERVER (TRACE) is denied: no grant allows echoes of requests",
            ),
            (
                "small-letters",
                "failed: ErrorCode::HttpRequestMethodInvalid",
                "http://SERVER (get) is denied: no grant allows methods in small letters",
            ),
            (
                "method-long",
                "failed: ErrorCode::HttpRequestMethodInvalid",
                "http://SERVER (1048576 bytes) is denied: no grant allows methods of more than 100 bytes",
            ),
            (
                "scheme-of-others",
                "refused: ErrorCode::HttpProtocolError",
                "gopher://SERVER is denied: the destination is neither http nor https",
            ),
            (
                "host-encoded",
                "unmade: authority",
                "//evil%2eexample is denied: the destination has a host that is written as none is",
            ),
        ] {
            let before = serving.messages().len();
            assert_eq!(told(&serving, &format!("{attack} {server}")).await, outcome, "{attack}");
            assert_eq!(*heard.lock().unwrap(), b"", "{attack}");
            let warned: Vec<_> = serving.messages().into_iter().skip(before).map(|message| message.text).collect();
            assert_eq!(warned, [format!("network {}", denied.replace("SERVER", &server.to_string()))], "{attack}");
        }
        // These are requests, as far as they go, and denied by nobody.
        let before = serving.messages().len();
        for (attack, outcome) in [
            ("preface", "answered 204"),
            ("scheme-spelt", "answered 204"),
            ("body-longer", "written false, finished false, answered "),
            ("body-shorter", "written true, finished false, answered "),
        ] {
            let told = told(&serving, &format!("{attack} {server}")).await;
            assert!(told.starts_with(outcome), "{attack}: {told}");
            let heard = String::from_utf8(std::mem::take(&mut *heard.lock().unwrap())).unwrap();
            assert!(heard.matches("HTTP/1.1").count() <= 1 && !heard.contains("smuggled"), "{attack}: {heard}");
        }
        assert_eq!(serving.messages().split_off(before).len(), 0);
    })
    .await;
}

#[tokio::test]
async fn what_nobody_waits_for_asks_for_or_follows_leads_nowhere() {
    undisturbed(async {
        let (server, heard) = recording(EMPTY).await;
        let project = temporary_directory();
        let out = project.path().join("out");
        fs::create_dir(&out).unwrap();
        fs::write(project.path().join("secret"), "secret").unwrap();
        let serving = misusing("interfaces-misused", "tcp", server, &out).await;
        let alone = hostile("interfaces-misused", Limits::default()).await;
        for serving in [&serving, &alone] {
            assert_eq!(told(serving, "streams").await, "spliced false, read false, skipped false");
            assert_eq!(told(serving, "clocks").await, "[false, false, false] [false, false]");
            // Two of them are addresses, which nobody is asked for.
            let looked = told(serving, "names").await;
            assert_eq!((looked.matches("invalid-argument").count(), looked.matches("asked").count()), (10, 2), "{looked}");
        }
        assert_eq!(told(&serving, "paths").await, "reached []");
        assert_eq!(fs::read_to_string(project.path().join("secret")).unwrap(), "secret");
        assert_eq!(told(&alone, &format!("sockets {server}")).await, "no socket");
        let outcomes = "not-in-progress invalid-state not-in-progress access-denied not-in-progress invalid-state access-denied \
                        access-denied access-denied well well well concurrency-conflict access-denied; again false, \
                        shut [true, true, true], written false, read false";
        assert_eq!(told(&serving, &format!("sockets {server}")).await, outcomes);
        assert_eq!(*heard.lock().unwrap(), b"");
    })
    .await;
}

#[tokio::test]
async fn an_exchange_out_of_order_is_an_error_of_its_interface_or_of_its_call() {
    undisturbed(async {
        let (server, heard) = recording(TRAILED).await;
        let directory = temporary_directory();
        let serving = misusing("exchanges-misused", "http", server, directory.path()).await;
        for (attack, outcome) in [
            ("response twice", "false 1000 true true"),
            ("body twice", "false false"),
            ("fields of others", "[false, false, false] true"),
            ("response before its body", "4 true true"),
            ("given up", "given up"),
            ("request twice", "true false"),
            ("stream of none", "false false"),
            ("for ever", "true true"),
            ("at once", "Some(Ok(Err(ErrorCode::HttpResponseTimeout)))"),
            ("kept", "kept"),
            ("kept before", "false"),
        ] {
            assert_eq!(told(&serving, &format!("{attack} {server}")).await, outcome, "{attack}");
        }
        for (attack, flaw) in [
            ("body before its stream", "resource has children"),
            ("finished before its stream", "resource has children"),
            ("future before its pollable", "resource has children"),
            ("body before what writes it", "resource has children"),
            ("none", "empty poll list"),
        ] {
            let status = serving.invoke(TELL, what(&format!("{attack} {server}"))).await.unwrap_err();
            let expected = format!("call the function: the provider broke the contract: {flaw}{BUG}{REPORT}");
            assert_eq!(seen(&status), (Code::Aborted, expected.as_str()), "{attack}");
        }
        heard.lock().unwrap().clear();
        for (attack, outcome, sent) in [
            ("trailed", "finished true, answered true", "4\r\nbody\r\n0\r\nx-sum: 1\r\n\r\n"),
            ("trailed by framing", "finished true, answered true", "4\r\nbody\r\n0\r\nx-sum: 1\r\n\r\n"),
            ("trailed by a host", "trailers: HeaderError::Forbidden", ""),
            ("trailed beside a length", "trailers: HeaderError::InvalidSyntax", ""),
        ] {
            assert_eq!(told(&serving, &format!("{attack} {server}")).await, outcome, "{attack}");
            let heard = String::from_utf8(std::mem::take(&mut *heard.lock().unwrap())).unwrap();
            assert_eq!(heard.split_once("\r\n\r\n").map_or("", |(_, body)| body), sent, "{attack}: {heard}");
        }
    })
    .await;
}
