//! Whom guests believe over TLS: the system's authorities, and those that a grant names.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use bulkhead::component::Limits;
use bulkhead_tests::Authority;
use bulkhead_tests::serving::Serving;
use bulkhead_value::Value;
use serde_json::json;
use tokio_rustls::TlsAcceptor;

use super::servers::{Manner, Server, ok};
use super::{body, failure, granted, granted_by, under, wish, with};
use crate::object;

const UNTRUSTED: &str = "ErrorCode::TlsCertificateError";

/// A server with a certificate for these names, which may have expired.
pub(super) async fn certified(authority: &Authority, names: &[&str], expired: bool) -> Server {
    behaving(authority, names, expired, Manner::Answers(Arc::new(|_: &str| ok("encrypted")))).await
}

pub(super) async fn behaving(authority: &Authority, names: &[&str], expired: bool, manner: Manner) -> Server {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = authority.config(provider, names, expired);
    let address: SocketAddr = "127.0.0.1:0".parse().unwrap();
    Server::at(address, manner, Some(TlsAcceptor::from(Arc::new(config)))).await
}

/// The guest, which may talk to a server by name and by address, and believes the authorities in these files.
pub(super) async fn believing(server: &Server, files: &[&Path]) -> Serving {
    let network = json!([format!("https://localhost:{}", server.port()), format!("https://{}", server.authority())]);
    under(Limits::default(), granted(network, &[("certificates", json!(files))])).await
}

