//! Assets that lie on a server: the component that reads them needs the permission to talk to it.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bulkhead::Resolver;
use bulkhead::component::{Limits, Loaded};
use bulkhead_policy::{Applicant, Grant, Permissions, Requests};
use bulkhead_tests::serving::{Serving, load};
use bulkhead_tests::{Authority, temporary_directory};
use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Object, Value};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::Names;
use super::certificates::certified;
use super::servers::{Server, ok};
use crate::{guest, object};

/// `reading`, which asks for these endpoints and is granted them.
async fn reading(endpoints: &[String]) -> Serving {
    Serving::of(granted(endpoints, json!(endpoints))).await.ready(Object::new()).await
}

/// The same, not served yet, with a grant of its own.
fn granted(endpoints: &[String], network: serde_json::Value) -> Arc<Loaded> {
    let component = fs::read(guest("reading").component).unwrap();
    let asked: Vec<_> =
        endpoints.iter().map(|endpoint| json!({ "endpoint": endpoint, "reason": "reads assets" })).collect();
    let requests: Requests = serde_json::from_value(json!({ "network": asked })).unwrap();
    let grant: Grant = serde_json::from_value(json!({ "digest": "dev", "network": network })).unwrap();
    let applicant = Applicant { provider: "reading".into(), development: true, ..Applicant::default() };
    let permissions = Permissions::new(applicant, requests, &[grant], Vec::new(), Path::new("/"));
    load(&component, Limits::default()).unwrap().under(Limits::default(), permissions)
}

/// What is read of an address, or why nothing is.
async fn read(serving: &Serving, address: &str, hash: Option<&str>) -> Result<String, String> {
    let asset = Asset { hash: hash.map(str::to_owned), source: AssetSource::Uri(address.to_owned()) };
    looked(serving, "asset", asset.into()).await
}

