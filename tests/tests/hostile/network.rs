//! Guests that were granted a server, which is as hostile as they are.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bulkhead::Resolver;
use bulkhead::component::{Limits, digest, embed};
use bulkhead_policy::Permissions;
use bulkhead_tests::in_time;
use bulkhead_tests::serving::{Serving, load};
use bulkhead_value::Object;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tonic::Code;

use crate::peers::plugin_in;
use crate::{BUG, OWN, REPORT, SCHEMA, TELL, fixed, hostile, permitted, seen, undisturbed, well, what};

/// Far less than a deadline.
const SOON: Duration = Duration::from_secs(10);

/// What a component may do that is granted a server on this machine.
fn granted(server: SocketAddr) -> Permissions {
    reaching(&format!("http://{server}"))
}

/// What a component may do that is granted an endpoint on this machine.
fn reaching(endpoint: &str) -> Permissions {
    permitted(
        &json!({ "network": [{ "endpoint": endpoint, "reason": "its server" }] }),
        json!({ "digest": "dev", "network": [{ "endpoint": endpoint, "addresses": ["loopback"] }] }),
    )
}

/// A server that answers with some bytes, and then with others for as long as anybody reads them.
async fn endless(first: &'static [u8], then: &'static [u8]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut request = [0; 1024];
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(first).await;
                let many = then.repeat(1_000);
                while stream.write_all(&many).await.is_ok() {}
            });
        }
    });
    address
}

#[tokio::test]
async fn a_server_that_sends_framing_without_end_is_not_read_without_end() {
    undisturbed(async {
        let chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n";
        for (server, error) in [
            (endless(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n").await, "HttpResponseHeaderSectionSize(None)"),
            (endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n").await, "HttpResponseHeaderSectionSize(None)"),
            (endless(chunked, b"0").await, "HttpProtocolError"),
        ] {
            let loaded = load(&bulkhead_tests::hostile("framing-flood"), Limits::default()).unwrap();
            let serving = Serving::of(loaded.under(Limits::default(), granted(server))).await.ready(well()).await;
            let begun = Instant::now();
            let status = serving.invoke(TELL, what(&server.to_string())).await.unwrap_err();
            let expected = format!("the response came to Err(ErrorCode::{error})");
            assert_eq!(seen(&status), (Code::Aborted, expected.as_str()));
            assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        }
    })
    .await;
}

/// A server that accepts, and says nothing.
async fn silent() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    address
}

#[tokio::test]
async fn requests_that_nobody_waits_for_are_bounded_together() {
    undisturbed(async {
        let server = silent().await;
        let loaded = load(&bulkhead_tests::hostile("requests-flood"), Limits::default()).unwrap();
        let serving = Serving::of(loaded.under(Limits::default(), granted(server))).await.ready(well()).await;
        // Of one that may not be asked it is known soon, so that handles may come to their end before.
        let status = serving.invoke(TELL, what("192.0.2.1:80")).await.unwrap_err();
        assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
        for _ in 0..2 {
            let status = serving.invoke(TELL, what(&server.to_string())).await.unwrap_err();
            let message = "call the function: the provider needs more memory for requests than its limit allows";
            assert_eq!(seen(&status), (Code::ResourceExhausted, format!("{message}{}", fixed("64 MiB")).as_str()));
        }
    })
    .await;
}

/// A resolver that takes its time, and how often it was asked.
#[derive(Default)]
struct Slow(AtomicUsize);

#[async_trait::async_trait]
impl Resolver for Slow {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(200)).await;
        Ok(vec![IpAddr::from([127, 0, 0, 1])])
    }
}

