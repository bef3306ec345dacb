//! The engine's side of components: a resource monitor that makes nothing.
//!
//! A component and a method do all that they do by asking an engine. This one answers what the schema lets expect and remembers what
//! it was asked. Of other packages it knows nothing, and says so: what they would make isn't known.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bulkhead_proto::provider::CallResponse;
use bulkhead_proto::resource as rm;
use bulkhead_proto::resource::{ResourceMonitor, ResourceMonitorFeature as Feature, ResourceMonitorServer};
use bulkhead_schema::{Extent, Package, Returns, Sampler};
use bulkhead_value::{Object, Urn, Value};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use super::engine::{LARGEST_MESSAGE, object, wire};
use super::subject::{PROJECT, STACK};

/// The engine's own function for looking resources up.
const LOOK_UP: &str = "pulumi:pulumi:getResource";

/// What it can do: all that reaches it from components.
const FEATURES: [Feature; 11] = [
    Feature::Secrets,
    Feature::ResourceReferences,
    Feature::OutputValues,
    Feature::AliasSpecs,
    Feature::ReplacementTrigger,
    Feature::DeletedWith,
    Feature::ReplaceWith,
    Feature::ResourceHooks,
    Feature::ByteString,
    Feature::InvokeDependsOn,
    Feature::InvokeParent,
];

/// A registration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Asked {
    pub(super) token: String,
    pub(super) name: String,
    pub(super) parent: String,
    pub(super) urn: String,
    pub(super) custom: bool,
}

/// A monitor. It is gone when it is dropped.
pub(super) struct Monitor {
    pub(super) endpoint: String,
    memory: Arc<Memory>,
    server: JoinHandle<()>,
}

#[derive(Default)]
struct Memory(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    registrations: Vec<Asked>,
    finished: BTreeSet<String>,
    known: BTreeMap<String, (String, Object)>,
}

impl Memory {
    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Monitor {
    /// Serves one on a free port. In a preview nothing that a provider makes is known.
    pub(super) async fn start(package: Arc<Package>, seed: u64, preview: bool) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let endpoint = listener.local_addr()?.to_string();
        let memory = Arc::new(Memory::default());
        let serves = Serves { package, seed, preview, memory: Arc::clone(&memory) };
        let service = ResourceMonitorServer::new(serves)
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE);
        let serving = Server::builder()
            .add_service(service)
            .serve_with_incoming(TcpIncoming::from(listener).with_nodelay(Some(true)));
        // What breaks the server breaks the calls that need it, and is found there.
        let server = tokio::spawn(async move { drop(serving.await) });
        Ok(Self { endpoint, memory, server })
    }

    /// What was registered since this was asked last.
    pub(super) fn registrations(&self) -> Vec<Asked> {
        std::mem::take(&mut self.memory.lock().registrations)
    }

    /// Whether a component said that it is done.
    pub(super) fn is_finished(&self, urn: &str) -> bool {
        self.memory.lock().finished.contains(urn)
    }

    /// Tells it of a resource that it can be asked for.
    pub(super) fn knows(&self, urn: &str, id: &str, state: Object) {
        self.memory.lock().known.insert(urn.to_owned(), (id.to_owned(), state));
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        self.server.abort();
    }
}

struct Serves {
    package: Arc<Package>,
    seed: u64,
    preview: bool,
    memory: Arc<Memory>,
}

impl Serves {
    /// What a provider makes of inputs, as the schema has it. None of other packages' types.
    fn made(&self, token: &str, inputs: &Object) -> Option<Object> {
        let resource = self.package.resource(token)?;
        let sample = Sampler::new(&self.package, self.seed).object(&resource.outputs, Extent::All).inputs;
        let outputs = resource.outputs.properties.keys().filter_map(|name| {
            let value = match (inputs.get(name), sample.get(name)) {
                (Some(given), _) => given.clone(),
                (None, _) if self.preview => Value::Unknown,
                (None, sampled) => sampled?.clone(),
            };
            Some((name.clone(), value))
        });
        Some(outputs.collect())
    }
}

