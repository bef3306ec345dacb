//! A server that encrypts what no response is made of.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bulkhead::component::Limits;
use bulkhead_tests::Authority;
use rustls::crypto::CryptoProvider;
use rustls::crypto::cipher::{OutboundChunks, OutboundPlainMessage};
use rustls::crypto::ring::cipher_suite::TLS13_AES_128_GCM_SHA256;
use rustls::{ConnectionTrafficSecrets, ContentType, ProtocolVersion, ServerConnection, SupportedCipherSuite};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use super::{failure, granted, numbers, under, wish, with};

/// A ticket to go on with later: for a day, with a nonce, 200 bytes and no extensions.
fn ticket() -> Vec<u8> {
    let body = [&[0, 1, 0x51, 0x80, 0, 0, 0, 1, 8][..], &[7; 8], &[0, 200], &[7; 200], &[0, 0]].concat();
    [&[4, 0, 0, u8::try_from(body.len()).unwrap()][..], &body].concat()
}

/// Answers a request with tickets alone, for as long as anybody reads them, and counts their bytes.
async fn hand_out(stream: TlsStream<TcpStream>, sent: &AtomicUsize) {
    let (mut stream, connection): (TcpStream, ServerConnection) = stream.into_inner();
    let secrets = connection.dangerous_extract_secrets().unwrap();
    let (mut number, ConnectionTrafficSecrets::Aes128Gcm { key, iv }) = secrets.tx else { panic!("another suite") };
    let SupportedCipherSuite::Tls13(suite) = TLS13_AES_128_GCM_SHA256 else { panic!("another version") };
    let mut encrypter = suite.aead_alg.encrypter(key, iv);
    let ticket = ticket();
    loop {
        let mut many = Vec::new();
        for _ in 0..1_000 {
            let (typ, version) = (ContentType::Handshake, ProtocolVersion::TLSv1_2);
            let message = OutboundPlainMessage { typ, version, payload: OutboundChunks::Single(&ticket) };
            many.extend(encrypter.encrypt(message, number).unwrap().encode());
            number += 1;
        }
        if stream.write_all(&many).await.is_err() {
            return;
        }
        sent.fetch_add(many.len(), Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_encrypted_and_no_response_is_not_read_without_end() {
    let authority = Authority::new();
    let provider = rustls::crypto::ring::default_provider();
    let provider = CryptoProvider { cipher_suites: vec![TLS13_AES_128_GCM_SHA256], ..provider };
    let mut config = authority.config(Arc::new(provider), &["localhost"], false);
    (config.enable_secret_extraction, config.send_tls13_tickets) = (true, 0);
    let (acceptor, sent) = (TlsAcceptor::from(Arc::new(config)), Arc::<AtomicUsize>::default());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    let counted = Arc::clone(&sent);
    let server = tokio::spawn(async move {
        let mut stream = acceptor.accept(listener.accept().await.unwrap().0).await.unwrap();
        assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
        hand_out(stream, &counted).await;
    });
    let name = format!("localhost:{}", address.port());
    let certificates = ("certificates", json!([authority.file()]));
    let permissions = granted(json!([format!("https://{name}")]), &[certificates]);
    let serving = under(Limits::default(), permissions).await;
    let wish = with(with(wish(&name), "scheme", "https"), "waits", numbers(&[5_000, 5_000, 5_000]));
    assert_eq!(failure(&serving, wish).await, "ErrorCode::HttpResponseHeaderSectionSize(None)");
    server.await.unwrap();
    // What lies in between is the system's.
    assert!(sent.load(Ordering::Relaxed) < 32 << 20, "{sent:?}");
}
