//! A connection to a server, HTTP/1.1: one exchange after another, and nobody else's in between.

use std::net::IpAddr;

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Empty};
use hyper::body::Body;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;

use super::error::OutgoingError;
use super::framing::Framing;

/// The least that a connection reads at once, bytes: what hyper takes.
const LEAST_HEAD: usize = 8 << 10;

/// What an error of a request's body is.
pub(super) type BodyError = Box<dyn std::error::Error + Send + Sync>;

/// A request's body.
pub(super) type RequestBody = UnsyncBoxBody<Bytes, BodyError>;

/// A connection. Dropped, it is closed.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) sender: http1::SendRequest<RequestBody>,
    pub(super) framing: Framing,
    /// Whom it leads to.
    pub(super) address: IpAddr,
    /// Responses that began.
    pub(super) exchanges: usize,
    /// What reads and writes.
    driver: JoinHandle<()>,
}

impl Connection {
    /// A connection over a stream, whose responses begin with so many bytes at most.
    ///
    /// # Errors
    /// As the connection has them.
    pub(super) async fn over<S>(
        stream: S,
        address: IpAddr,
        framing: Framing,
        head: usize,
    ) -> Result<Self, OutgoingError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let mut builder = http1::Builder::new();
        let builder = builder.max_buf_size(head.max(LEAST_HEAD));
        let made = builder.handshake(TokioIo::new(framing.of(stream))).await;
        let (sender, connection) = made.map_err(|error| OutgoingError::of(&error))?;
        let driving = async move {
            if let Err(error) = connection.await {
                // Whoever waits for the response, or reads it, learns of it there.
                tracing::debug!("a connection ended: {error}");
            }
        };
        Ok(Self { sender, framing, address, exchanges: 0, driver: tokio::spawn(driving) })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

/// Whether to send a request twice changes nothing: it only asks (RFC 9110, 9.2.1), and has no body that would be read by then.
pub(super) fn asks(request: &Request<RequestBody>) -> bool {
    [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method()) && request.body().is_end_stream()
}

/// The same request once more, if it only asks.
pub(super) fn again(request: &Request<RequestBody>) -> Option<Request<RequestBody>> {
    if !asks(request) {
        return None;
    }
    let mut again = Request::new(Empty::new().map_err(|never| match never {}).boxed_unsync());
    again.method_mut().clone_from(request.method());
    again.uri_mut().clone_from(request.uri());
    again.headers_mut().clone_from(request.headers());
    Some(again)
}

#[cfg(test)]
mod tests {
    use http_body_util::Full;

    use super::*;

    #[test]
    fn only_what_asks_and_has_no_body_is_sent_again_and_as_it_was() {
        for (method, body, twice) in [
            (Method::GET, "", true),
            (Method::HEAD, "", true),
            (Method::OPTIONS, "", true),
            (Method::GET, "body", false),
            (Method::POST, "", false),
            (Method::PUT, "", false),
            (Method::PATCH, "", false),
            (Method::DELETE, "", false),
        ] {
            let body = Full::new(Bytes::from_static(body.as_bytes())).map_err(|never| match never {}).boxed_unsync();
            let request = Request::builder().method(&method).uri("/path?x").header("name", "value").body(body).unwrap();
            let again = again(&request);
            assert_eq!((asks(&request), again.is_some()), (twice, twice), "{method}");
            if let Some(again) = again {
                assert_eq!((again.method(), again.uri()), (&method, request.uri()));
                assert_eq!(again.headers(), request.headers());
            }
        }
    }
}