type Reply<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl ResourceMonitor for Serves {
    async fn get_deployment_info(&self, _: Request<()>) -> Reply<rm::DeploymentInfo> {
        Ok(Response::new(rm::DeploymentInfo {
            project: PROJECT.to_owned(),
            stack: STACK.to_owned(),
            organization: "organization".to_owned(),
            dry_run: self.preview,
            parallel: 16,
            supported_features: FEATURES.iter().map(|feature| *feature as i32).collect(),
            ..rm::DeploymentInfo::default()
        }))
    }

    async fn register_resource(
        &self,
        request: Request<rm::RegisterResourceRequest>,
    ) -> Reply<rm::RegisterResourceResponse> {
        let request = request.into_inner();
        let urn = below(&request.parent, &request.r#type, &request.name)?;
        let asked = Asked {
            token: request.r#type.clone(),
            name: request.name.clone(),
            parent: request.parent,
            urn: urn.clone(),
            custom: request.custom,
        };
        let inputs = object(request.object).unwrap_or_default();
        let is_own = !request.custom && !request.remote;
        let made = if is_own { Some(Object::new()) } else { self.made(&request.r#type, &inputs) };
        let id = if request.custom && !self.preview { format!("id of {}", request.name) } else { String::new() };
        let mut seen = self.memory.lock();
        seen.registrations.push(asked);
        seen.known.insert(urn.clone(), (id.clone(), made.clone().unwrap_or_default()));
        Ok(Response::new(rm::RegisterResourceResponse {
            urn,
            id,
            unknown: made.is_none(),
            object: made.as_ref().map(wire).transpose().map_err(|refusal| Status::internal(refusal.message))?,
            ..rm::RegisterResourceResponse::default()
        }))
    }

    async fn read_resource(&self, request: Request<rm::ReadResourceRequest>) -> Reply<rm::ReadResourceResponse> {
        let request = request.into_inner();
        let inputs = object(request.properties).unwrap_or_default();
        let made = self.made(&request.r#type, &inputs).unwrap_or(inputs);
        Ok(Response::new(rm::ReadResourceResponse {
            urn: below(&request.parent, &request.r#type, &request.name)?,
            id: request.id,
            properties: Some(wire(&made).map_err(|refusal| Status::internal(refusal.message))?),
            ..rm::ReadResourceResponse::default()
        }))
    }

    async fn register_resource_outputs(&self, request: Request<rm::RegisterResourceOutputsRequest>) -> Reply<()> {
        let request = request.into_inner();
        let outputs = object(request.outputs).unwrap_or_default();
        let mut seen = self.memory.lock();
        let Some((_, known)) = seen.known.get_mut(&request.urn) else {
            return Err(Status::not_found(format!("no resource `{}` was registered", request.urn)));
        };
        *known = outputs;
        seen.finished.insert(request.urn);
        Ok(Response::new(()))
    }

    async fn invoke(&self, request: Request<rm::ResourceInvokeRequest>) -> Reply<rm::ResourceInvokeResponse> {
        let request = request.into_inner();
        let answer = |value: Option<Object>| {
            let answer = value.as_ref().map(wire).transpose().map_err(|refusal| Status::internal(refusal.message))?;
            let unknown = answer.is_none();
            Ok(Response::new(rm::ResourceInvokeResponse { r#return: answer, unknown, ..<_>::default() }))
        };
        if request.tok == LOOK_UP {
            let arguments = object(request.args).unwrap_or_default();
            let urn = arguments.get("urn").and_then(Value::as_str).unwrap_or_default().to_owned();
            let found = self.memory.lock().known.get(&urn).cloned();
            let (id, state) = found.ok_or_else(|| Status::not_found(format!("there is no resource `{urn}`")))?;
            let fields = [("urn", Value::from(urn)), ("id", id.into()), ("state", Value::Object(state))];
            return answer(Some(fields.into_iter().collect()));
        }
        let returns = self.package.function(&request.tok).map(|function| &function.outputs);
        answer(match returns {
            Some(Returns::Object(ty)) if !self.preview => {
                Some(Sampler::new(&self.package, self.seed).object(ty, Extent::All).inputs)
            }
            Some(Returns::Nothing) => Some(Object::new()),
            _ => None,
        })
    }

    async fn call(&self, _: Request<rm::ResourceCallRequest>) -> Reply<CallResponse> {
        Err(Status::unimplemented("no methods are called while a provider is tried out"))
    }
}

/// The URN of a resource below another.
fn below(parent: &str, token: &str, name: &str) -> Result<String, Status> {
    let parent = Urn::parse(parent).ok();
    let parent = parent.as_ref().map(Urn::qualified_type);
    let urn = Urn::new(STACK, PROJECT, parent, token, name);
    urn.map(|urn| urn.to_string()).map_err(|error| Status::invalid_argument(error.to_string()))
}
