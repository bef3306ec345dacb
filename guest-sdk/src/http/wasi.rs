//! Requests through `wasi:http`.
//!
//! Every wait here ends by itself: with the answer, with the time that there is, or soon after the call is cancelled. A request
//! that changes something then gets a moment more, since its answer decides whether the outcome is known.

use std::time::{Duration, Instant};

use wasip2::clocks::monotonic_clock;
use wasip2::http::outgoing_handler;
use wasip2::http::types::{
    ErrorCode, Fields, FutureIncomingResponse, IncomingBody, IncomingResponse, OutgoingBody, OutgoingRequest,
    RequestOptions, http_error_code,
};
use wasip2::http::{types::Method as WasiMethod, types::Scheme as WasiScheme};
use wasip2::io::poll::{Pollable, poll};
use wasip2::io::streams::StreamError;

use super::{Bounds, Failed, HttpError, Method, Request, Response, Scheme};
use crate::host::operation;

/// How long a request that changes something goes on after the call was cancelled. Well within the host's own grace.
const GRACE: Duration = Duration::from_secs(3);
/// How long to wait at a time. The host ends waits early when the call is cancelled; this is for hosts that don't.
const SLICE: Duration = Duration::from_secs(1);
/// How much of an answer to take at a time, in bytes.
const PIECE: usize = 64 << 10;

pub(super) fn send(request: &Request, bounds: &Bounds) -> Result<Response, HttpError> {
    let mut exchange = Exchange {
        request,
        timeout: bounds.timeout,
        ends: Instant::now() + bounds.timeout,
        cancelled: None,
        sent: false,
    };
    let answered = exchange.open()?;
    let response = exchange.response(&answered)?;
    exchange.read(response, bounds.max_body)
}

/// One request and its answer.
struct Exchange<'a> {
    request: &'a Request,
    timeout: Duration,
    ends: Instant,
    /// When the call was seen to be cancelled.
    cancelled: Option<Instant>,
    sent: bool,
}

