//! One request and its response, by the bindings alone: whatever a guest can say goes to the host as it is.

use std::io::Read;

use bulkhead_sdk::operation;
use wasip2::http::outgoing_handler;
use wasip2::http::types::{
    ErrorCode, Fields, FutureIncomingResponse, IncomingBody, IncomingResponse, Method, OutgoingBody, OutgoingRequest,
    RequestOptions, Scheme,
};
use wasip2::io::streams::{InputStream, StreamError};

/// What to send.
#[derive(Clone, Default)]
pub(crate) struct Wish {
    pub(crate) method: String,
    pub(crate) scheme: String,
    pub(crate) authority: String,
    pub(crate) path: Option<String>,
    /// `name: value`.
    pub(crate) headers: Vec<String>,
    pub(crate) body: Option<String>,
    /// How long to wait, in milliseconds: to connect, for the first byte, between bytes.
    pub(crate) waits: Vec<u32>,
}

/// What came back.
pub(crate) struct Came {
    pub(crate) status: u16,
    pub(crate) headers: Vec<String>,
    pub(crate) body: Vec<u8>,
}

/// Why nothing came back, or not all.
pub(crate) type Failure = String;

/// Sends a request and reads what comes.
pub(crate) fn exchange(wish: &Wish) -> Result<Came, Failure> {
    let response = begun(wish)?;
    let text = |(name, value): (String, Vec<u8>)| format!("{name}: {}", String::from_utf8_lossy(&value));
    let headers = response.headers().entries().into_iter().map(text).collect();
    let status = response.status();
    let incoming = response.consume().map_err(|()| "the body is gone")?;
    let body = read(&incoming)?;
    drop(response);
    Ok(Came { status, headers, body })
}

/// Sends a request, and waits for the response to begin.
pub(crate) fn begun(wish: &Wish) -> Result<IncomingResponse, Failure> {
    waited(&sent(wish)?)
}

/// The same, and reads the body.
pub(crate) fn finished(wish: &Wish) -> Result<IncomingResponse, Failure> {
    let response = begun(wish)?;
    let incoming = response.consume().map_err(|()| "the body is gone")?;
    read(&incoming)?;
    Ok(response)
}

/// Sends a request.
pub(crate) fn sent(wish: &Wish) -> Result<FutureIncomingResponse, Failure> {
    let fields = Fields::new();
    for header in &wish.headers {
        let (name, value) = header.split_once(": ").unwrap_or((header, ""));
        let appended = fields.append(name, value.as_bytes());
        appended.map_err(|error| format!("{error:?}: {name}"))?;
    }
    let request = OutgoingRequest::new(fields);
    request.set_method(&method(&wish.method)).map_err(|()| "the method is refused")?;
    request.set_scheme(Some(&scheme(&wish.scheme))).map_err(|()| "the scheme is refused")?;
    request.set_authority(Some(&wish.authority)).map_err(|()| "the authority is refused")?;
    request.set_path_with_query(wish.path.as_deref()).map_err(|()| "the path is refused")?;
    let body = match &wish.body {
        Some(_) => Some(request.body().map_err(|()| "the length is refused")?),
        None => None,
    };
    let future = outgoing_handler::handle(request, options(&wish.waits)).map_err(code)?;
    if let (Some(body), Some(text)) = (body, &wish.body) {
        let stream = body.write().map_err(|()| "the body is gone")?;
        for chunk in text.as_bytes().chunks(4096) {
            stream.blocking_write_and_flush(chunk).map_err(|error| format!("{error:?}"))?;
        }
        drop(stream);
        OutgoingBody::finish(body, None).map_err(code)?;
    }
    Ok(future)
}

/// Waits for a response to begin.
pub(crate) fn waited(future: &FutureIncomingResponse) -> Result<IncomingResponse, Failure> {
    loop {
        if let Some(outcome) = future.get() {
            return outcome.map_err(|()| "the response is gone")?.map_err(code);
        }
        if operation::is_cancelled() {
            return Err("cancelled".to_owned());
        }
        future.subscribe().block();
    }
}

/// Reads a body to its end.
fn read(body: &IncomingBody) -> Result<Vec<u8>, Failure> {
    let stream = body.stream().map_err(|()| "the stream is gone")?;
    let mut all = Vec::new();
    let failed = |error: std::io::Error| error.to_string();
    Pieces(stream).read_to_end(&mut all).map_err(failed)?;
    Ok(all)
}

struct Pieces(InputStream);

impl Read for Pieces {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self.0.blocking_read(into.len() as u64) {
            Ok(bytes) => {
                into.iter_mut().zip(&bytes).for_each(|(to, from)| *to = *from);
                Ok(bytes.len())
            }
            Err(StreamError::Closed) => Ok(0),
            Err(StreamError::LastOperationFailed(error)) => {
                let why = wasip2::http::types::http_error_code(&error).map(code);
                Err(std::io::Error::other(why.unwrap_or_else(|| error.to_debug_string())))
            }
        }
    }
}

fn code(error: ErrorCode) -> Failure {
    format!("{error:?}")
}

fn method(name: &str) -> Method {
    match name {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "DELETE" => Method::Delete,
        "CONNECT" => Method::Connect,
        "TRACE" => Method::Trace,
        other => Method::Other(other.to_owned()),
    }
}

fn scheme(name: &str) -> Scheme {
    match name {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        other => Scheme::Other(other.to_owned()),
    }
}

fn options(waits: &[u32]) -> Option<RequestOptions> {
    let nanoseconds = |place: usize| waits.get(place).map(|wait| u64::from(*wait) * 1_000_000);
    let options = (!waits.is_empty()).then(RequestOptions::new)?;
    // All of them are supported, so that none can be refused.
    options.set_connect_timeout(nanoseconds(0)).ok();
    options.set_first_byte_timeout(nanoseconds(1)).ok();
    options.set_between_bytes_timeout(nanoseconds(2)).ok();
    Some(options)
}
