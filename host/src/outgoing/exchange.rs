//! One request and its response over one connection, HTTP/1.1.

use bytes::Bytes;
use http::{Request, Response, StatusCode, Version};
use hyper::body::{Body, Incoming};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::OwnedSemaphorePermit;

use super::body::{Connection, ResponseBody};
use super::error::OutgoingError;
use super::framing::Framing;
use super::terms::{OutgoingLimits, Terms};

/// The least that a connection reads at once, bytes: what hyper takes.
const LEAST_HEAD: usize = 8 << 10;

/// What an error of a request's body is.
pub(super) type BodyError = Box<dyn std::error::Error + Send + Sync>;

/// Sends a request, in its final form, and waits for the response to begin.
///
/// # Errors
/// A server that doesn't answer in time or not as HTTP has it, or a request that breaks off.
pub(super) async fn exchange<S, B>(
    stream: S,
    permit: OwnedSemaphorePermit,
    request: Request<B>,
    terms: Terms,
    (limits, framing): (&OutgoingLimits, Framing),
) -> Result<Response<ResponseBody>, OutgoingError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BodyError>,
{
    let failed = |error: hyper::Error| match Framing::ended(&error) {
        // Whatever it was, no head is as long.
        true => OutgoingError::Head,
        false => OutgoingError::of(&error),
    };
    let mut builder = http1::Builder::new();
    let builder = builder.max_buf_size(limits.head.max(LEAST_HEAD));
    let (mut sender, connection) = builder.handshake(TokioIo::new(framing.of(stream))).await.map_err(failed)?;
    let driving = async move {
        if let Err(error) = connection.await {
            // Whoever waits for the response, or reads it, learns of it there.
            tracing::debug!("a connection ended: {error}");
        }
    };
    let connection = Connection { driver: tokio::spawn(driving), _permit: permit };
    let sent = terms.within(terms.first_byte, sender.send_request(request)).await;
    let response = sent.ok_or(OutgoingError::FirstByteTimeout)?.map_err(failed)?;
    framing.made();
    accepted(&response, limits)?;
    Ok(response.map(|incoming| ResponseBody::new(incoming, connection, framing, terms, limits.response)))
}

/// What a response may be, before any of its body is read.
fn accepted(response: &Response<Incoming>, limits: &OutgoingLimits) -> Result<(), OutgoingError> {
    // Nobody asked for another protocol.
    if response.status() == StatusCode::SWITCHING_PROTOCOLS || response.version() > Version::HTTP_11 {
        return Err(OutgoingError::Protocol);
    }
    // What it announces, if it does.
    let least = response.body().size_hint().lower();
    if least > limits.response as u64 { Err(OutgoingError::Body(limits.response)) } else { Ok(()) }
}
