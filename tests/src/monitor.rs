//! A resource monitor without an engine behind it: it answers registrations with URNs and outputs as an engine would, remembers
//! all that it was asked, and fails or takes its time where a test says so.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bulkhead_proto::provider as pb;
use bulkhead_proto::resource::{
    self as rm, ResourceMonitor, ResourceMonitorFeature as Feature, ResourceMonitorServer, register_resource_response,
};
use bulkhead_value::{Object, Urn, Value};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::serving::{object, wire};

/// What a monitor is like.
pub struct Nature {
    /// It previews: new custom resources have no id, and what their provider makes isn't known.
    pub preview: bool,
    /// It says what it deploys. An older one doesn't, and is asked for each feature.
    pub says: bool,
    /// What it can do.
    pub features: Vec<Feature>,
    /// How many operations it wants to run at once at most.
    pub parallel: i32,
    /// How it reacts to a registration. Reads are registrations too.
    pub reacts: Box<dyn Fn(&rm::RegisterResourceRequest) -> Reaction + Send + Sync>,
}

/// How a monitor reacts to a registration.
#[derive(Clone, Debug)]
pub enum Reaction {
    /// At once, and well.
    Answers,
    /// Well, but later.
    Waits(Duration),
    /// With an error.
    Refuses(Status),
    /// With the news that the resource failed, and that the deployment goes on.
    Fails,
    /// With the news that the resource was left out.
    LeavesOut,
    /// With an answer of one's own.
    Says(rm::RegisterResourceResponse),
    /// Never.
    Hangs,
}

/// What methods are made of, which is there without having been registered.
pub const CALLED: &str = "urn:pulumi:dev::deployed::a:b:C::called";

/// Everything that the newest engine can do.
pub const ALL: [Feature; 19] = [
    Feature::Secrets,
    Feature::ResourceReferences,
    Feature::OutputValues,
    Feature::AliasSpecs,
    Feature::ReplacementTrigger,
    Feature::DeletedWith,
    Feature::ReplaceWith,
    Feature::Transforms,
    Feature::InvokeTransforms,
    Feature::Parameterization,
    Feature::ResourceHooks,
    Feature::ErrorHooks,
    Feature::SendsOptionsToHooks,
    Feature::ByteString,
    Feature::InvokeDependsOn,
    Feature::InvokeParent,
    Feature::StateMigrations,
    Feature::InvokeOutputValues,
    Feature::CallOutputValues,
];

/// What it deploys is configured with this: the project, and another package.
const CONFIG: [(&str, &str); 4] =
    [("deployed:region", "west"), ("deployed:token", "hunter2"), ("other:key", "another's"), ("other:region", "east")];

impl Default for Nature {
    fn default() -> Self {
        Self {
            preview: false,
            says: true,
            features: ALL.to_vec(),
            parallel: 16,
            reacts: Box::new(|_| Reaction::Answers),
        }
    }
}

/// A monitor, and its memory. It is gone when it is dropped.
pub struct Monitor {
    address: SocketAddr,
    memory: Arc<Memory>,
    server: JoinHandle<()>,
}

#[derive(Default)]
struct Memory(Mutex<Asked>);

impl Memory {
    fn lock(&self) -> MutexGuard<'_, Asked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a monitor was asked, in the order in which the requests came.
#[derive(Clone, Default)]
pub struct Asked {
    /// How often it was asked what it deploys.
    pub deployment_info: usize,
    /// Which features it was asked for, one by one.
    pub features: Vec<String>,
    /// Registrations.
    pub registrations: Vec<rm::RegisterResourceRequest>,
    /// Which trace registrations belong to, of those that say so.
    pub traceparents: Vec<String>,
    /// Readings.
    pub reads: Vec<rm::ReadResourceRequest>,
    /// Outputs of components, by URN.
    pub outputs: BTreeMap<String, Object>,
    /// Calls of functions.
    pub invokes: Vec<rm::ResourceInvokeRequest>,
    /// Calls of methods.
    pub calls: Vec<rm::ResourceCallRequest>,
    /// The most requests that it worked on at once.
    pub at_once: usize,
    /// Names in the order in which their registrations were answered well.
    pub answered: Vec<String>,
    under_way: usize,
    known: BTreeMap<String, (String, Object)>,
}

impl Asked {
    /// The names that were registered.
    pub fn names(&self) -> Vec<&str> {
        self.registrations.iter().map(|registration| registration.name.as_str()).collect()
    }

    /// The registration of a name.
    #[track_caller]
    pub fn registration(&self, name: &str) -> &rm::RegisterResourceRequest {
        let found = self.registrations.iter().find(|registration| registration.name == name);
        found.unwrap_or_else(|| panic!("`{name}` should be registered; there are {:?}", self.names()))
    }

    /// The inputs that a name was registered with.
    #[track_caller]
    pub fn inputs(&self, name: &str) -> Object {
        object(self.registration(name).object.clone().expect("a registration should have inputs"))
    }

