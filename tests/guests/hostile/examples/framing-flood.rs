//! Has a server that it was granted send what no response is made of, without end: responses that only announce another one, or a
//! length that has ever more digits.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field};
use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{ErrorCode, Fields, OutgoingRequest, Scheme, http_error_code};
use wasip2::io::streams::StreamError;

struct Flood;

/// Reads a response to its end.
fn read(authority: &str) -> Result<(), ErrorCode> {
    let request = OutgoingRequest::new(Fields::new());
    let _ = request.set_scheme(Some(&Scheme::Http));
    let _ = request.set_authority(Some(authority));
    let future = handle(request, None)?;
    future.subscribe().block();
    let Some(Ok(answer)) = future.get() else { return Err(ErrorCode::InternalError(None)) };
    let Ok(body) = answer?.consume() else { return Err(ErrorCode::InternalError(None)) };
    let Ok(stream) = body.stream() else { return Err(ErrorCode::InternalError(None)) };
    loop {
        match stream.blocking_read(64 << 10) {
            Ok(_) => {}
            Err(StreamError::Closed) => return Ok(()),
            Err(StreamError::LastOperationFailed(error)) => {
                return Err(http_error_code(&error).unwrap_or(ErrorCode::InternalError(None)));
            }
        }
    }
}

impl Attack for Flood {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let authority = field(&request.arguments, "what").unwrap_or_default();
        let outcome = read(&authority);
        Err(Error::Failed(format!("the response came to {outcome:?}")))
    }
}

attack!(Flood);
