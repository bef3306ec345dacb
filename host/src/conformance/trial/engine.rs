//! The engine's side of the protocol: a client of a provider that is served in this process.
//!
//! Over a socket, although both ends are here: what can't be encoded, is too large or answers with another code is found only
//! on the wire.

use std::net::Ipv4Addr;
use std::pin::pin;
use std::sync::Arc;

use bulkhead_proto::plugin::PluginInfo;
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::ResourceProviderClient;
use bulkhead_proto::raw::Struct;
use bulkhead_value::Object;
use bulkhead_value::wire::{decode, encode};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server as Transport};
use tonic::{Response, Status};

use super::refusal::Refusal;
use super::words::Words;
use crate::audit::Auditor;
use crate::rpc::{Offer, Server, Service, recorded_bounds};

/// What engines allow, both ways, bytes.
pub(super) const LARGEST_MESSAGE: usize = 400 << 20;
/// What engines take of a status, bytes.
const LARGEST_HEADERS: u32 = 16 << 20;
/// How long a call may take that changes something, seconds. The others have the host's deadline.
const PATIENCE: f64 = 600.0;

/// An engine that talks to one provider.
pub(super) struct Engine {
    client: ResourceProviderClient<Channel>,
    words: Words,
    server: JoinHandle<()>,
    interrupted: CancellationToken,
}

/// What a check said.
pub(super) struct Checked {
    /// The inputs, completed as far as they can be.
    pub(super) inputs: Object,
    /// Failures: the property and why.
    pub(super) failures: Vec<(String, String)>,
}

/// A resource as it is recorded.
#[derive(Clone)]
pub(super) struct Recorded {
    pub(super) id: String,
    pub(super) state: Object,
    pub(super) inputs: Object,
}

/// An answer, or that there is none.
pub(super) type Reply<T> = Result<T, Refusal>;

