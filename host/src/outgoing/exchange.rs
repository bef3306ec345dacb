//! One request and its response.

use http::{Request, Response, StatusCode, Version};
use hyper::body::{Body, Incoming};

use super::connection::{Connection, RequestBody, again};
use super::error::OutgoingError;
use super::framing::Framing;
use super::terms::{OutgoingLimits, Terms};

/// Why a response didn't begin.
#[derive(Debug)]
pub(super) enum Failed {
    /// There is no kept connection, or its server has closed it meanwhile, before it saw of the request anything that it isn't to see twice.
    Again(Request<RequestBody>),
    With(OutgoingError),
}

impl From<OutgoingError> for Failed {
    fn from(error: OutgoingError) -> Self {
        Self::With(error)
    }
}

impl From<Failed> for OutgoingError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Again(_) => Self::Incomplete,
            Failed::With(error) => error,
        }
    }
}

/// Sends a request, in its final form, and waits for the response to begin. What is left of the connection is its body's.
///
/// # Errors
/// A server that doesn't answer in time or not as HTTP has it, or a request that breaks off.
pub(super) async fn exchange(
    mut connection: Connection,
    request: Request<RequestBody>,
    terms: Terms,
    limits: &OutgoingLimits,
) -> Result<(Response<Incoming>, Connection), Failed> {
    let kept = connection.exchanges > 0;
    let second = if kept { again(&request) } else { None };
    let sent = terms.within(terms.first_byte, connection.sender.try_send_request(request)).await;
    let response = sent.ok_or(OutgoingError::FirstByteTimeout)?.map_err(|mut failed| {
        let error = match Framing::ended(failed.error()) {
            // Whatever it was, no head is as long.
            true => OutgoingError::Head,
            false => OutgoingError::of(failed.error()),
        };
        match failed.take_message().or(second) {
            Some(request) if kept && matches!(error, OutgoingError::Incomplete) => Failed::Again(request),
            _ => Failed::With(error),
        }
    })?;
    connection.framing.made();
    connection.exchanges = connection.exchanges.saturating_add(1);
    accepted(&response, limits)?;
    Ok((response, connection))
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
