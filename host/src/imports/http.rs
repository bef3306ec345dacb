//! `wasi:http`, whose requests leave through the host's own connector.
//!
//! The stock implementation keeps handles, fields and bodies, as far as there is room for them; none of it touches the network.
//! What does is `handle`, and it is here: it asks `outgoing`, which asks the authority of the call. What is denied is denied at once, as
//! the call's own computing: beside it, a guest that asks without end would have others wait. Nothing here waits: responses and bodies
//! are waited for through `wasi:io`, whose waits end with the call (`waiting.rs`).

pub(super) mod bodies;
pub(super) mod heads;
mod odd;
mod received_heads;
mod sent_body;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use http_body_util::BodyExt;
use tokio_util::sync::CancellationToken;
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource};
use wasmtime_wasi_http::p2::bindings::http::outgoing_handler;
use wasmtime_wasi_http::p2::bindings::http::types::{self, ErrorCode, LinkOptions};
use wasmtime_wasi_http::p2::types::{HostFutureIncomingResponse, HostOutgoingRequest};
use wasmtime_wasi_http::p2::{HttpError, HttpResult};
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttp, WasiHttpCtxView, WasiHttpHooks};

pub(super) use self::odd::named;
use self::sent_body::SentBody;
use super::explaining::{Explaining, short};
use crate::audit::HostCall;
use crate::outgoing::{Decided, OutgoingError, Terms};
use crate::scarcity;
use crate::store::{Allowance, Authority, Kept, Room, Server, Shortages, State};
use crate::threads::beside_others;

/// The interface with the one function that leaves this machine. Components may import any version compatible with it.
pub(super) const HANDLER: &str = "wasi:http/outgoing-handler@0.2.12";

/// The interface with everything else.
pub(super) const TYPES: &str = "wasi:http/types@0.2.12";

/// What leaves this machine.
pub(super) const HANDLE: &str = "handle";

/// What a request takes that is on its way, or waits for its connection: what is done for it goes through names, addresses and keys.
const EXCHANGE: usize = 16 << 10;

/// What kind of failure it is to send more than may be sent, beside those of [`OutgoingError::kind`].
const TOO_LARGE: &str = "request_too_large";

/// What is replaced of everything else.
pub(super) const REPLACED: &str = "http-error-code";

/// Links `wasi:http`.
///
/// # Errors
/// Two definitions of one import.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    types::add_to_linker::<_, WasiHttp>(linker, &LinkOptions::default(), |state| {
        // Of no size, so that nothing is allocated and nothing leaks.
        let hooks: &'static mut Nowhere = Box::leak(Box::new(Nowhere));
        WasiHttpCtxView { hooks, table: &mut state.table, ctx: &mut state.http }
    })?;
    // Body streams fail with errors of another type than the one that the stock implementation looks for.
    linker.allow_shadowing(true);
    linker.instance(TYPES)?.func_wrap(
        REPLACED,
        |store: StoreContextMut<'_, State>, (error,): (Resource<wasmtime::Error>,)| {
            let error = store.data().table.get(&error)?;
            let known = error.downcast_ref::<ErrorCode>().cloned();
            Ok((known.or_else(|| error.downcast_ref::<Error>().and_then(of_a_body)),))
        },
    )?;
    heads::add_to_linker(linker)?;
    bodies::add_to_linker(linker)?;
    linker.allow_shadowing(false);
    linker.instance(HANDLER)?.func_wrap_async(HANDLE, |mut store: StoreContextMut<'_, State>, (request, options)| {
        Box::new(async move {
            // An exchange stays with the threads on which it begins.
            beside_others().await;
            match handle(store.data_mut(), request, options) {
                Ok(future) => Ok((Ok(future),)),
                Err(error) => error.downcast().map(|code| (Err(code),)),
            }
        })
    })
}