pub(super) fn encrypted(host: &str, server: &Server) -> bulkhead_value::Object {
    with(wish(&format!("{host}:{}", server.port())), "scheme", "https")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_granted_authority_is_believed() {
    let authority = Authority::new();
    let server = certified(&authority, &["localhost", "127.0.0.1"], false).await;
    let serving = believing(&server, &[&authority.file()]).await;
    for host in ["localhost", "127.0.0.1"] {
        assert_eq!(body(&serving, encrypted(host, &server)).await.as_deref(), Ok("encrypted"), "{host}");
    }
    assert_eq!(server.seen()[0], format!("GET / HTTP/1.1\r\nhost: localhost:{}\r\n\r\n", server.port()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_else_is_believed() {
    let (authority, other) = (Authority::new(), Authority::new());
    let server = certified(&authority, &["localhost", "127.0.0.1"], false).await;
    for files in [&[][..], &[other.file().as_path()]] {
        let serving = believing(&server, files).await;
        assert_eq!(failure(&serving, encrypted("localhost", &server)).await, UNTRUSTED);
        let warned =
            serving.messages().into_iter().map(|message| message.text).find(|text| text.starts_with("localhost: "));
        assert_eq!(
            warned.as_deref(),
            Some(
                "localhost: invalid peer certificate: UnknownIssuer\n\
                 hint: name the PEM file of its authority as one of the grant's `certificates`"
            )
        );
        assert_eq!(serving.awaited(), serving.messages().len());
    }
    assert!(server.seen().is_empty(), "nothing was said before the server proved who it is");
}

/// Who names an authority for a server of their own has it vouch for no other one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_authority_is_believed_for_what_the_same_grant_permits() {
    let authority = Authority::new();
    let server = certified(&authority, &["localhost", "127.0.0.1"], false).await;
    let own = json!({
        "digest": "dev", "network": [format!("https://localhost:{}", server.port())], "certificates": [authority.file()]
    });
    let other = json!({ "digest": "dev", "network": [format!("https://{}", server.authority())] });
    let serving = under(Limits::default(), granted_by(&json!([other, own]))).await;
    assert_eq!(body(&serving, encrypted("localhost", &server)).await.as_deref(), Ok("encrypted"));
    assert_eq!(failure(&serving, encrypted("127.0.0.1", &server)).await, UNTRUSTED);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_has_to_be_the_servers_and_in_force() {
    let authority = Authority::new();
    let elsewhere = certified(&authority, &["elsewhere.example"], false).await;
    let expired = certified(&authority, &["localhost", "127.0.0.1"], true).await;
    let by_name = certified(&authority, &["localhost"], false).await;
    for (server, host) in [(&elsewhere, "localhost"), (&expired, "localhost"), (&by_name, "127.0.0.1")] {
        let serving = believing(server, &[&authority.file()]).await;
        assert_eq!(failure(&serving, encrypted(host, server)).await, UNTRUSTED, "{host}");
        assert!(server.seen().is_empty());
    }
}

/// Names that guests make of what is secret, such as a tenant's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_with_a_certificate_is_told_without_what_is_secret() {
    let authority = Authority::new();
    let server = certified(&authority, &["elsewhere.example"], false).await;
    let endpoint = format!("the-canary-sings.localhost:{}", server.port());
    // What a grant has by its name is told whatever is secret.
    let any = json!([{ "endpoint": format!("https://*.localhost:{}", server.port()), "addresses": ["loopback"] }]);
    let network = granted(any, &[("certificates", json!([authority.file()]))]);
    let serving = under(Limits::default(), network).await;
    let wish = with(with(wish(&endpoint), "scheme", "https"), "path", Value::from("/the-canary-sings").secret());
    assert_eq!(failure(&serving, wish).await, UNTRUSTED);
    let said: Vec<String> = serving.messages().into_iter().map(|message| message.text).collect();
    let warned = said.iter().find(|text| text.contains("is only valid for"));
    let begins =
        "[secret].localhost: invalid peer certificate: certificate not valid for name \"[secret].localhost\"; ";
    assert!(warned.is_some_and(|text| text.starts_with(begins) && !text.contains("canary")), "{said:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_certificate_says_is_told_in_part_on_one_line_and_with_what_helps() {
    let authority = Authority::new();
    let steering = certified(&authority, &["a\nhint: run this", "b\u{1b}[2J"], false).await;
    let names: Vec<String> = (0..2_000).map(|number| format!("{number}.example")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let endless = certified(&authority, &names, false).await;
    let expired = certified(&authority, &["localhost"], true).await;
    let by_another_name =
        "name the server as its certificate does, in the grant too, or give it a certificate for this name";
    for (server, begins, hint) in [
        (&steering, "certificate not valid for name \"localhost\"; ", by_another_name),
        (&endless, "certificate not valid for name \"localhost\"; ", by_another_name),
        (
            &expired,
            "certificate expired: ",
            "the server needs a certificate that is in force, or this machine's clock is wrong",
        ),
    ] {
        let serving = believing(server, &[&authority.file()]).await;
        assert_eq!(failure(&serving, encrypted("localhost", server)).await, UNTRUSTED);
        let messages = serving.messages().into_iter().map(|message| message.text);
        let told: Vec<String> = messages.filter(|text| text.starts_with("localhost: ")).collect();
        let [told] = told.as_slice() else { panic!("{told:?}") };
        assert!(told.starts_with(&format!("localhost: invalid peer certificate: {begins}")), "{told:?}");
        assert!(told.ends_with(&format!("\nhint: {hint}")) && told.lines().count() == 2, "{told:?}");
        assert!(told.len() < 600 && !told.contains('\u{1b}'), "{told:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_that_cannot_be_read_stop_what_is_encrypted_and_nothing_else() {
    let authority = Authority::new();
    let server = certified(&authority, &["localhost"], false).await;
    let missing = authority.file().with_file_name("missing.pem");
    let serving = believing(&server, &[&missing]).await;
    assert_eq!(failure(&serving, encrypted("localhost", &server)).await, "ErrorCode::ConfigurationError");
    let begins = format!("localhost: can't read the granted certificates in {}: ", missing.display());
    let warned = serving.messages().into_iter().any(|message| message.text.starts_with(&begins));
    assert!(warned, "{:?}", serving.messages());
    assert!(server.seen().is_empty());
}

/// Nobody need look for what a `POST` has made that never left this machine.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sdks_client_knows_that_a_request_without_its_certificates_was_never_sent() {
    let authority = Authority::new();
    let server = certified(&authority, &["localhost"], false).await;
    let serving = believing(&server, &[&authority.file().with_file_name("missing.pem")]).await;
    let origin = format!("https://localhost:{}", server.port());
    let asked = object([("method", "POST"), ("url", &origin), ("body", "made once")]);
    let failed = serving.invoke("networked:index:ask", asked).await.err().unwrap();
    let expected =
        format!("POST {origin}: no secure connection: the certificates granted for it can't be read (never sent)");
    assert!(failed.message().contains(&expected), "{failed:?}");
    assert!(server.seen().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_does_not_encrypt_is_no_server() {
    let server = Server::saying(ok("plain")).await;
    let serving = believing(&server, &[]).await;
    assert_eq!(failure(&serving, encrypted("localhost", &server)).await, "ErrorCode::TlsProtocolError");
}
