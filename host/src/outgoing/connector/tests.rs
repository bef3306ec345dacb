use std::io;
use std::net::IpAddr;
use std::sync::Mutex;

use bulkhead_policy::{Capability, Denial, Grant, Permissions, Phase, Why};
use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

mod kept;

/// Lets names and addresses pass that it knows, and keeps a record of what it and the resolver were asked, in order.
struct Judge {
    names: Vec<&'static str>,
    addresses: Vec<IpAddr>,
    asked: Arc<Mutex<Vec<String>>>,
}

fn denial(subject: String) -> Denial {
    Denial { capability: Capability::Network, subject, why: Why::NotGranted, remedy: None }
}

/// What only a permission gives.
fn reach(to: &Destination) -> Reach {
    let all = ["http://*:*", "https://*:*"].map(|endpoint| json!({ "endpoint": endpoint, "reason": "all" }));
    let requests = serde_json::from_value(json!({ "network": all })).unwrap();
    let grant: Grant =
        serde_json::from_value(json!({ "digest": "dev", "network": ["http://*:*", "https://*:*"] })).unwrap();
    let applicant = bulkhead_policy::Applicant { development: true, ..Default::default() };
    let permissions = Permissions::new(applicant, requests, &[grant], Vec::new(), std::path::Path::new("/"));
    permissions.destination(Phase::Create, to).unwrap()
}

impl Policy for Judge {
    fn destination(&self, to: &Destination) -> Result<Reach, Denial> {
        self.asked.lock().unwrap().push(to.to_string());
        let known = self.names.iter().any(|name| to.host.to_string() == **name);
        if known { Ok(reach(to)) } else { Err(denial(to.to_string())) }
    }

    fn addresses(&self, _: &Reach, found: Vec<IpAddr>) -> Result<Vec<IpAddr>, Denial> {
        let all: Vec<String> = found.iter().map(ToString::to_string).collect();
        self.asked.lock().unwrap().push(all.join(" or "));
        let passing: Vec<_> = found.iter().copied().filter(|address| self.addresses.contains(address)).collect();
        if passing.is_empty() { Err(denial(found[0].to_string())) } else { Ok(passing) }
    }

    fn address(&self, _: &Reach, address: IpAddr) -> Result<(), Denial> {
        self.asked.lock().unwrap().push(address.to_string());
        if self.addresses.contains(&address) { Ok(()) } else { Err(denial(address.to_string())) }
    }
}

struct Names(Arc<Mutex<Vec<String>>>);

#[async_trait::async_trait]
impl Resolver for Names {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.0.lock().unwrap().push(format!("what is {name}?"));
        Ok(["10.0.0.1", "127.0.0.1"].map(|address| address.parse().unwrap()).to_vec())
    }
}

/// What a request came to, and who was asked what before.
async fn sent(port: u16, host: &str, allowed: &[&str]) -> (Result<Bytes, OutgoingError>, Vec<String>) {
    sent_to(&format!("http://{host}:{port}/"), allowed).await
}

async fn sent_to(url: &str, allowed: &[&str]) -> (Result<Bytes, OutgoingError>, Vec<String>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let addresses = allowed.iter().map(|address| address.parse().unwrap()).collect();
    let judge = Judge { names: vec!["granted.example"], addresses, asked: Arc::clone(&asked) };
    let connector = Connector::new(OutgoingLimits::default(), Some(Arc::new(Names(Arc::clone(&asked)))));
    let request = Request::get(url).body(Empty::<Bytes>::new()).unwrap();
    let outcome = async {
        let decided = Decided::of(&judge, request)?;
        let response = connector.send(&judge, decided, Terms::new(None, None, None, None)).await?;
        response.into_body().collect().await.map(http_body_util::Collected::to_bytes)
    };
    let outcome = outcome.await;
    let asked = asked.lock().unwrap().clone();
    (outcome, asked)
}

/// A server for one connection.
async fn server() -> u16 {
    answering(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").await
}

async fn answering(answer: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 1024];
        assert!(stream.read(&mut request).await.unwrap() > 0);
        stream.write_all(answer).await.unwrap();
    });
    port
}

#[tokio::test]
async fn the_name_is_decided_on_before_it_is_resolved_and_each_address_before_it_is_connected_to() {
    let port = server().await;
    let (outcome, asked) = sent(port, "granted.example", &["127.0.0.1"]).await;
    assert_eq!(outcome.unwrap(), "hello");
    let destination = format!("http://granted.example:{port} (GET)");
    let found = "10.0.0.1 or 127.0.0.1";
    assert_eq!(asked, [destination.as_str(), "what is granted.example?", found, "127.0.0.1"]);
}

#[tokio::test]
async fn what_is_denied_goes_no_further() {
    let port = server().await;
    let (outcome, asked) = sent(port, "other.example", &["127.0.0.1"]).await;
    assert!(matches!(outcome, Err(OutgoingError::Denied(_))), "{outcome:?}");
    assert_eq!(asked, [format!("http://other.example:{port} (GET)")], "nobody is asked what it stands for");
    let (outcome, asked) = sent(port, "granted.example", &[]).await;
    assert!(matches!(&outcome, Err(OutgoingError::Denied(denial)) if denial.subject == "10.0.0.1"), "{outcome:?}");
    assert_eq!(asked.len(), 3, "once for all: {asked:?}");
    let (outcome, asked) = sent(port, "user@granted.example", &["127.0.0.1"]).await;
    assert!(matches!(outcome, Err(OutgoingError::Target(_))) && asked.is_empty(), "{asked:?}");
}

#[tokio::test]
async fn who_speaks_to_a_server_in_the_other_scheme_is_told_apart_from_who_finds_it_broken() {
    let bad = b"HTTP/1.1 400 Bad Request\r\n\r\n";
    // What is there of TLS's own words: an alert. Others say nothing.
    let alert = b"\x15\x03\x01\x00\x02\x02\x46";
    for (scheme, answer, told) in [
        ("https", &bad[..], true),
        ("https", b"", false),
        ("http", alert, true),
        ("http", b"", true),
        ("http", b"HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n", false),
    ] {
        let port = answering(answer).await;
        let (outcome, _) = sent_to(&format!("{scheme}://granted.example:{port}/"), &["127.0.0.1"]).await;
        let error = outcome.unwrap_err();
        assert_eq!(error.may_be_of_the_scheme(scheme == "https"), told, "{scheme} {answer:?}: {error}");
    }
}

#[tokio::test]
async fn sockets_and_tales_are_counted() {
    let limits = OutgoingLimits { sockets: 2, ..OutgoingLimits::default() };
    let connector = Connector::new(limits, None);
    let (first, second) = (connector.socket(), connector.clone().socket());
    assert!(first.is_some() && second.is_some() && connector.socket().is_none());
    drop(first);
    assert!(connector.socket().is_some());
    let told = |host: &str| (0..20).filter(|_| connector.tell(host)).count();
    assert_eq!([told("a.example"), told("b.example"), told("a.example")], [TOLD, TOLD, 0], "each by itself");
    let others = (0..2 * HOSTS).filter(|number| connector.tell(&number.to_string())).count();
    assert_eq!(others, HOSTS - 2, "a guest makes up as many as it likes");
}