impl Exchange<'_> {
    fn failed(&self, failed: Failed) -> HttpError {
        HttpError::new(self.request, self.sent, failed)
    }

    fn unsendable(&self, what: &str) -> HttpError {
        self.failed(Failed::Protocol(format!("the request can't be sent: {what}")))
    }

    /// Hands the request to the host.
    fn open(&mut self) -> Result<FutureIncomingResponse, HttpError> {
        let content = self.request.content();
        let headers = Fields::new();
        for (name, value) in self.request.headers() {
            let header = headers.append(name, value.as_bytes());
            header.map_err(|_| self.unsendable(&format!("the header `{name}` isn't allowed, or its value isn't")))?;
        }
        // Servers that expect a body answer 411 where nothing says that there is none.
        let expected = matches!(self.request.method(), Method::Post | Method::Put | Method::Patch);
        if expected || !content.is_empty() {
            let length = headers.append("content-length", content.len().to_string().as_bytes());
            length.map_err(|_| self.unsendable("the header `content-length` isn't allowed"))?;
        }
        let outgoing = OutgoingRequest::new(headers);
        let url = self.request.url();
        let method = match self.request.method() {
            Method::Get => WasiMethod::Get,
            Method::Head => WasiMethod::Head,
            Method::Post => WasiMethod::Post,
            Method::Put => WasiMethod::Put,
            Method::Patch => WasiMethod::Patch,
            Method::Delete => WasiMethod::Delete,
        };
        let scheme = match url.scheme() {
            Scheme::Http => WasiScheme::Http,
            Scheme::Https => WasiScheme::Https,
        };
        outgoing.set_method(&method).map_err(|()| self.unsendable("the method isn't allowed"))?;
        outgoing.set_scheme(Some(&scheme)).map_err(|()| self.unsendable("the scheme isn't allowed"))?;
        outgoing.set_authority(Some(url.authority())).map_err(|()| self.unsendable("the host isn't a name"))?;
        let target = url.path_and_query();
        outgoing.set_path_with_query(Some(&target)).map_err(|()| self.unsendable("the path isn't one"))?;
        // Hosts frame a body that isn't there yet in chunks, which some servers refuse where they expect none.
        let body = match content {
            [] => None,
            _ => Some(outgoing.body().map_err(|()| self.unsendable("it has no body"))?),
        };

        let options = RequestOptions::new();
        let left = u64::try_from(self.timeout.as_nanos()).unwrap_or(u64::MAX);
        // Hosts that can't bound one of these are bounded by the waits here.
        let _ = options.set_connect_timeout(Some(left));
        let _ = options.set_first_byte_timeout(Some(left));
        let _ = options.set_between_bytes_timeout(Some(left));
        let answered = outgoing_handler::handle(outgoing, Some(options)).map_err(|code| self.explain(&code))?;
        if let Some(body) = body {
            self.write(&body, content, &answered)?;
            // A host that gave up on the request says why in its answer.
            let _ = OutgoingBody::finish(body, None);
        }
        Ok(answered)
    }

    fn write(
        &mut self,
        body: &OutgoingBody,
        content: &[u8],
        answered: &FutureIncomingResponse,
    ) -> Result<(), HttpError> {
        let stream = body.write().map_err(|()| self.unsendable("its body can't be written"))?;
        let answer = answered.subscribe();
        let mut left = content;
        while !left.is_empty() {
            let ready = stream.subscribe();
            self.wait(&[&ready, &answer])?;
            let room = match stream.check_write() {
                Ok(room) => usize::try_from(room).unwrap_or(usize::MAX).min(left.len()),
                // The answer says why.
                Err(_) => return Ok(()),
            };
            if room == 0 && answer.ready() {
                return Ok(());
            }
            let (now, later) = left.split_at(room);
            self.sent |= !now.is_empty();
            if stream.write(now).is_err() {
                return Ok(());
            }
            left = later;
        }
        let _ = stream.flush();
        Ok(())
    }

    /// Waits for the head of the answer.
    fn response(&mut self, answered: &FutureIncomingResponse) -> Result<IncomingResponse, HttpError> {
        let answer = answered.subscribe();
        loop {
            match answered.get() {
                Some(Ok(Ok(response))) => {
                    self.sent = true;
                    return Ok(response);
                }
                Some(Ok(Err(code))) => return Err(self.explain(&code)),
                Some(Err(())) => return Err(self.failed(Failed::Protocol("the answer was taken already".to_owned()))),
                None => {}
            }
            if let Err(error) = self.wait(&[&answer]) {
                // Nobody knows how far it got.
                self.sent = true;
                return Err(self.failed(error.failed().clone()));
            }
        }
    }

    fn read(&mut self, response: IncomingResponse, limit: usize) -> Result<Response, HttpError> {
        let mut read = Response::new(response.status(), Vec::new());
        for (name, value) in response.headers().entries() {
            read = read.with_header(&name, String::from_utf8_lossy(&value));
        }
        let no_body = |this: &Self| this.failed(Failed::Protocol("the answer has no body".to_owned()));
        let body: IncomingBody = response.consume().map_err(|()| no_body(self))?;
        let stream = body.stream().map_err(|()| no_body(self))?;
        let mut content = Vec::new();
        loop {
            match stream.read(PIECE as u64) {
                Ok(piece) if piece.is_empty() => {
                    let more = stream.subscribe();
                    self.wait(&[&more])?;
                }
                Ok(piece) => {
                    if content.len() + piece.len() > limit {
                        return Err(self.failed(Failed::TooLarge(limit)));
                    }
                    content.extend_from_slice(&piece);
                }
                Err(StreamError::Closed) => return Ok(read.with_body(content)),
                Err(StreamError::LastOperationFailed(error)) => {
                    return Err(match http_error_code(&error) {
                        Some(code) => self.explain(&code),
                        None => self.failed(Failed::Connection("it broke during the answer".to_owned())),
                    });
                }
            }
        }
    }

    /// Waits until one of these is ready, for a while; an error once there is nothing more to wait for.
    fn wait(&mut self, pollables: &[&Pollable]) -> Result<(), HttpError> {
        let now = Instant::now();
        if self.cancelled.is_none() && operation::is_cancelled() {
            self.cancelled = Some(now);
        }
        if let Some(since) = self.cancelled
            && (self.request.method().is_safe() || now.duration_since(since) >= GRACE)
        {
            return Err(self.failed(Failed::Cancelled));
        }
        let left = self.ends.saturating_duration_since(now);
        if left.is_zero() {
            return Err(self.failed(Failed::Timeout(self.timeout)));
        }
        let slice = u64::try_from(left.min(SLICE).as_nanos()).unwrap_or(u64::MAX);
        let timer = monotonic_clock::subscribe_duration(slice);
        let mut all = pollables.to_vec();
        all.push(&timer);
        poll(&all);
        Ok(())
    }

    /// What a code of the standard means here.
    fn explain(&self, code: &ErrorCode) -> HttpError {
        let connection = |text: &str| Failed::Connection(text.to_owned());
        let tls = |text: &str| Failed::Tls(text.to_owned());
        // Whether it was sent, where the code says so: what the host has taken of a body goes nowhere without a connection. Servers may
        // refuse a handshake after they were sent something.
        let (sent, failed) = match code {
            ErrorCode::HttpRequestDenied | ErrorCode::DestinationIpProhibited => (Some(false), Failed::Denied),
            ErrorCode::DnsTimeout => (Some(false), connection("its name wasn't resolved in time")),
            ErrorCode::DnsError(_) | ErrorCode::DestinationNotFound => {
                (Some(false), connection("its name can't be resolved"))
            }
            ErrorCode::DestinationUnavailable | ErrorCode::DestinationIpUnroutable => {
                (Some(false), connection("there is no way to it"))
            }
            ErrorCode::ConnectionRefused => (Some(false), connection("it was refused; is the server running?")),
            ErrorCode::ConnectionTimeout => (Some(false), Failed::Timeout(self.timeout)),
            ErrorCode::ConnectionLimitReached => (Some(false), connection("too many are open")),
            ErrorCode::TlsProtocolError => (None, tls("TLS failed")),
            ErrorCode::TlsCertificateError => (Some(false), tls("the server's certificate isn't trusted")),
            ErrorCode::TlsAlertReceived(_) => (None, tls("the server refused it")),
            ErrorCode::ConfigurationError => (Some(false), tls("the certificates granted for it can't be read")),
            ErrorCode::ConnectionTerminated | ErrorCode::HttpResponseIncomplete => {
                (Some(true), connection("it broke before the answer was complete"))
            }
            // Asked again, the same server would say the same.
            ErrorCode::HttpProtocolError => {
                (Some(true), Failed::Protocol("the server doesn't keep to the protocol".to_owned()))
            }
            ErrorCode::ConnectionReadTimeout | ErrorCode::ConnectionWriteTimeout | ErrorCode::HttpResponseTimeout => {
                (Some(true), Failed::Timeout(self.timeout))
            }
            ErrorCode::HttpResponseBodySize(_)
            | ErrorCode::HttpResponseHeaderSectionSize(_)
            | ErrorCode::HttpResponseHeaderSize(_) => {
                (Some(true), Failed::Protocol("the answer is too large".to_owned()))
            }
            // Found before there is a connection.
            ErrorCode::HttpRequestUriInvalid => {
                (Some(false), Failed::Protocol("the request can't be sent: its address isn't one".to_owned()))
            }
            ErrorCode::HttpRequestLengthRequired
            | ErrorCode::HttpRequestBodySize(_)
            | ErrorCode::HttpRequestMethodInvalid
            | ErrorCode::HttpRequestUriTooLong
            | ErrorCode::HttpRequestHeaderSectionSize(_)
            | ErrorCode::HttpRequestHeaderSize(_) => {
                (None, Failed::Protocol(format!("the request can't be sent: {code:?}")))
            }
            ErrorCode::InternalError(Some(text)) => (Some(true), Failed::Connection(text.clone())),
            other => (Some(true), Failed::Protocol(format!("{other:?}"))),
        };
        HttpError::new(self.request, sent.unwrap_or(self.sent), failed)
    }
}
