//! The service on the wire: how large its messages may be, and what is said of requests that no method ever saw.
//!
//! tonic answers a message that it can't decode with INTERNAL, which engines read as "nobody knows what exists now". No guest
//! has run by then, so the caller learns that the request is wrong, and how.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bulkhead_proto::provider::ResourceProviderServer;
use bytesize::ByteSize;
use tokio::time::{Instant, timeout_at};
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service as Transport, http};
use tonic::{Code, Status};

use super::large;
use super::service::Service;
use crate::audit::{Auditor, Outcome, Rpc};
use crate::provider::shortened;

/// The largest message that engines take, in bytes. tonic's default is 4 MiB.
pub(crate) const LARGEST_MESSAGE: usize = 400 << 20;

/// The most that stands beside a message, in bytes: as much as engines take of a status, and other providers of metadata. Beyond it
/// the whole connection is lost.
pub(crate) const LARGEST_HEADERS: u32 = 16 << 20;

/// What is done though it can't be written down where it has to be: what ends everything, and what no component ever sees. Engines take
/// a plugin that fails in these for one that ended by itself.
const UNRECORDED: [&str; 3] = ["Handshake", "GetPluginInfo", "Cancel"];

/// What is said to a caller that doesn't wait any longer, should it still hear that. tonic would say that the call was cancelled, as
/// if somebody had done so.
const GIVEN_UP: &str = "the caller's deadline has passed";

/// How large a request may be, and where that is decided.
#[derive(Clone, Debug)]
pub struct Largest {
    /// Bytes.
    pub bytes: usize,
    /// Where an operator raises it, as it reads after "in".
    pub place: String,
}

/// As large as engines have them.
impl Default for Largest {
    fn default() -> Self {
        Self { bytes: LARGEST_MESSAGE, place: String::new() }
    }
}

/// A service that can be added to a gRPC server.
#[derive(Clone)]
pub struct Server {
    service: ResourceProviderServer<Service>,
    served: Arc<Service>,
    largest_request: Arc<Largest>,
    auditor: Auditor,
}

impl Server {
    /// Puts a service on the wire. Requests and results may be as large as engines have them.
    pub fn new(service: Arc<Service>) -> Self {
        let served = Arc::clone(&service);
        let service = ResourceProviderServer::from_arc(service)
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE);
        let largest_request = Arc::new(Largest::default());
        Self { service, served, largest_request, auditor: Auditor::default() }
    }

    /// The same, for requests that an operator limits.
    #[must_use]
    pub fn taking(self, largest_request: Largest) -> Self {
        let service = self.service.max_decoding_message_size(largest_request.bytes);
        Self { service, largest_request: Arc::new(largest_request), ..self }
    }

    /// Has it written down what is asked.
    #[must_use]
    pub fn audited(self, auditor: Auditor) -> Self {
        Self { auditor, ..self }
    }

    /// Begins to write a request down, if anybody listens.
    ///
    /// # Errors
    /// It has to be, and can't.
    fn begun(&self, request: &http::Request<Body>) -> Result<Begun, Status> {
        let _ = tell(&self.auditor, &self.served);
        let refusal = self.auditor.refusal().filter(|_| !UNRECORDED.contains(&method(request)));
        if let Some(refusal) = refusal {
            return Err(Status::failed_precondition(format!(
                "{refusal}\nhint: see that it may be written to and that there is room, or have another file named, or none \
                 `required`, under [audit] of the bulkhead.toml that names it"
            )));
        }
        let traceparent = request.headers().get("traceparent").and_then(|value| value.to_str().ok());
        let server = request.uri().authority().map(|server| (server.host(), server.port_u16()));
        Ok(Begun(self.auditor.rpc(method(request), server, traceparent)))
    }
}

/// Tells an engine what couldn't be written down. True if there was something.
fn tell(auditor: &Auditor, served: &Service) -> bool {
    let Some(failure) = auditor.failure() else { return false };
    served.warn(failure);
    true
}

/// A request that is written down when it is over, if anybody listens.
struct Begun(Option<Arc<Rpc>>);

impl Begun {
    fn finished(mut self, outcome: Outcome) {
        if let Some(rpc) = self.0.take() {
            rpc.finished(outcome);
        }
    }
}

/// Its caller went away.
impl Drop for Begun {
    fn drop(&mut self) {
        if let Some(rpc) = self.0.take() {
            rpc.finished(Outcome::CANCELLED);
        }
    }
}

/// The method that a request on the wire is for, by its name alone.
pub(crate) fn method(request: &http::Request<Body>) -> &str {
    request.uri().path().rsplit('/').next().unwrap_or_default()
}

