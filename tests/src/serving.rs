//! A provider served in this process: the real service over a loopback port, with a real component behind it.
//!
//! What the executable adds (the port line, signals, its way to the engine's log) isn't here; see [`Plugin`]. In exchange limits
//! can be set, and messages can be looked at.

mod difference;
mod failed;

use std::future::poll_fn;
use std::net::Ipv4Addr;
use std::path::Path;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bulkhead::audit::Auditor;
use bulkhead::component::{Cache, Description, Limits, LoadError, Loaded, LoadedProvider, Runtime};
use bulkhead::provider::{Log, Message, Speaker};
use bulkhead::rpc::{EngineLink, Offer, Server, Service};
use bulkhead_policy::{Applicant, Grant, Granted, PackageRequest, Permissions, Requests};
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::ResourceProviderClient;
use bulkhead_proto::raw::Struct;
use bulkhead_value::wire::{decode, encode};
use bulkhead_value::{Bounds, Object};
use http_body_util::{BodyExt as _, Full};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{Bytes, Service as _, http};
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server as Transport};

use crate::bulkhead::cache;
use crate::guest::Guest;
use crate::plugin::Plugin;

pub use failed::{InitFailed, detail, details, init_failed, missing_keys};

/// What engines allow, both ways.
const LARGEST_MESSAGE: usize = 400 << 20;
/// What engines take of a status, its details and all: 16 MiB.
const LARGEST_HEADERS: u32 = 16 << 20;
/// No call of a test takes longer; one that does fails. It is far more than hosts give calls: what comes of those is the host's to say.
const PATIENCE: Duration = Duration::from_secs(600);

/// One engine of wasm per process, as in the executable.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("this machine should run compiled code"));

/// Loads a component.
pub fn load(component: &[u8], limits: Limits) -> Result<Arc<Loaded>, LoadError> {
    load_with(&Cache::new(cache()), component, limits)
}

/// Loads a component with a cache of one's own.
pub fn load_with(cache: &Cache, component: &[u8], limits: Limits) -> Result<Arc<Loaded>, LoadError> {
    Loaded::from_bytes(&RUNTIME, cache, limits, component)
}

/// What a component may do that asked for any package, and was granted all of them.
pub fn any_package() -> Permissions {
    let request = PackageRequest { package: "*".to_owned(), from: None, reason: "uses them".to_owned() };
    let requests = Requests { packages: vec![request], ..Requests::default() };
    let grant = Grant::of(&requests, Granted::Development);
    let applicant = Applicant { development: true, ..Applicant::default() };
    Permissions::new(applicant, requests, &[grant], Vec::new(), Path::new("/"))
}

/// A client of a provider, with short forms of its calls. All resources are called `name`.
pub struct Serving {
    /// The client, for calls that have no short form.
    pub client: ResourceProviderClient<Channel>,
    channel: Channel,
    messages: Arc<Messages>,
    server: Option<JoinHandle<()>>,
    service: Option<Arc<Service>>,
    wire: Option<Server>,
}

#[derive(Default)]
struct Messages {
    all: Mutex<Vec<Message>>,
    /// How many of them somebody waited for, until they were seen.
    awaited: AtomicUsize,
    /// Nobody sees any of them.
    unseen: AtomicBool,
}

impl Messages {
    fn all(&self) -> MutexGuard<'_, Vec<Message>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log for Messages {
    fn log(&self, message: Message) {
        self.all().push(message);
    }

    fn seen(&self, _by: Option<Speaker>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.awaited.store(self.all().len(), Ordering::Relaxed);
        if self.unseen.load(Ordering::Relaxed) {
            return Box::pin(std::future::pending());
        }
        Box::pin(std::future::ready(()))
    }
}

struct Link(Arc<Messages>);

impl EngineLink for Link {
    fn connect(&self, _address: &str) {}

    fn log(&self) -> Arc<dyn Log> {
        Arc::clone(&self.0) as Arc<dyn Log>
    }
}

impl Serving {
    /// Serves a guest. Nothing is negotiated or configured.
    pub async fn start(guest: &Guest, limits: Limits) -> Self {
        let component = std::fs::read(&guest.component).expect("a guest should be readable once it is built");
        let loaded = load(&component, limits).expect("a guest should be loadable");
        Self::of(loaded).await
    }

    /// Serves a guest that asked for any package, and was granted all of them.
    pub async fn composing(guest: &Guest, limits: Limits) -> Self {
        let component = std::fs::read(&guest.component).expect("a guest should be readable once it is built");
        let loaded = load(&component, limits.clone()).expect("a guest should be loadable");
        Self::of(loaded.under(limits, any_package())).await
    }