/// Begins an exchange.
fn handle(
    state: &mut State,
    request: Resource<HostOutgoingRequest>,
    options: Option<Resource<RequestOptions>>,
) -> HttpResult<Resource<HostFutureIncomingResponse>> {
    let call = HostCall::begin(HANDLER, HANDLE);
    // Taken here: the stock implementation would leave it in the table, and an instance with handles left isn't used again.
    let options = options.map(|options| state.table.delete(options)).transpose()?.unwrap_or_default();
    // The contract has requests without a path, and the stock implementation takes them for mistakes.
    let given = state.table.get_mut(&request)?;
    given.path_with_query.get_or_insert_with(|| "/".to_owned());
    if let Some(types::Scheme::Other(scheme)) = &given.scheme
        && !odd::is_http(scheme)
    {
        odd::foreign(&state.call.authority, scheme, given.authority.as_deref());
    }
    let size = EXCHANGE + heads::size(&given.headers);
    let RequestOptions { connect_timeout, first_byte_timeout, between_bytes_timeout } = options;
    // A guest may wait for none of them, and only so many have a connection.
    let room = state.kept.room(size, "requests").map_err(|refused| HttpError::trap(wasmtime::Error::from(refused)))?;
    let mut sending = Sending {
        call,
        room: Some(room),
        authority: Arc::clone(&state.call.authority),
        terms: Terms::new(connect_timeout, first_byte_timeout, between_bytes_timeout, state.call.deadline),
        explaining: Explaining::of(state),
        sent: state.call.sent.clone(),
        shortages: state.call.shortages.clone(),
        over: state.call.hard.clone(),
        kept: state.kept.clone(),
    };
    let mut view = WasiHttpCtxView { hooks: &mut sending, table: &mut state.table, ctx: &mut state.http };
    outgoing_handler::Host::handle(&mut view, request, None)
}

type Exchange = Result<(http::Response<WasiBody>, Box<dyn Future<Output = Result<(), Error>> + Send>), Error>;

/// What sends one request.
struct Sending {
    /// The call that it is, until it begins.
    call: Option<HostCall>,
    authority: Arc<Authority>,
    terms: Terms,
    explaining: Explaining,
    /// What the call may still send.
    sent: Allowance,
    /// Where is kept which limits were met.
    shortages: Shortages,
    /// Set when the call is over.
    over: CancellationToken,
    /// What the host keeps for the instance.
    kept: Kept,
    /// What of that the request takes until its response begins.
    room: Option<Room>,
}

impl Sending {
    /// Decides on a request, now and not once somebody waits for its response.
    fn decided(&self, request: http::Request<SentBody>) -> Result<Decided, OutgoingError> {
        let (method, uri) = (request.method().clone(), request.uri().clone());
        Decided::of(&*self.authority, request).inspect_err(|error| odd::refused(&self.authority, &method, &uri, error))
    }
}

impl WasiHttpHooks for Sending {
    /// It follows from the destination, in `outgoing`.
    fn set_host_header(&mut self) -> bool {
        false
    }

    fn send_request(
        &mut self,
        request: http::Request<WasiBody>,
        _options: Option<RequestOptions>,
        _processed: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Box<dyn Future<Output = Exchange> + Send> {
        let (authority, terms, explaining) = (Arc::clone(&self.authority), self.terms, self.explaining.clone());
        let (sent, shortages, kept) = (self.sent.clone(), self.shortages.clone(), self.kept.clone());
        let host = authority.server(&odd::named(request.uri().host().unwrap_or_default()));
        let secure = request.uri().scheme() == Some(&http::uri::Scheme::HTTPS);
        let port = request.uri().port_u16().unwrap_or(if secure { 443 } else { 80 });
        let exchange = self.call.take().and_then(HostCall::exchange);
        let method = || explaining.leaks.name(odd::named(request.method().as_str()));
        let exchange = exchange.map(|exchange| exchange.of(method(), host.clone(), Some(port)));
        let server = Server { host, port, secure };
        let ended = |outcome| {
            if let Some(exchange) = exchange {
                exchange.ended(outcome);
            }
        };
        let limit = sent.limit();
        let too_much = move || Error::HttpRequestBodySize(Some(limit));
        let Some(request) = sent_body::counted(request, &sent, &self.over) else {
            ended(Err(TOO_LARGE));
            return Box::new(std::future::ready(Err(too_much())));
        };
        let spent = request.body().spent();
        let decided = match self.decided(request) {
            Ok(decided) => decided,
            Err(error) => {
                ended(Err(error.kind()));
                return Box::new(std::future::ready(Err(code(error))));
            }
        };
        let room = self.room.take();
        Box::new(async move {
            let _room = room;
            let response = explaining.connector.send(&*authority, decided, terms).await;
            ended(match &response {
                Ok(response) => Ok(response.status().as_u16()),
                Err(_) if spent.load(Ordering::Relaxed) => Err(TOO_LARGE),
                Err(error) => Err(error.kind()),
            });
            let told = |error: &OutgoingError| explaining.explain(&server, error);
            let response = response.inspect(|_| explaining.reached(&server)).inspect_err(told).map_err(|error| {
                match spent.load(Ordering::Relaxed) {
                    // The guest broke nothing off.
                    true => too_much(),
                    false => code(error),
                }
            })?;
            let response = received_heads::counted(response, &kept).map_err(|_| {
                Error::InternalError(Some("the provider keeps more responses than there is memory for".to_owned()))
            })?;
            // The connection is driven from within the body.
            let driven: Box<dyn Future<Output = Result<(), Error>> + Send> = Box::new(std::future::ready(Ok(())));
            let failed = move |error: OutgoingError| {
                short(&shortages, &error);
                code(error)
            };
            Ok((response.map(|body| body.map_err(failed).boxed_unsync()), driven))
        })
    }
}

/// What keeps fields in form, and sends nothing.
struct Nowhere;

impl WasiHttpHooks for Nowhere {
    fn p2_outgoing_body_chunk_size(&mut self) -> usize {
        bodies::CHUNK
    }