impl Transport<http::Request<Body>> for Server {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Transport::<http::Request<Body>>::poll_ready(&mut self.service, context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let begun = match self.begun(&request) {
            Ok(begun) => begun,
            Err(status) => return Box::pin(async move { Ok(status.into_http()) }),
        };
        // From here on: tonic counts from a moment later, and would be the first to answer otherwise.
        let deadline = patience(request.headers()).and_then(|patience| Instant::now().checked_add(patience));
        let asked = Asked(request.uri().clone());
        let (answering, largest) = (self.service.call(request), Arc::clone(&self.largest_request));
        let (auditor, served) = (self.auditor.clone(), Arc::clone(&self.served));
        Box::pin(async move {
            let answering = async {
                match &begun.0 {
                    Some(rpc) => Arc::clone(rpc).answered(answering).await,
                    None => answering.await,
                }
            };
            let response = match deadline {
                Some(deadline) => match timeout_at(deadline, answering).await {
                    Ok(answered) => answered?,
                    Err(_) => Status::deadline_exceeded(GIVEN_UP).into_http(),
                },
                None => answering.await?,
            };
            let response =
                asked.instead(&response, &largest).map_or_else(|| large::written(response), Status::into_http);
            begun.finished(outcome(response.extensions().get()));
            // There may be no request after it.
            if tell(&auditor, &served) {
                served.heard().await;
            }
            Ok(response)
        })
    }
}

/// What a process answers itself, without a provider: what its transport would refuse is told as [`Server`] tells it.
#[derive(Clone)]
pub(crate) struct Own<S>(pub(crate) S);

impl<S> Transport<http::Request<Body>> for Own<S>
where
    S: Transport<http::Request<Body>, Response = http::Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let asked = Asked(request.uri().clone());
        let answering = self.0.call(request);
        Box::pin(async move {
            let response = answering.await?;
            Ok(asked.instead(&response, &Largest::default()).map_or(response, Status::into_http))
        })
    }
}

/// How long the caller waits, if it says so: at most eight digits and a unit.
fn patience(headers: &http::HeaderMap) -> Option<Duration> {
    let said = headers.get("grpc-timeout")?.to_str().ok()?;
    let (digits, unit) = said.split_at_checked(said.len().checked_sub(1)?)?;
    let formed = (1..=8).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
    let count: u64 = digits.parse().ok().filter(|_| formed)?;
    match unit {
        "H" => Some(Duration::from_secs(count.saturating_mul(3_600))),
        "M" => Some(Duration::from_secs(count.saturating_mul(60))),
        "S" => Some(Duration::from_secs(count)),
        "m" => Some(Duration::from_millis(count)),
        "u" => Some(Duration::from_micros(count)),
        "n" => Some(Duration::from_nanos(count)),
        _ => None,
    }
}

/// The method that was asked for, which nobody may have.
struct Asked(http::Uri);

impl Asked {
    /// What is said instead of an answer of the transport's own, or of code that was generated.
    fn instead(&self, response: &http::Response<Body>, largest: &Largest) -> Option<Status> {
        match self.is_unknown(response) {
            true => Some(self.refusal()),
            false => response.extensions().get().and_then(|status| instead(status, largest)),
        }
    }

    /// Whether it was the generated code that answered, which says no more than that.
    fn is_unknown(&self, response: &http::Response<Body>) -> bool {
        match response.extensions().get::<Status>() {
            Some(status) => status.code() == Code::Unimplemented && status.message() == "Not yet implemented",
            None => {
                Status::from_header_map(response.headers()).is_some_and(|status| status.code() == Code::Unimplemented)
            }
        }
    }

    /// What is said instead. Engines go by the code alone.
    fn refusal(&self) -> Status {
        let method = shortened(self.0.path().trim_start_matches('/').to_owned(), 256);
        Status::unimplemented(format!(
            "call `{method}`: Bulkhead doesn't have this method\nhint: an engine that can't do without it needs a newer Bulkhead"
        ))
    }
}

/// What came of a request, as far as it shows in the beginning of the answer.
fn outcome(status: Option<&Status>) -> Outcome {
    Outcome::of(status.map_or(Code::Ok, Status::code) as i32)
}

/// What is said instead of a status of tonic's own. None of ours has these codes.
fn instead(status: &Status, Largest { bytes, place }: &Largest) -> Option<Status> {
    match status.code() {
        Code::Internal => Some(Status::invalid_argument(format!("read the request: {}", status.message()))),
        Code::OutOfRange => {
            let size = ByteSize::b(u64::try_from(*bytes).unwrap_or(u64::MAX));
            let raise = match *bytes < LARGEST_MESSAGE {
                true => format!(", or raise the limit `message` in {place}"),
                false => String::new(),
            };
            Some(Status::resource_exhausted(format!(
                "read the request: it is larger than {size}\nhint: pass large contents as assets, by path or URI{raise}"
            )))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_say_how_long_they_wait_in_units_of_their_own() {
        let said = |value: &'static str| {
            patience(&http::HeaderMap::from_iter([(
                http::HeaderName::from_static("grpc-timeout"),
                value.parse().unwrap(),
            )]))
        };
        for (value, milliseconds) in
            [("2H", 7_200_000), ("2M", 120_000), ("2S", 2_000), ("20m", 20), ("2000u", 2), ("99999999n", 99)]
        {
            assert_eq!(said(value).map(|said| said.as_millis()), Some(milliseconds), "{value}");
        }
        for value in ["", "m", "2", "+2m", "2s", "123456789m", "2 m", "2.5m"] {
            assert_eq!(said(value), None, "{value}");
        }
        assert_eq!(patience(&http::HeaderMap::new()), None);
    }
}