    /// Serves a loaded component.
    pub async fn of(loaded: Arc<Loaded>) -> Self {
        Self::audited(loaded, Auditor::default()).await
    }

    /// Serves a loaded component, and has it written down what it does.
    pub async fn audited(loaded: Arc<Loaded>, auditor: Auditor) -> Self {
        let description = Description::of(&loaded).await.expect("a guest should describe itself");
        let component = Arc::new(LoadedProvider::new(loaded));
        let offer = Offer { schema: description.schema, package: description.package, component };
        let messages = Arc::new(Messages::default());
        let service = Service::new(Arc::new(offer), Arc::new(Link(Arc::clone(&messages))));
        let service = Arc::new(service);
        let left = Arc::clone(&service);
        let service = Server::new(service).audited(auditor);
        let wire = Some(service.clone());
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("there should be a free port");
        let address = listener.local_addr().expect("a listener should have an address");
        let serving =
            Transport::builder().serve_with_incoming(service, TcpIncoming::from(listener).with_nodelay(Some(true)));
        let server = tokio::spawn(async move { serving.await.expect("the server should serve") });
        let channel = channel(&address.to_string()).await;
        Self { client: client(channel.clone()), channel, messages, server: Some(server), service: Some(left), wire }
    }

    /// Talks to a plugin's process.
    pub async fn by(plugin: &Plugin) -> Self {
        Self::at(plugin.first_line()).await
    }

    /// Talks to a provider at a port.
    pub async fn at(port: &str) -> Self {
        let channel = channel(&format!("127.0.0.1:{}", port.trim())).await;
        Self {
            client: client(channel.clone()),
            channel,
            messages: Arc::default(),
            server: None,
            service: None,
            wire: None,
        }
    }

    /// Has calls end as in a process that leaves.
    pub fn leave(&self) {
        drop(self.service.as_ref().expect("it should be served in this process").leave());
    }

    /// Shakes hands and configures, as engines do.
    pub async fn ready(self, configuration: Object) -> Self {
        let request = pb::ProviderHandshakeRequest { supports_refresh_before_update: true, ..<_>::default() };
        self.handshake(request).await;
        self.configure(configuration).await.expect("the provider should take its configuration");
        self
    }

    /// Handshake.
    pub async fn handshake(&self, request: pb::ProviderHandshakeRequest) -> pb::ProviderHandshakeResponse {
        self.client.clone().handshake(request).await.expect("a handshake should succeed").into_inner()
    }

    /// Configure, by an engine that accepts everything.
    pub async fn configure(&self, configuration: Object) -> Result<pb::ConfigureResponse, Status> {
        let args = Some(wire(&configuration));
        let request = pb::ConfigureRequest { args, accept_secrets: true, accept_resources: true, ..<_>::default() };
        self.client.clone().configure(request).await.map(tonic::Response::into_inner)
    }

    /// Create.
    pub async fn create(&self, token: &str, inputs: Object) -> Result<Created, Status> {
        self.create_as(creation(token, inputs)).await
    }

    /// Create, with a request of one's own.
    pub async fn create_as(&self, request: pb::CreateRequest) -> Result<Created, Status> {
        let created = self.client.clone().create(request).await?.into_inner();
        Ok(Created {
            id: created.id,
            state: object(created.properties.expect("a create should return properties")),
            refresh_before_update: created.refresh_before_update,
        })
    }

    /// The state that a preview of a create promises.
    pub async fn preview(&self, token: &str, inputs: Object) -> Result<Object, Status> {
        let request = pb::CreateRequest { preview: true, ..creation(token, inputs) };
        self.create_as(request).await.map(|created| created.state)
    }

    /// Read of a resource on record.
    pub async fn read(&self, token: &str, id: &str, state: Object, inputs: Object) -> Result<pb::ReadResponse, Status> {
        let (properties, inputs) = (Some(wire(&state)), Some(wire(&inputs)));
        let request = pb::ReadRequest { urn: urn(token), id: id.to_owned(), properties, inputs, ..<_>::default() };
        self.client.clone().read(request).await.map(tonic::Response::into_inner)
    }

    /// Read of a resource that nothing is on record of.
    pub async fn import(&self, token: &str, id: &str) -> Result<pb::ReadResponse, Status> {
        let request = pb::ReadRequest { urn: urn(token), id: id.to_owned(), ..<_>::default() };
        self.client.clone().read(request).await.map(tonic::Response::into_inner)
    }

