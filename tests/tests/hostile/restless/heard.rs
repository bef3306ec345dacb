//! Servers that programs reach, or shouldn't, and whether what they heard is requests: each well-formed, of a length, for whom it was sent to.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bulkhead_tests::Authority;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody";
/// What comes without a pause this long is one request, or what there is of it.
const PAUSE: Duration = Duration::from_millis(20);

/// A server that answers whatever it hears.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    /// What came over each connection.
    heard: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Server {
    pub(super) async fn start() -> Self {
        Self::encrypting(None).await
    }

    /// A server that encrypts, if an authority vouches for it. To some who connect it says what isn't encrypted all the same.
    pub(super) async fn encrypting(authority: Option<&Authority>) -> Self {
        let tls = authority.map(|authority| {
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            TlsAcceptor::from(Arc::new(authority.config(provider, &["127.0.0.1"], false)))
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, heard) = (listener.local_addr().unwrap(), Arc::<Mutex<Vec<Vec<u8>>>>::default());
        let all = Arc::clone(&heard);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (all, tls) = (Arc::clone(&all), tls.clone());
                let connection = all.lock().unwrap().len();
                all.lock().unwrap().push(Vec::new());
                tokio::spawn(async move {
                    match tls {
                        None => answer(stream, &all, connection).await,
                        Some(_) if connection % 4 == 3 => drop(stream.write_all(ANSWER).await),
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                answer(stream, &all, connection).await;
                            }
                        }
                    }
                });
            }
        });
        Self { address, heard }
    }

    /// How often somebody connected, whatever they said.
    pub(super) fn connections(&self) -> usize {
        self.heard.lock().unwrap().len()
    }

    /// How many requests it heard.
    ///
    /// # Errors
    /// What isn't one, or not for this server.
    pub(super) fn requests(&self) -> Result<usize, String> {
        let mut count = 0;
        for connection in self.heard.lock().unwrap().iter() {
            let mut rest = connection.as_slice();
            while !rest.is_empty() {
                rest = self.after(rest).map_err(|flaw| format!("{flaw}: {}", connection.escape_ascii()))?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// What comes after the first request. One that isn't whole is the last.
    fn after<'a>(&self, heard: &'a [u8]) -> Result<&'a [u8], String> {
        let Some((head, body)) = split(heard, b"\r\n\r\n") else { return Ok(&[]) };
        let head = std::str::from_utf8(head).map_err(|_| "a head that isn't ASCII")?;
        if head.chars().any(|letter| letter.is_control() && letter != '\r' && letter != '\n') {
            return Err("a head with control characters".to_owned());
        }
        let mut lines = head.split("\r\n");
        let first: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let [method, target, "HTTP/1.1"] = first[..] else { return Err(format!("a first line {first:?}")) };
        if method.is_empty() || !(target.starts_with('/') || target == "*") {
            return Err(format!("a request of {method:?} {target:?}"));
        }
        let fields: Vec<(String, &str)> = lines
            .map(|line| line.split_once(':').ok_or(format!("a line {line:?}")))
            .map(|field| field.map(|(name, value)| (name.to_ascii_lowercase(), value.trim())))
            .collect::<Result<_, _>>()?;
        if fields.iter().any(|(name, value)| name.is_empty() || name.contains(' ') || value.contains(['\r', '\n'])) {
            return Err("a field with a line in it".to_owned());
        }
        let all = |wanted: &str| -> Vec<&str> {
            fields.iter().filter(|(name, _)| name == wanted).map(|(_, value)| *value).collect()
        };
        if all("host") != [self.address.to_string()] {
            return Err(format!("hosts {:?}", all("host")));
        }
        match (all("content-length").as_slice(), all("transfer-encoding").as_slice()) {
            ([], []) => Ok(body),
            ([length], []) => {
                let length: usize = length.parse().map_err(|_| format!("a length {length:?}"))?;
                Ok(body.get(length..).unwrap_or_default())
            }
            ([], ["chunked"]) => chunked(body),
            (lengths, encodings) => Err(format!("lengths {lengths:?} beside encodings {encodings:?}")),
        }
    }
}

/// Answers each request of a connection, and keeps what was heard there.
async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, all: &Mutex<Vec<Vec<u8>>>, connection: usize) {
    let (mut piece, mut waits) = ([0; 4096], false);
    loop {
        match tokio::time::timeout(PAUSE, stream.read(&mut piece)).await {
            Ok(Ok(read @ 1..)) => {
                all.lock().unwrap()[connection].extend_from_slice(&piece[..read]);
                waits = true;
            }
            Ok(_) => return,
            Err(_) if waits && stream.write_all(ANSWER).await.is_err() => return,
            Err(_) => waits = false,
        }
    }
}

/// What comes after chunks.
fn chunked(mut body: &[u8]) -> Result<&[u8], String> {
    while let Some((length, rest)) = split(body, b"\r\n") {
        let length = std::str::from_utf8(length).ok().and_then(|length| usize::from_str_radix(length, 16).ok());
        let length = length.ok_or("a chunk without a length")?;
        if length == 0 {
            // Fields may come, then an empty line.
            return Ok(match rest.strip_prefix(b"\r\n") {
                Some(after) => after,
                None => split(rest, b"\r\n\r\n").map_or(&[], |(_, after)| after),
            });
        }
        let Some(after) = rest.get(length..) else { return Ok(&[]) };
        let Some(after) = after.strip_prefix(b"\r\n") else {
            return if after.len() < 2 { Ok(&[]) } else { Err("a chunk that goes on".to_owned()) };
        };
        body = after;
    }
    Ok(&[])
}

fn split<'a>(bytes: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(mark.len()).position(|window| window == mark)?;
    Some((&bytes[..at], &bytes[at + mark.len()..]))
}
