//! What is sent: what the guest says, and nothing that hides a second request or another host.

use std::time::Duration;

use serde_json::json;

use super::servers::{Manner, Server, ok};
use super::{Names, allowed, body, failure, fetched, granted, number, resolving, texts, wish, with};
use crate::object;

async fn serving(server: &Server) -> bulkhead_tests::serving::Serving {
    allowed(&[format!("http://{}", server.authority())]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_holds_what_the_guest_said_and_its_host() {
    let server = Server::saying(ok("hello")).await;
    let serving = serving(&server).await;
    body(&serving, wish(&server.authority())).await.unwrap();
    assert_eq!(server.seen(), [format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", server.authority())]);
    let headers = texts(&["X-Key: secret", "accept: text/plain", "cookie: mine=1"]);
    body(&serving, with(with(wish(&server.authority()), "headers", headers), "path", "/a?b=c")).await.unwrap();
    let expected = format!(
        "GET /a?b=c HTTP/1.1\r\nhost: {}\r\nx-key: secret\r\naccept: text/plain\r\ncookie: mine=1\r\n\r\n",
        server.authority()
    );
    assert_eq!(server.seen().last(), Some(&expected));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cookies_of_one_response_are_not_sent_with_the_next_request() {
    let server = Server::saying("HTTP/1.1 200 OK\r\nset-cookie: a=b\r\ncontent-length: 0\r\n\r\n").await;
    let serving = serving(&server).await;
    for _ in 0..2 {
        let fetched = fetched(&serving, wish(&server.authority())).await.unwrap();
        assert_eq!(fetched["headers"], texts(&["set-cookie: a=b", "content-length: 0"]));
    }
    assert!(server.seen().iter().all(|request| !request.contains("cookie")), "{:?}", server.seen());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_are_framed_by_the_host() {
    let server = Server::answering(|request| ok(request.split("\r\n\r\n").nth(1).unwrap_or_default())).await;
    let serving = serving(&server).await;
    let posted = |headers: &[&str]| {
        let wish = with(with(wish(&server.authority()), "method", "POST"), "body", "hello");
        with(wish, "headers", texts(headers))
    };
    assert_eq!(body(&serving, posted(&["content-length: 5"])).await.as_deref(), Ok("hello"));
    assert!(server.seen()[0].ends_with("content-length: 5\r\n\r\nhello"), "{:?}", server.seen());
    let chunked = body(&serving, posted(&[])).await;
    assert!(chunked.is_ok(), "{chunked:?}");
    assert!(
        server.seen()[1].contains("\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
        "{:?}",
        server.seen()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sdks_client_frames_what_there_is_and_nothing_else() {
    let server = Server::saying(ok("hello")).await;
    let serving = serving(&server).await;
    let agent = concat!("bulkhead-sdk/", env!("CARGO_PKG_VERSION"));
    for (method, sent, framing) in [
        ("GET", None, ""),
        // Some servers refuse an empty body in chunks here, and close the connection.
        ("DELETE", None, ""),
        ("PUT", None, "content-length: 0\r\n"),
        ("POST", None, "content-length: 0\r\n"),
        ("POST", Some("hello"), "content-length: 5\r\n"),
    ] {
        let url = format!("http://{}/a", server.authority());
        let mut asked = object([("method", method), ("url", &url)]);
        asked.extend(sent.map(|body| ("body".to_owned(), body.into())));
        serving.invoke("networked:index:ask", asked).await.unwrap();
        let body = sent.unwrap_or_default();
        let head = format!("{method} /a HTTP/1.1\r\nhost: {}\r\nuser-agent: {agent}\r\n", server.authority());
        let expected = format!("{head}{framing}\r\n{body}");
        assert_eq!(server.seen().last(), Some(&expected), "{method}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_is_not_as_long_as_it_says_is_no_request() {
    let server = Server::saying(ok("hello")).await;
    let serving = serving(&server).await;
    let wish = with(with(wish(&server.authority()), "method", "POST"), "body", "GET /hidden HTTP/1.1\r\n\r\n");
    for length in ["0", "3", "1000", "+24", "24, 24", " 24x", "-1"] {
        let header = format!("content-length: {length}");
        let failed = body(&serving, with(wish.clone(), "headers", texts(&[&header]))).await;
        assert!(failed.is_err(), "{length}: {failed:?}");
    }
    assert!(server.seen().iter().all(|request| !request.ends_with("HTTP/1.1\r\n\r\n")), "{:?}", server.seen());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_that_frame_route_or_upgrade_are_refused() {
    let server = Server::saying(ok("hello")).await;
    let serving = serving(&server).await;
    for header in [
        "Host: evil.example",
        "host: 127.0.0.1",
        "Transfer-Encoding: chunked",
        "transfer-encoding: identity",
        "Connection: upgrade",
        "Keep-Alive: timeout=5",
        "Upgrade: websocket",
        "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
        "Proxy-Authorization: Basic eA==",
        "Proxy-Connection: close",
        "TE: trailers",
        "x: a\r\nhost: evil.example",
        "x: a\nb",
        "x: \0",
        "x y: z",
        "x\r\ny: z",
        ": z",
    ] {
        let failed = failure(&serving, with(wish(&server.authority()), "headers", texts(&[header]))).await;
        let refused = failed.contains("HeaderError::") || failed.starts_with("ErrorCode::HttpRequestHeaderSize");
        assert!(refused, "{header:?}: {failed}");
    }
    let twice = with(wish(&server.authority()), "headers", texts(&["content-length: 0", "content-length: 0"]));
    assert!(failure(&serving, twice).await.contains("HeaderError::"));
    assert!(server.is_untouched().await, "{:?}", server.seen());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn responses_that_are_not_what_was_asked_for_are_errors() {
    for (response, error) in [
        ("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nbytes", "HttpProtocolError"),
        ("HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello", "HttpProtocolError"),
        ("SSH-2.0-OpenSSH_9.9\r\n", "HttpProtocolError"),
        ("HTTP/1.1 200 OK\r\nx y: z\r\n\r\n", "HttpProtocolError"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n", "HttpProtocolError"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n", "HttpProtocolError"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello", "HttpProtocolError"),
        ("HTTP/1.1 200 OK\r\ncontent-le", "HttpResponseIncomplete"),
        ("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello", "HttpResponseIncomplete"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n", "HttpResponseIncomplete"),
        ("", "HttpResponseIncomplete"),
    ] {
        let server = Server::saying(response).await;
        let failed = failure(&serving(&server).await, wish(&server.authority())).await;
        assert!(failed.starts_with(&format!("ErrorCode::{error}")), "{response:?}: {failed}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lengths_that_no_response_has_are_told_for_what_they_are() {
    let told = async |length: &str| {
        let server = Server::saying(format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\nhello")).await;
        let serving = serving(&server).await;
        let failed = body(&serving, wish(&server.authority())).await.expect_err(length);
        let warned = serving.messages().into_iter().any(|message| {
            message
                .text
                .starts_with("127.0.0.1: the length that the server announces for its response (`content-length`)")
        });
        (failed, warned)
    };
    for length in ["-1", "+5", "", "0x5", "5 5", "5, 6", "5\r\ncontent-length: 6", "18446744073709551616"] {
        let (failed, warned) = told(length).await;
        assert!(failed.starts_with("ErrorCode::HttpProtocolError") && warned, "{length:?}: {failed}, {warned}");
    }
    for length in ["9223372036854775808", "18446744073709551613"] {
        let (failed, _) = told(length).await;
        assert!(failed.starts_with("ErrorCode::HttpResponseBodySize"), "{length}: {failed}");
        assert!(failed.contains("raise the limit `response`"), "{length}: {failed}");
    }
    // Nothing tells it from a head that is too large.
    let (failed, _) = told("18446744073709551615").await;
    assert!(failed.starts_with("ErrorCode::HttpResponseHeaderSectionSize"), "{failed}");
    let server = Server::saying("HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 5\r\n\r\nhello").await;
    let fetched = body(&serving(&server).await, wish(&server.authority())).await;
    assert_eq!(fetched.as_deref(), Ok("hello"), "the same twice is one length");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_not_there_says_so() {
    // A port that nobody else gets, and where nobody listens.
    let held = tokio::net::TcpSocket::new_v4().unwrap();
    held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let authority = held.local_addr().unwrap().to_string();
    let serving = super::allowed(&[format!("http://{authority}")]).await;
    assert_eq!(failure(&serving, wish(&authority)).await, "ErrorCode::ConnectionRefused");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_that_was_answered_serves_again() {
    let server = Server::saying(ok("hello")).await;
    let serving = serving(&server).await;
    for served in 1..4 {
        let wish = with(wish(&server.authority()), "waits", super::numbers(&[10_000, 10_000, 10_000]));
        let fetched = fetched(&serving, wish).await.unwrap();
        assert_eq!(fetched["served"], number(served), "no handle is left");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_are_forgotten_are_broken_off() {
    let silent = Server::behaving(Manner::Keeps).await;
    let serving = serving(&silent).await;
    // It begins some, drops them, and waits for another no longer than it has to.
    let wish =
        with(with(wish(&silent.authority()), "abandon", number(3)), "waits", super::numbers(&[10_000, 500, 500]));
    assert_eq!(failure(&serving, wish).await, "ErrorCode::HttpResponseTimeout");
    let gone = async {
        loop {
            let asked = silent.asked();
            let (came, left) = (
                asked.iter().filter(|line| *line != "gone").count(),
                asked.iter().filter(|line| *line == "gone").count(),
            );
            if came > 0 && came == left {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.expect("all connections should be closed");
}

/// Whoever answers an engine on one thread answers nobody while a server has it compute.
#[tokio::test]
async fn exchanges_are_beside_the_thread_that_answers() {
    let names = Names::answering(&[&["127.0.0.1"]]);
    let server = Server::saying(ok("hello")).await;
    let authority = format!("name.example:{}", server.port());
    let endpoint = json!([{ "endpoint": format!("http://{authority}"), "addresses": ["loopback"] }]);
    let serving = resolving(granted(endpoint, &[]), &names).await;
    body(&serving, wish(&authority)).await.unwrap();
    assert_eq!(*names.threads.lock().unwrap(), ["guest"]);
}