impl Engine {
    /// Serves an offer on a free port, and connects to it. Once the token is set, the provider is told to end what it does.
    pub(super) async fn start(offer: Offer, auditor: Auditor, interrupted: CancellationToken) -> std::io::Result<Self> {
        let words = Words::default();
        let service = Arc::new(Service::new(Arc::new(offer), Arc::new(words.clone())));
        let service = Server::new(service).audited(auditor);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let serving =
            Transport::builder().serve_with_incoming(service, TcpIncoming::from(listener).with_nodelay(Some(true)));
        // What breaks the server breaks the connection, and is found there.
        let server = tokio::spawn(async move { drop(serving.await) });
        let endpoint = Endpoint::from_shared(format!("http://{address}")).map_err(std::io::Error::other)?;
        let channel = endpoint.http2_max_header_list_size(LARGEST_HEADERS).connect().await;
        let client = ResourceProviderClient::new(channel.map_err(std::io::Error::other)?)
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE);
        Ok(Self { client, words, server, interrupted })
    }

    /// What the next call is made with.
    pub(super) fn client(&self) -> ResourceProviderClient<Channel> {
        self.words.forget();
        self.client.clone()
    }

    /// What a call comes to. Of one that the provider broke off, its log says most. One that is interrupted goes on to its end, which
    /// is near once the provider is told: it may have made something by then.
    pub(super) async fn told<T>(&self, call: impl Future<Output = Result<Response<T>, Status>>) -> Reply<T> {
        let mut call = pin!(call);
        let reply = tokio::select! {
            biased;
            reply = &mut call => reply,
            () = self.interrupted.cancelled() => {
                // What it answers is looked at where nobody interrupts.
                let _ = self.client.clone().cancel(()).await;
                call.await
            }
        };
        self.understood(reply)
    }

    fn understood<T>(&self, reply: Result<Response<T>, Status>) -> Reply<T> {
        reply.map(Response::into_inner).map_err(|status| Refusal::from(status).with_words(self.words.last()))
    }

    /// From here on no call is interrupted.
    pub(super) fn go_on(&mut self) {
        self.interrupted = CancellationToken::new();
    }

    pub(super) async fn handshake(&self) -> Reply<pb::ProviderHandshakeResponse> {
        self.told(self.client().handshake(pb::ProviderHandshakeRequest::default())).await
    }

    pub(super) async fn plugin_info(&self) -> Reply<PluginInfo> {
        self.told(self.client().get_plugin_info(())).await
    }

    pub(super) async fn schema(&self) -> Reply<String> {
        let schema = self.told(self.client().get_schema(pb::GetSchemaRequest::default())).await?;
        Ok(schema.schema)
    }

    pub(super) async fn check_config(&self, urn: &str, news: &Object) -> Reply<Checked> {
        let request = pb::CheckRequest { urn: urn.to_owned(), news: Some(wire(news)?), ..<_>::default() };
        checked(self.told(self.client().check_config(request)).await?)
    }

    /// Whether two configurations differ.
    pub(super) async fn diff_config(&self, urn: &str, olds: &Object, news: &Object) -> Reply<Vec<String>> {
        let request = pb::DiffRequest {
            urn: urn.to_owned(),
            id: "sample".to_owned(),
            olds: Some(wire(olds)?),
            old_inputs: Some(wire(olds)?),
            news: Some(wire(news)?),
            ..<_>::default()
        };
        Ok(changes(&self.told(self.client().diff_config(request)).await?))
    }

    pub(super) async fn configure(&self, configuration: &Object) -> Reply<()> {
        let args = Some(wire(configuration)?);
        let request = pb::ConfigureRequest { args, accept_secrets: true, accept_resources: true, ..<_>::default() };
        self.told(self.client().configure(request)).await.map(drop)
    }

    pub(super) async fn check(&self, urn: &str, olds: Option<&Object>, news: &Object, seed: &[u8]) -> Reply<Checked> {
        let request = pb::CheckRequest {
            urn: urn.to_owned(),
            olds: olds.map(wire).transpose()?,
            news: Some(wire(news)?),
            random_seed: seed.to_vec().into(),
            ..<_>::default()
        };
        checked(self.told(self.client().check(request)).await?)
    }

    /// What differs between a resource and inputs, and whether any of it replaces the resource.
    pub(super) async fn diff(&self, urn: &str, prior: &Recorded, news: &Object) -> Reply<(Vec<String>, bool)> {
        let request = pb::DiffRequest {
            urn: urn.to_owned(),
            id: prior.id.clone(),
            olds: Some(wire(&prior.state)?),
            old_inputs: Some(wire(&prior.inputs)?),
            news: Some(wire(news)?),
            ..<_>::default()
        };
        let response = self.told(self.client().diff(request)).await?;
        Ok((changes(&response), !response.replaces.is_empty()))
    }

    /// The state that a preview of a create promises.
    pub(super) async fn preview_create(&self, urn: &str, inputs: &Object) -> Reply<Object> {
        let request =
            pb::CreateRequest { urn: urn.to_owned(), properties: Some(wire(inputs)?), preview: true, ..<_>::default() };
        object(self.told(self.client().create(request)).await?.properties)
    }

    pub(super) async fn create(&self, urn: &str, inputs: &Object) -> Reply<Recorded> {
        let request = pb::CreateRequest {
            urn: urn.to_owned(),
            properties: Some(wire(inputs)?),
            timeout: PATIENCE,
            ..<_>::default()
        };
        let created = self.told(self.client().create(request)).await?;
        Ok(Recorded { id: created.id, state: object(created.properties)?, inputs: inputs.clone() })
    }

    /// The resource as it is now; none if it is gone.
    pub(super) async fn read(&self, urn: &str, prior: &Recorded) -> Reply<Option<Recorded>> {
        let request = pb::ReadRequest {
            urn: urn.to_owned(),
            id: prior.id.clone(),
            properties: Some(wire(&prior.state)?),
            inputs: Some(wire(&prior.inputs)?),
            ..<_>::default()
        };
        let read = self.told(self.client().read(request)).await.map_err(|refusal| refusal.asked_to("read it"))?;
        if read.id.is_empty() {
            return Ok(None);
        }
        Ok(Some(Recorded { id: read.id, state: object(read.properties)?, inputs: object(read.inputs)? }))
    }

    /// The state after an update, or, in a preview, the state that is promised.
    pub(super) async fn update(&self, urn: &str, prior: &Recorded, news: &Object, preview: bool) -> Reply<Object> {
        let request = pb::UpdateRequest {
            urn: urn.to_owned(),
            id: prior.id.clone(),
            olds: Some(wire(&prior.state)?),
            old_inputs: Some(wire(&prior.inputs)?),
            news: Some(wire(news)?),
            timeout: PATIENCE,
            preview,
            ..<_>::default()
        };
        let what = if preview { "preview an update of it" } else { "update it" };
        object(self.told(self.client().update(request)).await.map_err(|refusal| refusal.asked_to(what))?.properties)
    }

    pub(super) async fn delete(&self, urn: &str, prior: &Recorded) -> Reply<()> {
        let request = pb::DeleteRequest {
            urn: urn.to_owned(),
            id: prior.id.clone(),
            properties: Some(wire(&prior.state)?),
            old_inputs: Some(wire(&prior.inputs)?),
            timeout: PATIENCE,
            ..<_>::default()
        };
        // An interruption waits for just that.
        self.understood(self.client().delete(request).await).map_err(|refusal| refusal.asked_to("delete it"))
    }

    /// Failures of the arguments, if there are any.
    pub(super) async fn invoke(&self, token: &str, arguments: &Object) -> Reply<Vec<(String, String)>> {
        let request = pb::InvokeRequest { tok: token.to_owned(), args: Some(wire(arguments)?), ..<_>::default() };
        let invoked = self.told(self.client().invoke(request)).await?;
        // A result that can't be decoded is a finding too.
        object(invoked.r#return)?;
        Ok(invoked.failures.into_iter().map(|failure| (failure.property, failure.reason)).collect())
    }

    pub(super) async fn cancel(&self) -> Reply<()> {
        self.told(self.client().cancel(())).await
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn checked(response: pb::CheckResponse) -> Reply<Checked> {
    let failures = response.failures.into_iter().map(|failure| (failure.property, failure.reason)).collect();
    Ok(Checked { inputs: object(response.inputs)?, failures })
}

/// The places that a difference names.
fn changes(response: &pb::DiffResponse) -> Vec<String> {
    let is_some = response.changes() == pb::diff_response::DiffChanges::DiffSome;
    let detailed: Vec<String> = response.detailed_diff.keys().cloned().collect();
    match (detailed.is_empty(), is_some) {
        (false, _) => detailed,
        (true, true) if response.diffs.is_empty() => vec![String::new()],
        (true, true) => response.diffs.clone(),
        (true, false) => Vec::new(),
    }
}

/// An object as it is sent.
pub(super) fn wire(object: &Object) -> Reply<Struct> {
    let encoded = encode::properties(object, &encode::Capabilities::ALL);
    encoded.map(Struct::from_bytes).map_err(|error| Refusal::unusable(format!("encode a request: {error}")))
}

/// An object as it was received; an absent one is empty.
pub(super) fn object(received: Option<Struct>) -> Reply<Object> {
    let Some(received) = received else { return Ok(Object::new()) };
    let decoded = decode::properties(received.as_bytes(), &recorded_bounds());
    decoded.map_err(|error| Refusal::unusable(format!("decode an answer: {}", error.located())))
}