    fn send_request(
        &mut self,
        _request: http::Request<WasiBody>,
        _options: Option<RequestOptions>,
        _processed: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Box<dyn Future<Output = Exchange> + Send> {
        Box::new(std::future::ready(Err(Error::HttpRequestDenied)))
    }
}

/// The contract's code for what a response's body can fail with.
fn of_a_body(error: &Error) -> Option<ErrorCode> {
    match error {
        Error::HttpResponseBodySize(limit) => Some(ErrorCode::HttpResponseBodySize(*limit)),
        Error::ConnectionReadTimeout => Some(ErrorCode::ConnectionReadTimeout),
        Error::HttpResponseIncomplete => Some(ErrorCode::HttpResponseIncomplete),
        Error::HttpProtocolError => Some(ErrorCode::HttpProtocolError),
        _ => None,
    }
}

/// The contract's code for an error.
fn code(error: OutgoingError) -> Error {
    match error {
        OutgoingError::Denied(_) => Error::HttpRequestDenied,
        OutgoingError::Target(_) => Error::HttpRequestUriInvalid,
        OutgoingError::Method(_) => Error::HttpRequestMethodInvalid,
        OutgoingError::Header(name) => Error::HttpRequestHeaderSize { field_name: Some(name), field_size: None },
        OutgoingError::Connections(_) => Error::ConnectionLimitReached,
        OutgoingError::Resolve(error) | OutgoingError::Connect(error) if scarcity::is_of_files(&error) => {
            Error::ConnectionLimitReached
        }
        OutgoingError::Resolve(_) => Error::DnsError { rcode: None, info_code: None },
        OutgoingError::Connect(error) => match error.kind() {
            std::io::ErrorKind::ConnectionRefused => Error::ConnectionRefused,
            _ => Error::DestinationUnavailable,
        },
        OutgoingError::ConnectTimeout => Error::ConnectionTimeout,
        OutgoingError::Certificates { .. } => Error::ConfigurationError,
        OutgoingError::Untrusted(_) => Error::TlsCertificateError,
        OutgoingError::Tls(_) => Error::TlsProtocolError,
        OutgoingError::FirstByteTimeout => Error::HttpResponseTimeout,
        OutgoingError::BetweenBytesTimeout => Error::ConnectionReadTimeout,
        OutgoingError::Head => Error::HttpResponseHeaderSectionSize(None),
        OutgoingError::Body(limit) => Error::HttpResponseBodySize(Some(limit as u64)),
        OutgoingError::Incomplete => Error::HttpResponseIncomplete,
        OutgoingError::Protocol | OutgoingError::Length => Error::HttpProtocolError,
        OutgoingError::Request => Error::ConnectionTerminated,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use bulkhead_policy::{Applicant, OperatorFile, Permissions, Phase};
    use http_body_util::Empty;
    use wasmtime_wasi_http::FieldMap;

    use super::*;
    use crate::audit::Trail;
    use crate::provider::{Leaks, Silent};
    use crate::store::{self, KEPT, Limits, Memory, Shortage};

    /// Of a call that may ask this machine.
    fn authority() -> Arc<Authority> {
        let requests = serde_json::from_str(r#"{"network":[{"endpoint":"http://localhost","reason":"r"}]}"#).unwrap();
        let file = "[[providers.p.grants]]\ndigest = \"dev\"\nnetwork = [\"http://localhost\"]";
        let file = OperatorFile::parse(file).unwrap();
        let applicant = Applicant { development: true, ..Applicant::default() };
        let permissions = Permissions::new(applicant, requests, file.grants("p"), Vec::new(), Path::new("/"));
        Arc::new(Authority::new(Arc::new(permissions), Phase::Create, Trail::default(), Leaks::default()))
    }

    /// An instance's, which serves such a call.
    fn state() -> State {
        let share = Memory::new(|| 1 << 40).share(1 << 40);
        let (limits, log) = (Arc::new(Limits::default()), Arc::new(Silent));
        let call = Arc::new(store::Terms { authority: authority(), sent: sent(), ..store::Terms::default() });
        State::new(&limits, &share, log, Arc::default(), call.into()).unwrap()
    }

    fn sent() -> Allowance {
        Allowance::new(1 << 20, &Shortages::default(), Shortage::Sent)
    }

    fn begun(state: &mut State, to: &str, headers: FieldMap) -> Resource<HostFutureIncomingResponse> {
        let request = HostOutgoingRequest {
            method: types::Method::Get,
            scheme: Some(types::Scheme::Http),
            authority: Some(to.to_owned()),
            path_with_query: None,
            headers,
            body: None,
        };
        let request = state.table.push(request).unwrap();
        handle(state, request, None).unwrap()
    }

    /// Whoever asked for them before has them, too, and the exchange has a copy.
    #[tokio::test]
    async fn the_headers_of_a_request_count_for_as_long_as_it_is_on_its_way() {
        let mut state = state();
        let mut headers = FieldMap::new_mutable(1 << 20);
        headers.append(&mut Nowhere, "x-long".to_owned(), vec![b'x'; 100_000]).unwrap();
        let _response = begun(&mut state, "localhost", headers);
        let left = KEPT - EXCHANGE - 100_000;
        assert!(state.kept.room(left, "others").is_err());
        assert!(state.kept.room(left - 1_000, "others").is_ok());
    }

    /// Nothing else runs here before the guest would go on: what is decided on later is nobody's computing, and is forgotten where
    /// the guest forgets about it.
    #[tokio::test]
    async fn what_is_denied_is_denied_before_the_guest_goes_on() {
        let mut state = state();
        for to in ["evil.example", "user@localhost"] {
            let response = begun(&mut state, to, FieldMap::new_mutable(1 << 20));
            state.table.delete(response).unwrap();
        }
        let denied: Vec<_> = state.call.authority.denials().into_iter().map(|denial| denial.subject).collect();
        assert_eq!(denied, ["http://evil.example (GET)", "http://localhost (GET)"]);
        assert!(state.kept.room(KEPT, "others").is_ok(), "nothing of it is on its way");
    }

    #[test]
    fn a_request_takes_no_more_than_it_counts_for() {
        let mut sending = Sending {
            call: None,
            room: None,
            authority: authority(),
            terms: Terms::new(None, None, None, None),
            explaining: Explaining::default(),
            sent: sent(),
            shortages: Shortages::default(),
            over: CancellationToken::new(),
            kept: Kept::default(),
        };
        let mut size = |uri: &str| {
            let body = Empty::new().map_err(|never| match never {}).boxed_unsync();
            let request = http::Request::get(uri).body(body).unwrap();
            size_of_val(&*sending.send_request(request, None, Box::new(std::future::ready(Ok(())))))
        };
        let (denied, sent) = (size("http://evil.example/"), size("http://localhost/"));
        assert!(denied < sent && sent <= EXCHANGE, "{denied} {sent}");
    }

    #[cfg(unix)]
    #[test]
    fn a_connection_for_which_the_host_has_no_file_left_is_a_limit_and_no_way_that_is_missing() {
        let told = |errno: rustix::io::Errno| {
            let (shortages, error) = (Shortages::default(), OutgoingError::Connect(errno.into()));
            short(&shortages, &error);
            (code(error).to_string(), shortages.all())
        };
        let unreachable = told(rustix::io::Errno::HOSTUNREACH);
        assert_eq!(unreachable, (Error::DestinationUnavailable.to_string(), Vec::new()));
        for errno in [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE] {
            assert_eq!(told(errno), (Error::ConnectionLimitReached.to_string(), vec![Shortage::Files]), "{errno:?}");
        }
    }
}