/// What is found in a value.
async fn looked(serving: &Serving, name: &str, value: Value) -> Result<String, String> {
    let looked = serving.invoke("reading:index:look", object([(name, value)])).await;
    let looked = looked.map_err(|error| error.message().split("\nhint:").next().unwrap_or_default().to_owned())?;
    Ok(looked.value["found"]
        .as_list()
        .map(|texts| texts.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_granted_server_has_is_read() {
    let server = Server::answering(|request| match request.split(' ').nth(1) {
        Some("/a?key=hunter2") => ok("from a server"),
        Some("/moved") => "HTTP/1.1 302 Found\r\nlocation: /a?key=hunter2\r\ncontent-length: 0\r\n\r\n".to_owned(),
        Some("/away") => "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.2:9/\r\ncontent-length: 0\r\n\r\n".to_owned(),
        Some("/again") => "HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n".to_owned(),
        _ => "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_owned(),
    })
    .await;
    let base = format!("http://{}", server.address);
    let serving = reading(std::slice::from_ref(&base)).await;
    let at = |path: &str| format!("{base}{path}");
    assert_eq!(read(&serving, &at("/a?key=hunter2#part"), None).await.unwrap(), "from a server");
    assert_eq!(read(&serving, &at("/moved"), None).await.unwrap(), "from a server");
    let here = "`http://127.0.0.1` can't be read";
    assert_eq!(
        read(&serving, &at("/none?key=hunter2"), None).await.unwrap_err(),
        format!("{here}: its server answers 404 Not Found")
    );
    assert_eq!(read(&serving, &at("/again"), None).await.unwrap_err(), format!("{here}: it redirects again and again"));
    let away = read(&serving, &at("/away"), None).await.unwrap_err();
    assert_eq!(away, "network http://127.0.0.2:9 (GET) is denied: the component's manifest doesn't ask for it");
    let changed = read(&serving, &at("/moved"), Some(Asset::EMPTY_HASH)).await.unwrap_err();
    assert_eq!(changed, "the asset changed while it was used: its contents don't have its hash");
}

/// What a server sends is decrypted where its connection is: whoever answers an engine on one thread would answer nobody meanwhile.
#[tokio::test]
async fn assets_are_fetched_beside_the_thread_that_answers() {
    let names = Names::answering(&[&["127.0.0.1"]]);
    let server = Server::saying(ok("hello")).await;
    let base = format!("http://name.example:{}", server.port());
    let granted = granted(std::slice::from_ref(&base), json!([{ "endpoint": base, "addresses": ["loopback"] }]));
    let serving =
        Serving::of(granted.resolving(Arc::clone(&names) as Arc<dyn Resolver>)).await.ready(Object::new()).await;
    assert_eq!(read(&serving, &format!("{base}/a"), None).await.unwrap(), "hello");
    assert_eq!(*names.threads.lock().unwrap(), ["guest"]);
}

/// The contents of a response that aren't text.
fn file(contents: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", contents.len());
    [head.as_bytes(), contents].concat()
}

/// VAL-12: an archive's format is in its address, before what is asked of its server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archives_of_a_granted_server_and_of_an_address_of_a_file_are_opened() {
    let mut packing = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_size(5);
    header.set_mode(0o644);
    packing.append_data(&mut header, "dir/hello.txt", &b"hello"[..]).unwrap();
    let packed = packing.into_inner().unwrap().finish().unwrap();

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let answer = file(&packed);
    let server = tokio::spawn(async move {
        let mut paths = Vec::new();
        while paths.len() < 2 {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = vec![0; 4_096];
            let read = stream.read(&mut head).await.unwrap();
            paths.push(String::from_utf8_lossy(&head[..read]).split(' ').nth(1).unwrap_or_default().to_owned());
            stream.write_all(&answer).await.unwrap();
        }
        paths
    });

    let serving = reading(std::slice::from_ref(&base)).await;
    let opened = async |address: &str, hash: Option<&str>| {
        let archive = Archive { hash: hash.map(str::to_owned), source: ArchiveSource::Uri(address.to_owned()) };
        looked(&serving, "archive", archive.into()).await
    };
    let hello = Ok("dir/hello.txt: hello".to_owned());
    assert_eq!(opened(&format!("{base}/x.tgz?sig=1"), None).await, hello);
    let changed = opened(&format!("{base}/x.tar.gz"), Some(Archive::EMPTY_HASH)).await.unwrap_err();
    assert!(changed.contains("changed while it was used"), "{changed}");
    assert_eq!(server.await.unwrap(), ["/x.tgz?sig=1", "/x.tar.gz"]);
    for address in ["/x.rar", "/x?name=x.zip", "/"] {
        let unknown = opened(&format!("{base}{address}"), None).await.unwrap_err();
        assert!(
            unknown.contains("the address of an archive is neither"),
            "{address}, which nobody is asked for: {unknown}"
        );
    }
    let directory = temporary_directory();
    let path = directory.path().join("x.tgz");
    fs::write(&path, packed).unwrap();
    assert_eq!(opened(&format!("file://{}", path.display()), None).await, hello);
}

/// What it began is its own to undo, for which it has some seconds: it may not sit them out before a server that says nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_create_hears_that_an_asset_will_not_come() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", silent.local_addr().unwrap());
    let serving = reading(std::slice::from_ref(&base)).await;
    let asset = Asset { hash: None, source: AssetSource::Uri(format!("{base}/a")) };
    let create = serving.create("reading:index:Contents", object([("asset", Value::from(asset))]));
    let cancel = async {
        let (asked, _) = silent.accept().await.unwrap();
        serving.cancel().await;
        asked
    };
    let (outcome, mut asked) = tokio::join!(create, cancel);
    let status = outcome.unwrap_err();
    assert!(status.message().contains("the call is cancelled"), "{status:?}");
    // Nobody goes on waiting for the server, which the host would do for minutes.
    let rest = tokio::time::timeout(Duration::from_secs(20), asked.read_to_end(&mut Vec::new())).await;
    rest.expect("the connection is still there").unwrap();
}

/// The component may keep to itself why it has no asset, and can do nothing about it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_is_told_of_a_server_that_is_not_believed() {
    let server = certified(&Authority::new(), &["127.0.0.1"], false).await;
    let base = format!("https://{}", server.address);
    let serving = reading(std::slice::from_ref(&base)).await;
    let error = read(&serving, &format!("{base}/a?key=hunter2"), None).await.unwrap_err();
    assert_eq!(error, "`https://127.0.0.1` can't be read: invalid peer certificate: UnknownIssuer");
    let said: Vec<String> = serving.messages().into_iter().map(|message| message.text).collect();
    let hint = "hint: name the PEM file of its authority as one of the grant's `certificates`";
    assert_eq!(said, [format!("127.0.0.1: invalid peer certificate: UnknownIssuer\n{hint}")]);
    assert_eq!(serving.awaited(), 1);
}