    /// Update.
    pub async fn update(
        &self,
        token: &str,
        state: Object,
        old_inputs: Object,
        inputs: Object,
    ) -> Result<pb::UpdateResponse, Status> {
        let request = pb::UpdateRequest {
            urn: urn(token),
            id: "existing-1".to_owned(),
            olds: Some(wire(&state)),
            old_inputs: Some(wire(&old_inputs)),
            news: Some(wire(&inputs)),
            ..<_>::default()
        };
        self.client.clone().update(request).await.map(tonic::Response::into_inner)
    }

    /// Delete.
    pub async fn delete(&self, token: &str, state: Object) -> Result<(), Status> {
        let properties = Some(wire(&state));
        let request = pb::DeleteRequest { urn: urn(token), id: "existing-1".to_owned(), properties, ..<_>::default() };
        self.client.clone().delete(request).await.map(tonic::Response::into_inner)
    }

    /// Invoke.
    pub async fn invoke(&self, token: &str, arguments: Object) -> Result<Invoked, Status> {
        let request = pb::InvokeRequest { tok: token.to_owned(), args: Some(wire(&arguments)), preview: false };
        let invoked = self.client.clone().invoke(request).await?.into_inner();
        let failures = invoked.failures.into_iter().map(|failure| (failure.property, failure.reason)).collect();
        Ok(Invoked { value: invoked.r#return.map(object).unwrap_or_default(), failures })
    }

    /// Check.
    pub async fn check(&self, token: &str, inputs: Object) -> Result<Invoked, Status> {
        self.check_with(token, inputs, &[]).await
    }

    /// Check, with a seed.
    pub async fn check_with(&self, token: &str, inputs: Object, seed: &[u8]) -> Result<Invoked, Status> {
        let random_seed = seed.to_vec().into();
        let request = pb::CheckRequest { urn: urn(token), news: Some(wire(&inputs)), random_seed, ..<_>::default() };
        let checked = self.client.clone().check(request).await?.into_inner();
        Ok(invoked(checked))
    }

    /// CheckConfig.
    pub async fn check_config(&self, inputs: Object) -> Result<Invoked, Status> {
        let news = Some(wire(&inputs));
        let request = pb::CheckRequest { urn: urn("pulumi:providers:p"), news, ..<_>::default() };
        let checked = self.client.clone().check_config(request).await?.into_inner();
        Ok(invoked(checked))
    }

    /// Diff, whose fields agree.
    pub async fn diff(
        &self,
        token: &str,
        state: Object,
        old_inputs: Object,
        inputs: Object,
    ) -> Result<pb::DiffResponse, Status> {
        let request = comparison(token, state, old_inputs, inputs);
        self.client.clone().diff(request).await.map(|diff| difference::agreed(diff.into_inner()))
    }

    /// DiffConfig, whose fields agree.
    pub async fn diff_config(&self, old_inputs: Object, inputs: Object) -> Result<pb::DiffResponse, Status> {
        let request = comparison("pulumi:providers:p", old_inputs.clone(), old_inputs, inputs);
        self.client.clone().diff_config(request).await.map(|diff| difference::agreed(diff.into_inner()))
    }

    /// A call with a message of one's own, byte by byte: a length and contents that needn't agree.
    pub async fn raw(&self, method: &str, length: u32, message: &[u8]) -> Status {
        let response = self.post(method, length, message).await;
        Status::from_header_map(response.headers()).unwrap_or_else(|| Status::ok("answered"))
    }

    /// The answer to a message of one's own, byte by byte. Panics if there is none.
    pub async fn answer(&self, method: &str, message: &[u8]) -> Vec<u8> {
        let length = u32::try_from(message.len()).expect("a test's message should be small");
        let response = self.post(method, length, message).await;
        let refusal = Status::from_header_map(response.headers());
        let frame = response.into_body().collect().await.expect("an answer should be readable").to_bytes();
        // A flag and a length come before the message.
        frame.get(5..).unwrap_or_else(|| panic!("{method} should be answered: {refusal:?}")).to_vec()
    }

    /// What a caller is told that names a deadline, in gRPC's own words, and still listens when it has passed.
    pub async fn hurried(&self, method: &str, message: &[u8], deadline: &'static str) -> Status {
        let length = u32::try_from(message.len()).expect("a test's message should be small");
        let mut request = posted(method, length, message);
        request.headers_mut().insert("grpc-timeout", http::HeaderValue::from_static(deadline));
        // By the wire's other end: a client of ours would give up first.
        let mut wire = self.wire.clone().expect("it should be served in this process");
        let Ok(response) = wire.call(request).await;
        Status::from_header_map(response.headers()).unwrap_or_else(|| Status::ok("answered"))
    }

    /// An answer of which nobody reads more than its beginning, for as long as this is held.
    pub async fn unread(&self, method: &str, message: &[u8]) -> http::Response<Body> {
        let length = u32::try_from(message.len()).expect("a test's message should be small");
        let mut wire = self.wire.clone().expect("it should be served in this process");
        let Ok(response) = wire.call(posted(method, length, message)).await;
        response
    }

    async fn post(&self, method: &str, length: u32, message: &[u8]) -> http::Response<Body> {
        let request = posted(method, length, message);
        let mut channel = self.channel.clone();
        poll_fn(|context| channel.poll_ready(context)).await.expect("the connection should be open");
        channel.call(request).await.expect("there should be an answer")
    }

    /// Cancel.
    pub async fn cancel(&self) {
        self.client.clone().cancel(()).await.expect("Cancel should succeed");
    }

    /// What the guest said so far.
    pub fn messages(&self) -> Vec<Message> {
        self.messages.all().clone()
    }

    /// Has nobody see what the guest says from now on, however long an answer waits for that.
    pub fn unseen(&self) {
        self.messages.unseen.store(true, Ordering::Relaxed);
    }

    /// How many of those an answer waited for. Whatever it didn't wait for is lost on an engine whose last call it was.
    pub fn awaited(&self) -> usize {
        self.messages.awaited.load(Ordering::Relaxed)
    }

    /// Waits until the guest says something.
    pub async fn said(&self, text: &str) {
        let said = async {
            while !self.messages().iter().any(|message| message.text == text) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let said = tokio::time::timeout(Duration::from_secs(60), said).await;
        said.unwrap_or_else(|_| panic!("the guest should say `{text}`, and said {:?}", self.messages()));
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            server.abort();
        }
    }
}

/// A call on the wire.
fn posted(method: &str, length: u32, message: &[u8]) -> http::Request<Body> {
    let body = [&[0][..], &length.to_be_bytes(), message].concat();
    http::Request::post(format!("http://provider/pulumirpc.ResourceProvider/{method}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .body(Body::new(Full::new(Bytes::from(body))))
        .expect("a request should be well-formed")
}

async fn channel(address: &str) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address should make an endpoint");
    let endpoint = endpoint.timeout(PATIENCE).http2_max_header_list_size(LARGEST_HEADERS);
    endpoint.connect().await.expect("the provider should listen")
}

fn client(channel: Channel) -> ResourceProviderClient<Channel> {
    ResourceProviderClient::new(channel)
        .max_decoding_message_size(LARGEST_MESSAGE)
        .max_encoding_message_size(LARGEST_MESSAGE)
}

/// A created resource.
#[derive(Debug)]
pub struct Created {
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: Object,
    /// Whether to refresh it before the next update.
    pub refresh_before_update: bool,
}

/// A reply with failures as data.
#[derive(Debug)]
pub struct Invoked {
    /// What was returned, or the checked inputs.
    pub value: Object,
    /// Failures: the property and why.
    pub failures: Vec<(String, String)>,
}

fn invoked(checked: pb::CheckResponse) -> Invoked {
    let failures = checked.failures.into_iter().map(|failure| (failure.property, failure.reason)).collect();
    Invoked { value: checked.inputs.map(object).unwrap_or_default(), failures }
}

/// The URN of the resource `name` of a type.
pub fn urn(token: &str) -> String {
    format!("urn:pulumi:dev::project::{token}::name")
}

/// A request to create the resource `name` of a type.
pub fn creation(token: &str, inputs: Object) -> pb::CreateRequest {
    pb::CreateRequest { urn: urn(token), properties: Some(wire(&inputs)), ..<_>::default() }
}

fn comparison(token: &str, state: Object, old_inputs: Object, inputs: Object) -> pb::DiffRequest {
    pb::DiffRequest {
        urn: urn(token),
        id: "existing-1".to_owned(),
        olds: Some(wire(&state)),
        old_inputs: Some(wire(&old_inputs)),
        news: Some(wire(&inputs)),
        ..<_>::default()
    }
}

/// An object as it is sent.
pub fn wire(object: &Object) -> Struct {
    let encoded = encode::properties(object, &encode::Capabilities::ALL);
    Struct::from_bytes(encoded.expect("what a test sends should be sendable"))
}

/// An object that was received. It may be deeper than a host would take it.
pub fn object(received: Struct) -> Object {
    let bounds = Bounds { depth: 100_000, ..Bounds::default() };
    decode::properties(received.as_bytes(), &bounds).expect("what a provider sends should be readable")
}
