//! Connections that outlast an exchange, at a server that says which of its connections it answers on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use http::Method;
use http_body_util::{Full, StreamBody};
use hyper::body::Frame;
use tokio::net::TcpStream;

use super::*;
use crate::outgoing::connection::BodyError;
use crate::outgoing::idle::{AT_ONCE, MOST};

/// What a server does once it has answered.
#[derive(Clone, Copy, PartialEq)]
enum Then {
    Waits,
    Closes,
    /// Answers one more, and closes at the third.
    Tires,
    /// Answers what nobody asked.
    Chatters,
}

struct Server {
    port: u16,
    /// Connections that are open.
    open: Arc<AtomicUsize>,
    /// Requests that came.
    requests: Arc<AtomicUsize>,
}

impl Server {
    async fn new(then: Then) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server =
            Self { port: listener.local_addr().unwrap().port(), open: Arc::default(), requests: Arc::default() };
        let (open, requests) = (Arc::clone(&server.open), Arc::clone(&server.requests));
        tokio::spawn(async move {
            for number in 1.. {
                let (stream, _) = listener.accept().await.unwrap();
                let (open, requests) = (Arc::clone(&open), Arc::clone(&requests));
                open.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(async move {
                    answer(stream, number, then, &requests).await;
                    open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        server
    }

    /// Waits until no more than so many of its connections are open.
    async fn has_open(&self, most: usize) {
        let fewer = async {
            while self.open.load(Ordering::SeqCst) > most {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), fewer).await.expect("connections should be closed");
    }
}

/// Answers each request with the number of its connection.
async fn answer(mut stream: TcpStream, number: usize, then: Then, requests: &AtomicUsize) {
    let (mut read, mut answered) = (Vec::new(), 0);
    let mut piece = [0; 1024];
    while let Ok(bytes @ 1..) = stream.read(&mut piece).await {
        read.extend_from_slice(&piece[..bytes]);
        if !read.ends_with(b"\r\n\r\n") && !read.ends_with(b"body") {
            continue;
        }
        read.clear();
        requests.fetch_add(1, Ordering::SeqCst);
        if then == Then::Tires && answered == 2 {
            return;
        }
        answered += 1;
        let body = number.to_string();
        let mut response = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        if then == Then::Chatters {
            response += "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged";
        }
        if stream.write_all(response.as_bytes()).await.is_err() || then == Then::Closes {
            return;
        }
    }
}

struct Client {
    connector: Connector,
    judge: Judge,
}

impl Client {
    fn new() -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let connector = Connector::new(OutgoingLimits::default(), Some(Arc::new(Names(Arc::clone(&asked)))));
        let judge = Judge { names: vec!["a.example", "b.example"], addresses: vec![[127, 0, 0, 1].into()], asked };
        Self { connector, judge }
    }

    async fn send(&self, method: Method, host: &str, port: u16) -> Result<Response<ResponseBody>, OutgoingError> {
        let body = if method == Method::GET { "" } else { "body" };
        let uri = format!("http://{host}:{port}/");
        let request = Request::builder().method(method).uri(uri).body(Full::new(Bytes::from(body))).unwrap();
        let decided = Decided::of(&self.judge, request)?;
        self.connector.send(&self.judge, decided, Terms::new(None, None, None, None)).await
    }

    /// The number of the connection that a request was answered on, once that has come back.
    async fn asked(&self, method: Method, host: &str, port: u16) -> usize {
        let response = self.send(method, host, port).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        self.settled().await;
        std::str::from_utf8(&body).unwrap().parse().unwrap()
    }

    /// Waits until no exchange holds a connection.
    async fn settled(&self) {
        let all = u32::try_from(self.connector.0.limits.connections).unwrap();
        drop(self.connector.0.connections.acquire_many(all).await.unwrap());
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn who_asks_again_has_the_same_connection_and_is_decided_on_anew() {
    let server = Server::new(Then::Waits).await;
    let client = Client::new();
    let mut numbers = Vec::new();
    for host in ["a.example", "a.example", "b.example", "a.example"] {
        numbers.push(client.asked(Method::GET, host, server.port).await);
    }
    assert_eq!(numbers, [1, 1, 2, 1], "another name is another peer");
    let asked = std::mem::take(&mut *client.judge.asked.lock().unwrap());
    let [a, b] = ["a", "b"].map(|name| format!("http://{name}.example:{} (GET)", server.port));
    let first = ["what is a.example?", "10.0.0.1 or 127.0.0.1", "127.0.0.1"];
    let other = ["what is b.example?", "10.0.0.1 or 127.0.0.1", "127.0.0.1"];
    let kept = [a.as_str(), "127.0.0.1"];
    let expected = [&[a.as_str()], &first[..], &kept, &[b.as_str()], &other, &kept].concat();
    assert_eq!(asked, expected);

    let narrower = Client {
        connector: client.connector.clone(),
        judge: Judge { names: vec!["a.example"], addresses: Vec::new(), asked: Arc::default() },
    };
    let denied = narrower.send(Method::GET, "a.example", server.port).await;
    assert!(matches!(denied, Err(OutgoingError::Denied(_))), "{denied:?}");
    server.has_open(1).await;
}

#[tokio::test]
async fn what_may_change_something_goes_only_where_the_server_kept_the_connection_before() {
    let (client, server) = loop {
        let (client, server, begun) = (Client::new(), Server::new(Then::Waits).await, Instant::now());
        let mut numbers = Vec::new();
        for method in [Method::POST, Method::DELETE, Method::GET, Method::PUT, Method::POST] {
            numbers.push(client.asked(method, "a.example", server.port).await);
        }
        // On a busy machine it may have taken too long.
        if begun.elapsed() < AT_ONCE {
            assert_eq!(numbers, [1, 2, 2, 2, 2]);
            break (client, server);
        }
    };
    tokio::time::sleep(AT_ONCE).await;
    assert_eq!(client.asked(Method::POST, "a.example", server.port).await, 3, "and only at once");
    // Some servers serve one connection after the other.
    server.has_open(1).await;
}

#[tokio::test]
async fn a_server_that_closes_without_a_word_is_asked_once_more_and_told_nothing_twice() {
    let server = Server::new(Then::Closes).await;
    let client = Client::new();
    for expected in 1..100 {
        // Now its end is seen before the next request is sent, and now it isn't.
        let method = if expected % 3 == 0 { Method::POST } else { Method::GET };
        assert_eq!(client.asked(method, "a.example", server.port).await, expected);
    }
}

#[tokio::test]
async fn a_request_that_meets_the_end_of_a_kept_connection_is_sent_again_only_if_it_asks() {
    let (client, server) = loop {
        let (client, server, begun) = (Client::new(), Server::new(Then::Tires).await, Instant::now());
        let mut numbers = Vec::new();
        for _ in 0..4 {
            numbers.push(client.asked(Method::GET, "a.example", server.port).await);
        }
        assert_eq!(numbers, [1, 1, 2, 2]);
        let lost = client.send(Method::POST, "a.example", server.port).await;
        // On a busy machine it may have a connection of its own by then.
        if begun.elapsed() < AT_ONCE {
            assert!(matches!(lost, Err(OutgoingError::Incomplete)), "{lost:?}");
            break (client, server);
        }
    };
    assert_eq!(server.requests.load(Ordering::SeqCst), 6, "one of them twice");
    assert_eq!(client.asked(Method::POST, "a.example", server.port).await, 3);
}

#[tokio::test]
async fn what_nobody_asked_for_answers_no_later_request() {
    let server = Server::new(Then::Chatters).await;
    let client = Client::new();
    for _ in 0..100 {
        let response = client.send(Method::GET, "a.example", server.port).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert_ne!(body, "forged");
        client.settled().await;
    }
}

#[tokio::test]
async fn a_request_that_is_answered_and_never_ends_keeps_no_connection() {
    let server = Server::new(Then::Waits).await;
    let client = Client::new();
    let body = futures_util::stream::once(async { Ok::<_, BodyError>(Frame::data(Bytes::from("body"))) });
    let body = StreamBody::new(body.chain(futures_util::stream::pending()));
    let request = Request::post(format!("http://a.example:{}/", server.port)).header("content-length", 5).body(body);
    let decided = Decided::of(&client.judge, request.unwrap()).unwrap();
    let response = client.connector.send(&client.judge, decided, Terms::new(None, None, None, None)).await;
    response.unwrap().into_body().collect().await.unwrap();
    server.has_open(0).await;
    client.settled().await;
}

#[tokio::test]
async fn few_are_kept_and_none_of_which_a_response_is_left() {
    let server = Server::new(Then::Waits).await;
    let client = Client::new();
    drop(client.send(Method::GET, "a.example", server.port).await.unwrap());
    client.settled().await;
    assert_eq!(client.asked(Method::GET, "a.example", server.port).await, 2, "its body was left there");
    let mut responses = Vec::new();
    for _ in 0..MOST + 10 {
        responses.push(client.send(Method::GET, "a.example", server.port).await.unwrap());
    }
    for response in responses {
        response.into_body().collect().await.unwrap();
    }
    client.settled().await;
    server.has_open(MOST).await;
    assert_eq!(server.open.load(Ordering::SeqCst), MOST, "not all of them, because they are old");
    drop(client);
    server.has_open(0).await;
}