#[tokio::test]
async fn lookups_that_nobody_waits_for_end_with_whoever_asked() {
    undisturbed(async {
        let slow = Arc::<Slow>::default();
        let loaded = load(&bulkhead_tests::hostile("lookups-dropped"), Limits::default()).unwrap();
        let loaded = loaded.under(Limits::default(), reaching("tcp://db.example:5432")).resolving(slow.clone());
        let serving = Serving::of(loaded).await.ready(well()).await;
        let begun = Instant::now();
        for (attack, told) in [("dropped", "dropped"), ("kept", "0 at once"), ("waited for", "5000 ready, true")] {
            assert_eq!(serving.invoke(TELL, what(attack)).await.unwrap().value["text"], told.into(), "{attack}");
        }
        let status = serving.invoke(TELL, what("before its pollable")).await.unwrap_err();
        let expected =
            format!("call the function: the provider broke the contract: resource has children{BUG}{REPORT}");
        assert_eq!(seen(&status), (Code::Aborted, expected.as_str()));
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        assert!(slow.0.load(Ordering::Relaxed) <= 40_002);
    })
    .await;
}

/// What is done in a single call of the host, nobody interrupts, and no limit ends it.
#[tokio::test]
async fn names_that_are_longer_than_any_are_denied_unread() {
    undisturbed(async {
        let serving = hostile("lookups-huge", Limits::default()).await;
        let begun = Instant::now();
        let status = serving.invoke(TELL, Object::new()).await.unwrap_err();
        let message = status.message();
        assert!(message.starts_with("10 were refused"), "{message}");
        let denied = "network tcp://6902299 bytes is denied: the destination names no host";
        assert_eq!(message.matches(denied).count(), 1, "{message}");
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    })
    .await;
}

/// One address for all names.
pub(crate) struct One(pub(crate) IpAddr);

#[async_trait::async_trait]
impl Resolver for One {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        Ok(vec![self.0])
    }
}

#[tokio::test]
async fn names_without_end_of_one_address_take_hardly_more_than_one() {
    undisturbed(async {
        let permissions = permitted(
            &json!({ "network": [{ "endpoint": "tcp://*:*", "reason": "all" }] }),
            json!({ "digest": "dev", "network": ["tcp://*.evil.example:443"] }),
        );
        in_time(3, async || {
            let loaded = load(&bulkhead_tests::hostile("names-many"), Limits::default()).unwrap();
            let loaded = loaded.under(Limits::default(), permissions.clone());
            let loaded = loaded.resolving(Arc::new(One([93, 184, 216, 34].into())));
            let serving = Serving::of(loaded).await.ready(well()).await;
            let told = serving.invoke(TELL, Object::new()).await.unwrap();
            let took = told.value["text"].as_str().unwrap().to_owned();
            let [one, many] = took.split(' ').map(|took| took.parse::<u64>().unwrap()).collect::<Vec<_>>()[..] else {
                panic!("it should have asked twice: {took}")
            };
            // Each name took as long as the first one.
            (many < one * 30).then_some(())
        })
        .await;
    })
    .await;
}

/// The end of a body that is sent in chunks.
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";

/// A server that answers once it has a body, and what each connection said to it from its beginning to its end.
async fn recording() -> (SocketAddr, Arc<Mutex<Vec<Vec<u8>>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, all) = (listener.local_addr().unwrap(), Arc::<Mutex<Vec<Vec<u8>>>>::default());
    let recorded = Arc::clone(&all);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let recorded = Arc::clone(&recorded);
            tokio::spawn(async move {
                let mut said = Vec::new();
                while stream.read_buf(&mut said).await.is_ok_and(|read| read > 0) {
                    if said.ends_with(LAST_CHUNK) {
                        let _ = stream
                            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                            .await;
                        break;
                    }
                }
                recorded.lock().unwrap().push(said);
            });
        }
    });
    (address, all)
}