    /// What each input of a name depends on.
    #[track_caller]
    pub fn dependencies(&self, name: &str) -> BTreeMap<String, Vec<String>> {
        let of = self.registration(name).property_dependencies.iter();
        of.map(|(name, of)| (name.clone(), of.urns.clone())).collect()
    }
}

impl Monitor {
    /// A monitor that deploys, and answers everything well.
    pub async fn start() -> Self {
        Self::of(Nature::default()).await
    }

    /// A monitor that previews.
    pub async fn preview() -> Self {
        Self::of(Nature { preview: true, ..Nature::default() }).await
    }

    /// A monitor that reacts to registrations in its own way.
    pub async fn reacting(reacts: impl Fn(&rm::RegisterResourceRequest) -> Reaction + Send + Sync + 'static) -> Self {
        Self::of(Nature { reacts: Box::new(reacts), ..Nature::default() }).await
    }

    /// A monitor of a nature.
    pub async fn of(nature: Nature) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("there should be a free port");
        let address = listener.local_addr().expect("a listener should have an address");
        let memory = Arc::new(Memory::default());
        let service = ResourceMonitorServer::new(Serves { nature, memory: Arc::clone(&memory) })
            .max_decoding_message_size(400 << 20)
            .max_encoding_message_size(400 << 20);
        let serving = Server::builder()
            .add_service(service)
            .serve_with_incoming(TcpIncoming::from(listener).with_nodelay(Some(true)));
        let server = tokio::spawn(async move { serving.await.expect("the monitor should serve") });
        Self { address, memory, server }
    }

    /// Where it listens, as an engine says it.
    pub fn endpoint(&self) -> String {
        self.address.to_string()
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Asked {
        self.memory.lock().clone()
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        self.server.abort();
    }
}

struct Serves {
    nature: Nature,
    memory: Arc<Memory>,
}

/// A request that is worked on until this is dropped.
struct UnderWay<'a>(&'a Memory);

impl<'a> UnderWay<'a> {
    fn new(memory: &'a Memory) -> Self {
        let mut asked = memory.lock();
        asked.under_way += 1;
        asked.at_once = asked.at_once.max(asked.under_way);
        drop(asked);
        Self(memory)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.lock().under_way -= 1;
    }
}

