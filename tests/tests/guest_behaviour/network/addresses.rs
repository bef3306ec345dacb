//! What granted names stand for: each address is decided on, and a name is resolved once.

use bulkhead_policy::Permissions;
use serde_json::json;

use super::servers::{Manner, Server, ok};
use super::{Names, body, failure, granted, resolving, wish};
use std::sync::Arc;

const DENIED: &str = "ErrorCode::HttpRequestDenied";

/// A grant of the name at any port, with these addresses.
fn name(addresses: &[&str]) -> Permissions {
    granted(json!([{ "endpoint": "http://name.example:*", "addresses": addresses }]), &[])
}

/// Two servers on one port, at two addresses of this machine.
async fn two() -> (Server, Server) {
    let answering = |text: &'static str| Manner::Answers(Arc::new(move |_: &str| ok(text)));
    loop {
        let first = Server::at("127.0.0.1:0".parse().unwrap(), answering("first"), None).await;
        let second = format!("127.0.0.2:{}", first.port()).parse().unwrap();
        // Somebody else may have the port there.
        if tokio::net::TcpListener::bind(second).await.is_ok() {
            return (first, Server::at(second, answering("second"), None).await);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_reaches_no_address_that_is_not_public_or_granted() {
    let server = Server::saying(ok("hello")).await;
    let authority = format!("name.example:{}", server.port());
    for address in [
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "127.8.8.8",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.1.1",
        "169.254.169.254",
        "fe80::1",
        "fd00::1",
        "0.0.0.0",
        "::",
        "224.0.0.1",
        "255.255.255.255",
        "::127.0.0.1",
        "64:ff9b::127.0.0.1",
        "2002:7f00:1::",
        "192.0.2.1",
        "240.0.0.1",
        "fd00:ec2::254",
    ] {
        let names = Names::answering(&[&[address]]);
        let serving = resolving(name(&[]), &names).await;
        let message = body(&serving, wish(&authority)).await.unwrap_err();
        assert!(message.starts_with(DENIED), "{address}: {message}");
        assert!(message.contains(&format!("network http://{authority} (GET) is denied: it stands for ")), "{message}");
        assert_eq!(names.asked(), ["name.example"], "{address}");
    }
    assert!(server.seen().is_empty());
    let serving = resolving(name(&["loopback"]), &Names::answering(&[&["127.0.0.1"]])).await;
    assert_eq!(body(&serving, wish(&authority)).await.as_deref(), Ok("hello"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_hands_out_credentials_is_reached_by_no_grant() {
    let permissions = || {
        let addresses = ["link-local", "private", "169.254.0.0/16", "169.254.169.254", "fd00::/8"];
        granted(json!([{ "endpoint": "http://*:*", "addresses": addresses }, "http://169.254.169.254"]), &[])
    };
    for address in ["169.254.169.254", "::ffff:169.254.169.254", "fd00:ec2::254", "64:ff9b::169.254.169.254"] {
        let serving = resolving(permissions(), &Names::answering(&[&[address]])).await;
        assert_eq!(failure(&serving, wish("name.example")).await, DENIED, "{address}");
    }
    let serving = resolving(permissions(), &Names::answering(&[&["127.0.0.1"]])).await;
    for host in ["169.254.169.254", "[::ffff:a9fe:a9fe]", "2852039166", "metadata.google.internal", "METADATA."] {
        assert_eq!(failure(&serving, wish(host)).await, DENIED, "{host}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_addresses_only_those_that_are_granted_are_connected_to() {
    let (first, second) = two().await;
    let authority = format!("name.example:{}", first.port());
    for answer in [["127.0.0.2", "127.0.0.1"], ["127.0.0.1", "127.0.0.2"], ["10.0.0.1", "127.0.0.1"]] {
        let serving = resolving(name(&["127.0.0.1"]), &Names::answering(&[&answer])).await;
        assert_eq!(body(&serving, wish(&authority)).await.as_deref(), Ok("first"), "{answer:?}");
    }
    assert_eq!((first.seen().len(), second.seen().len()), (3, 0));
    // Of those that are, each is tried.
    drop(first);
    let serving = resolving(name(&["loopback"]), &Names::answering(&[&["127.0.0.1", "127.0.0.2"]])).await;
    assert_eq!(body(&serving, wish(&authority)).await.as_deref(), Ok("second"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_changes_its_mind_is_decided_on_anew() {
    let (first, second) = two().await;
    let authority = format!("name.example:{}", first.port());
    // What is checked is what is connected to: whoever asked twice would get the second answer.
    let names = Names::answering(&[&["127.0.0.1"], &["127.0.0.2"]]);
    let serving = resolving(name(&["127.0.0.1"]), &names).await;
    assert_eq!(body(&serving, wish(&authority)).await.as_deref(), Ok("first"));
    assert_eq!(names.asked().len(), 1, "asked once for each request");
    let message = body(&serving, wish(&authority)).await.unwrap_err();
    assert!(message.contains("it stands for 127.0.0.2, this machine (loopback)"), "{message}");
    assert_eq!(names.asked().len(), 2);
    assert!(second.seen().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn localhost_is_this_machine_and_nobody_is_asked() {
    let server = Server::saying(ok("hello")).await;
    let names = Names::answering(&[&["10.0.0.1"]]);
    let permissions = granted(json!([format!("http://localhost:{}", server.port())]), &[]);
    let serving = resolving(permissions, &names).await;
    assert_eq!(body(&serving, wish(&format!("localhost:{}", server.port()))).await.as_deref(), Ok("hello"));
    assert!(names.asked().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_that_are_not_granted_are_not_even_looked_up() {
    let names = Names::answering(&[&["127.0.0.1"]]);
    let serving = resolving(name(&["loopback"]), &names).await;
    for host in ["secret-in-a-name.evil.example", "x.name.example", "name.example.evil.example"] {
        assert_eq!(failure(&serving, wish(host)).await, DENIED, "{host}");
    }
    assert!(names.asked().is_empty(), "a lookup tells somebody else's server: {:?}", names.asked());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_without_addresses_is_no_denial() {
    let serving = resolving(name(&[]), &Names::answering(&[&[]])).await;
    let failed = failure(&serving, wish("name.example")).await;
    assert!(failed.starts_with("ErrorCode::DnsError"), "{failed}");
}