/// A server that takes half of a body for all of it replaces what it had by that.
#[tokio::test]
async fn a_body_that_a_call_leaves_unfinished_reaches_no_server_as_a_whole_one() {
    undisturbed(async {
        let (server, all) = recording().await;
        for (how, times, whole) in
            [("crash", 20, false), ("wait", 5, false), ("compute", 10, false), ("drop", 5, false), ("send", 5, true)]
        {
            // The others end by themselves, or compute for no longer than they may, however long it takes until the server has its half.
            let wall = if how == "wait" { Duration::from_secs(1) } else { Limits::default().wall };
            let limits = || Limits { wall, compute: Duration::from_millis(100), ..Limits::default() };
            let loaded = load(&bulkhead_tests::hostile("body-cut"), limits()).unwrap();
            let serving = Serving::of(loaded.under(limits(), granted(server))).await.ready(well()).await;
            for _ in 0..times {
                let told = serving.invoke(TELL, what(&format!("{server} {how}"))).await;
                let answer = match how {
                    "send" => Some("answered"),
                    "drop" => Some("not answered"),
                    _ => None,
                };
                let told = told.ok().map(|told| told.value["text"].clone());
                assert_eq!(told, answer.map(Into::into), "{how}");
            }
            let over = async {
                while all.lock().unwrap().len() < times {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            tokio::time::timeout(SOON, over).await.expect("each connection should come to an end");
            for said in std::mem::take(&mut *all.lock().unwrap()) {
                let said = String::from_utf8(said).unwrap();
                let ends =
                    if whole { "\r\nF\r\nthe second half\r\n0\r\n\r\n" } else { "\r\n10\r\nthe first half, \r\n" };
                assert!(said.ends_with(ends), "{how}: {said}");
            }
        }
    })
    .await;
}

fn named(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params
}

/// A server that sends so many certificates between its own and an authority, of which each has the authority's name, and none its word. The
/// authority's certificate is kept in a file.
async fn vouched_for_by_nobody(authority: &Path, between: usize) -> SocketAddr {
    let key = || KeyPair::generate_for(&rcgen::PKCS_ECDSA_P384_SHA384).unwrap();
    let root = CertifiedIssuer::self_signed(named("authority"), key()).unwrap();
    std::fs::write(authority, root.pem()).unwrap();
    let forged = CertifiedIssuer::self_signed(named("authority"), key()).unwrap();
    let own = key();
    let leaf = CertificateParams::new(vec!["granted.example".to_owned()]).unwrap().signed_by(&own, &forged).unwrap();
    let mut sent = vec![leaf.der().clone()];
    for _ in 0..between {
        sent.push(CertifiedIssuer::signed_by(named("authority"), key(), &forged).unwrap().der().clone());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let own = PrivateKeyDer::try_from(own.serialize_der()).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config.with_no_client_auth().with_single_cert(sent, own).unwrap()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                if let Ok(mut stream) = acceptor.accept(stream).await {
                    let _ = stream.read(&mut [0; 1024]).await;
                }
            });
        }
    });
    address
}

/// No limit counts what a handshake computes, and nobody can interrupt it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_that_lead_nowhere_in_many_ways_take_hardly_more_than_one_that_does() {
    undisturbed(async {
        let mut took = Vec::new();
        for between in [0, 6] {
            let project = bulkhead_tests::temporary_directory();
            let server = vouched_for_by_nobody(&project.path().join("authority.pem"), between).await;
            let asked = json!({
                "manifestVersion": 1,
                "contract": "0.1.0",
                "configuration": { "overrides": ["check", "diff"] },
                "resources": { OWN: { "overrides": ["check", "diff", "preview", "upgrade"], "schemaVersion": 1 } },
                "permissions": { "network": [{ "endpoint": format!("https://{server}"), "reason": "its server" }] },
            });
            let component = bulkhead_tests::hostile("handshakes-flood");
            let component = embed(&component, SCHEMA.as_bytes(), asked.to_string().as_bytes()).unwrap();
            let grant = format!(
                "[[providers.hostile.grants]]\ndigest = \"sha256:{}\"\ncertificates = [\"authority.pem\"]\n\
                 network = [\"https://{server}\"]\n",
                digest(&component)
            );
            let plugin = plugin_in(project.path(), &component, &grant);
            let serving = Serving::by(&plugin).await.ready(well()).await;
            let before = plugin.computed();
            let told = serving.invoke(TELL, what(&server.to_string())).await.unwrap();
            assert_eq!(told.value["text"], "64 weren't believed".into());
            took.push(plugin.computed() - before);
        }
        // A hundred signatures each were some forty times as much.
        assert!(took[1] < took[0].max(Duration::from_millis(50)) * 10, "{took:?}");
    })
    .await;
}