type Reply<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl ResourceMonitor for Serves {
    async fn get_deployment_info(&self, _: Request<()>) -> Reply<rm::DeploymentInfo> {
        self.memory.lock().deployment_info += 1;
        if !self.nature.says {
            return Err(Status::unimplemented("unknown method GetDeploymentInfo"));
        }
        Ok(Response::new(rm::DeploymentInfo {
            project: "deployed".to_owned(),
            stack: "dev".to_owned(),
            organization: "acme".to_owned(),
            config: CONFIG.map(owned).into(),
            config_secret_keys: vec!["deployed:token".to_owned(), "other:key".to_owned()],
            dry_run: self.nature.preview,
            parallel: self.nature.parallel,
            supported_features: self.nature.features.iter().map(|feature| *feature as i32).collect(),
        }))
    }

    async fn supports_feature(
        &self,
        request: Request<rm::SupportsFeatureRequest>,
    ) -> Reply<rm::SupportsFeatureResponse> {
        let id = request.into_inner().id;
        let has_support = self.nature.features.iter().any(|feature| named(*feature) == Some(id.as_str()));
        self.memory.lock().features.push(id);
        Ok(Response::new(rm::SupportsFeatureResponse { has_support }))
    }

    async fn register_resource(
        &self,
        request: Request<rm::RegisterResourceRequest>,
    ) -> Reply<rm::RegisterResourceResponse> {
        let _under_way = UnderWay::new(&self.memory);
        if let Some(trace) = request.metadata().get("traceparent").and_then(|value| value.to_str().ok()) {
            self.memory.lock().traceparents.push(trace.to_owned());
        }
        let request = request.into_inner();
        self.memory.lock().registrations.push(request.clone());
        let urn = urn(&request.parent, &request.r#type, &request.name);
        let unwell =
            |result, unknown| rm::RegisterResourceResponse { urn: urn.clone(), result, unknown, ..<_>::default() };
        match (self.nature.reacts)(&request) {
            Reaction::Answers => {}
            Reaction::Waits(time) => tokio::time::sleep(time).await,
            Reaction::Refuses(status) => return Err(status),
            Reaction::Fails => return Ok(Response::new(unwell(rm::Result::Fail as i32, false))),
            Reaction::LeavesOut => return Ok(Response::new(unwell(rm::Result::Success as i32, true))),
            Reaction::Says(response) => return Ok(Response::new(response)),
            Reaction::Hangs => std::future::pending().await,
        }
        let (id, outputs) = self.made(&request);
        let mut asked = self.memory.lock();
        asked.answered.push(request.name.clone());
        asked.known.insert(urn.clone(), (id.clone(), outputs.clone()));
        let of = |urns| register_resource_response::PropertyDependencies { urns };
        let dependencies = [("made".to_owned(), of(vec![format!("{urn}-child")]))];
        Ok(Response::new(rm::RegisterResourceResponse {
            urn,
            id,
            // The outputs of a component come later, unless it was constructed elsewhere.
            object: Some(wire(&if request.custom || request.remote { outputs } else { Object::new() })),
            property_dependencies: if request.remote { dependencies.into() } else { BTreeMap::new() },
            ..<_>::default()
        }))
    }

    async fn read_resource(&self, request: Request<rm::ReadResourceRequest>) -> Reply<rm::ReadResourceResponse> {
        let _under_way = UnderWay::new(&self.memory);
        let request = request.into_inner();
        self.memory.lock().reads.push(request.clone());
        Ok(Response::new(rm::ReadResourceResponse {
            urn: urn(&request.parent, &request.r#type, &request.name),
            properties: Some(wire(&[("found", Value::from(request.id.as_str()))].into_iter().collect())),
            id: request.id,
            ..<_>::default()
        }))
    }

    async fn register_resource_outputs(&self, request: Request<rm::RegisterResourceOutputsRequest>) -> Reply<()> {
        let _under_way = UnderWay::new(&self.memory);
        let request = request.into_inner();
        let outputs = request.outputs.map(object).unwrap_or_default();
        let mut asked = self.memory.lock();
        let Some((_, known)) = asked.known.get_mut(&request.urn) else {
            return Err(Status::not_found(format!("unknown resource '{}'", request.urn)));
        };
        known.clone_from(&outputs);
        asked.outputs.insert(request.urn, outputs);
        Ok(Response::new(()))
    }

    async fn invoke(&self, request: Request<rm::ResourceInvokeRequest>) -> Reply<rm::ResourceInvokeResponse> {
        let _under_way = UnderWay::new(&self.memory);
        let request = request.into_inner();
        let arguments = request.args.clone().map(object).unwrap_or_default();
        let mut asked = self.memory.lock();
        asked.invokes.push(request.clone());
        let is_refused = arguments.get("size").is_some_and(|size| *size == "too much".into());
        let value = if request.tok == "pulumi:pulumi:getResource" {
            let urn = arguments["urn"].as_str().unwrap_or_default().to_owned();
            // What it says that others depend on is there, too.
            let of = urn.strip_suffix("-child").unwrap_or(&urn);
            let called = || (urn == CALLED).then(Default::default);
            let Some((id, state)) = asked.known.get(of).cloned().or_else(called) else {
                return Err(Status::unknown(format!("unknown resource {urn}")));
            };
            [("urn", Value::from(urn)), ("id", id.into()), ("state", state.into())].into_iter().collect()
        } else {
            [("asked", Value::from(request.tok.as_str())), ("with", arguments.into())].into_iter().collect()
        };
        let failure = || pb::CheckFailure { property: "size".to_owned(), reason: "must be less".to_owned() };
        let failures = is_refused.then(failure).into_iter().collect();
        Ok(Response::new(rm::ResourceInvokeResponse { r#return: Some(wire(&value)), failures, unknown: false }))
    }

    async fn call(&self, request: Request<rm::ResourceCallRequest>) -> Reply<pb::CallResponse> {
        let _under_way = UnderWay::new(&self.memory);
        let request = request.into_inner();
        let value = [("called", Value::from(request.tok.as_str()))].into_iter().collect();
        self.memory.lock().calls.push(request);
        let of = pb::call_response::ReturnDependencies { urns: vec![CALLED.to_owned()] };
        Ok(Response::new(pb::CallResponse {
            r#return: Some(wire(&value)),
            failures: Vec::new(),
            return_dependencies: [("called".to_owned(), of)].into(),
        }))
    }
}

impl Serves {
    /// The id and the outputs of a registered resource: its inputs, and what a provider makes of it.
    fn made(&self, request: &rm::RegisterResourceRequest) -> (String, Object) {
        let inputs = request.object.clone().map(object).unwrap_or_default();
        let known = |text: String| if self.nature.preview { Value::Unknown } else { Value::from(text) };
        let made = [("made".to_owned(), known(format!("made of {}", request.name)))];
        let id = if request.custom && !self.nature.preview { format!("id-{}", request.name) } else { String::new() };
        (id, inputs.into_map().into_iter().chain(made).collect())
    }
}

fn owned((key, value): (&str, &str)) -> (String, String) {
    (key.to_owned(), value.to_owned())
}

/// The URN that an engine gives a resource of the stack `dev` of the project `project`.
pub fn urn(parent: &str, token: &str, name: &str) -> String {
    let below = Urn::parse(parent).ok().map(|parent| format!("{}$", parent.qualified_type())).unwrap_or_default();
    format!("urn:pulumi:dev::project::{below}{token}::{name}")
}

/// What an older engine calls a feature.
fn named(feature: Feature) -> Option<&'static str> {
    Some(match feature {
        Feature::Secrets => "secrets",
        Feature::ResourceReferences => "resourceReferences",
        Feature::OutputValues => "outputValues",
        Feature::AliasSpecs => "aliasSpecs",
        Feature::DeletedWith => "deletedWith",
        Feature::ReplaceWith => "replaceWith",
        Feature::ReplacementTrigger => "replacementTrigger",
        Feature::ResourceHooks => "resourceHooks",
        _ => return None,
    })
}
