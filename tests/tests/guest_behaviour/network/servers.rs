//! Servers of every kind, good and bad, on this machine.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bulkhead_tests::until;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// What a server does with a request.
#[derive(Clone)]
pub(super) enum Manner {
    /// Answers with these bytes, and closes.
    Answers(Arc<dyn Fn(&str) -> String + Send + Sync>),
    /// Answers with these bytes, and waits for the next one.
    Converses(&'static str),
    /// Says this, and then the rest again and again, after a pause each time.
    Drips(&'static str, &'static str, Duration),
    /// Never answers.
    Keeps,
}

/// A server. It knows what it was sent.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    /// Whose connections were made to it so far.
    peers: Arc<Mutex<Vec<SocketAddr>>>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A whole response with this body.
pub(super) fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

impl Server {
    /// A server that answers each request with the same response.
    pub(super) async fn saying(response: impl Into<String>) -> Self {
        let response = response.into();
        Self::answering(move |_| response.clone()).await
    }

    pub(super) async fn answering(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Self::at("127.0.0.1:0".parse().unwrap(), Manner::Answers(Arc::new(answer)), None).await
    }

    pub(super) async fn behaving(manner: Manner) -> Self {
        Self::at("127.0.0.1:0".parse().unwrap(), manner, None).await
    }

    pub(super) async fn at(address: SocketAddr, manner: Manner, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&seen);
        let peers = Arc::<Mutex<Vec<SocketAddr>>>::default();
        let known = Arc::clone(&peers);
        let task = tokio::spawn(async move {
            loop {
                let Ok((stream, peer)) = listener.accept().await else { continue };
                known.lock().unwrap().push(peer);
                let (manner, seen, tls) = (manner.clone(), Arc::clone(&shared), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => serve(stream, manner, &seen).await,
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                serve(stream, manner, &seen).await;
                            }
                        }
                    }
                });
            }
        });
        Self { address, seen, peers, task }
    }

    /// `127.0.0.1:PORT`.
    pub(super) fn authority(&self) -> String {
        self.address.to_string()
    }

    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many connections were made to it so far.
    pub(super) fn connections(&self) -> usize {
        self.peers.lock().unwrap().len()
    }

    /// Whether nobody connected to it so far, who said nothing included. A connection of one's own comes after all others.
    pub(super) async fn is_untouched(&self) -> bool {
        let last = TcpStream::connect(self.address).await.unwrap();
        let own = last.local_addr().unwrap();
        until("the last connection", || self.peers.lock().unwrap().contains(&own)).await;
        *self.peers.lock().unwrap() == [own]
    }

    /// The requests so far, as they came.
    pub(super) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    /// The first lines of the requests so far.
    pub(super) fn asked(&self) -> Vec<String> {
        let first = |request: &String| request.lines().next().unwrap_or_default().to_owned();
        self.seen().iter().map(first).collect()
    }
}

async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, manner: Manner, seen: &Mutex<Vec<String>>) {
    let request = received(&mut stream).await;
    seen.lock().unwrap().push(request.clone());
    match manner {
        Manner::Answers(answer) => {
            say(&mut stream, &answer(&request)).await;
            let _ = stream.shutdown().await;
        }
        Manner::Converses(answer) => {
            while say(&mut stream, answer).await {
                let request = received(&mut stream).await;
                if request.is_empty() {
                    return;
                }
                seen.lock().unwrap().push(request);
            }
        }
        Manner::Drips(first, then, pause) => {
            if say(&mut stream, first).await {
                loop {
                    tokio::time::sleep(pause).await;
                    if !say(&mut stream, then).await {
                        return;
                    }
                }
            }
        }
        Manner::Keeps => {
            // Until the client goes away.
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest).await;
            seen.lock().unwrap().push("gone".to_owned());
        }
    }
}

/// Whether somebody is there to listen. Whoever goes away in the middle is seen by what it asked for.
async fn say(stream: &mut (impl AsyncWrite + Unpin), text: &str) -> bool {
    stream.write_all(text.as_bytes()).await.is_ok() && stream.flush().await.is_ok()
}

/// A request: its head, and what its framing says of a body. What isn't HTTP ends where the client stops.
async fn received(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let (mut all, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&all);
        if !text.is_empty() && !text.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return text.into_owned();
        }
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            let whole = match length {
                Some(length) => body.len() >= length,
                None => !head.contains("transfer-encoding: chunked") || body.ends_with("0\r\n\r\n"),
            };
            if whole {
                return text.into_owned();
            }
        }
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return String::from_utf8_lossy(&all).into_owned(),
            Ok(count) => all.extend_from_slice(&piece[..count]),
        }
    }
}
