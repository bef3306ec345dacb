//! Every call that reaches a guest, so that an attack can be tried in each of them.

use std::fmt::Debug;

use bulkhead_proto::provider as pb;
use bulkhead_proto::raw::Struct;
use bulkhead_tests::composing::{calling, construction};
use bulkhead_tests::engine::TOKEN;
use bulkhead_tests::monitor::Monitor;
use bulkhead_tests::serving::{Serving, creation, object as received, urn, wire};
use bulkhead_value::{Object, Value};
use tonic::Status;

use crate::{OWN, TELL, THING, object};

/// What the host was doing, as its errors say, and the call.
pub(crate) const ALL: [(&str, Call); 17] = [
    ("check the configuration", Call::CheckConfig),
    ("compare the configuration", Call::DiffConfig),
    ("check the inputs", Call::Check),
    ("compare the resource", Call::Diff),
    ("preview the creation", Call::Preview),
    ("preview the update", Call::PreviewUpdate),
    ("create the resource", Call::Create),
    ("read the resource", Call::Read),
    ("read the resource", Call::Import),
    ("update the resource", Call::Update),
    ("delete the resource", Call::Delete),
    ("call the function", Call::Invoke),
    ("construct the component", Call::Construct),
    ("call the method", Call::Method),
    ("list the resources", Call::List),
    ("get the mapping", Call::Mapping),
    ("get the mappings", Call::Mappings),
];

/// A call that reaches a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    CheckConfig,
    DiffConfig,
    Check,
    Diff,
    Preview,
    PreviewUpdate,
    Create,
    Read,
    Import,
    Update,
    Delete,
    Invoke,
    Construct,
    Method,
    List,
    Mapping,
    Mappings,
}

/// What a call is made with.
#[derive(Clone)]
pub(crate) struct Given {
    /// What inputs, arguments and queries ask for, and what is asked for where that changes.
    pub(crate) what: Value,
    pub(crate) changed: Value,
    /// What is on record of resources.
    pub(crate) text: Value,
    /// What arguments of methods have beside what they are called on.
    pub(crate) arguments: Object,
    /// The configuration that is checked and compared.
    pub(crate) configuration: Object,
    /// A timeout in seconds, where engines have one.
    pub(crate) timeout: f64,
    /// Where the engine is to be found; it has a monitor that answers well, and nothing else, if that isn't said.
    pub(crate) engine: Option<Addresses>,
}

/// Where an engine listens.
#[derive(Clone)]
pub(crate) struct Addresses {
    /// Its monitor.
    pub(crate) monitor: String,
    /// Where it takes views.
    pub(crate) views: String,
}

impl Default for Given {
    fn default() -> Self {
        let (what, changed, text) = ("x".into(), "y".into(), "recorded".into());
        let (arguments, configuration) = (Object::new(), Object::new());
        Self { what, changed, text, arguments, configuration, timeout: 0.0, engine: None }
    }
}

impl Given {
    /// The address and the token of a place for views.
    fn place(&self) -> (String, String) {
        self.engine.as_ref().map(|engine| (engine.views.clone(), TOKEN.to_owned())).unwrap_or_default()
    }

    fn asked(&self) -> Object {
        object([("what", self.what.clone())])
    }

    fn asked_now(&self) -> Object {
        object([("what", self.changed.clone())])
    }

    fn on_record(&self) -> Object {
        object([("text", self.text.clone())])
    }

    /// A change of what is on record.
    fn update(&self, token: &str) -> pb::UpdateRequest {
        let (resource_status_address, resource_status_token) = self.place();
        pb::UpdateRequest {
            resource_status_address,
            resource_status_token,
            urn: urn(token),
            id: "existing-1".to_owned(),
            olds: Some(wire(&self.on_record())),
            old_inputs: Some(wire(&self.asked())),
            news: Some(wire(&self.asked_now())),
            ..<_>::default()
        }
    }
}

impl Call {
    /// Makes the call. Whatever comes of it when it goes well is what a well-behaved guest answers.
    pub(crate) async fn make(self, serving: &Serving) -> Result<(), Status> {
        self.make_with(serving, &Given::default()).await.map(drop)
    }

    /// Makes the call, with something of one's own. Returns what anybody may read of the answer: of what is marked as secret nothing is
    /// printed, and ids and URNs are what they are.
    pub(crate) async fn make_with(self, serving: &Serving, given: &Given) -> Result<String, Status> {
        let (mut client, timeout) = (serving.client.clone(), given.timeout);
        let (resource_status_address, resource_status_token) = given.place();
        match self {
            Self::CheckConfig => serving.check_config(given.configuration.clone()).await.map(printed),
            Self::DiffConfig => {
                let configuration = &given.configuration;
                serving.diff_config(configuration.clone(), configuration.clone()).await.map(printed)
            }
            Self::Check => serving.check(OWN, given.asked()).await.map(printed),
            Self::Diff => serving.diff(OWN, given.on_record(), given.asked(), given.asked_now()).await.map(printed),
            Self::Preview => serving.preview(OWN, given.asked()).await.map(printed),
            Self::PreviewUpdate => {
                let request = pb::UpdateRequest { preview: true, ..given.update(OWN) };
                client.update(request).await.map(|updated| read([updated.into_inner().properties]))
            }
            Self::Create => {
                let created = creation(THING, given.asked());
                let request = pb::CreateRequest { timeout, resource_status_address, resource_status_token, ..created };
                serving.create_as(request).await.map(|created| printed(created.state))
            }
            Self::Read => {
                let request = pb::ReadRequest {
                    urn: urn(THING),
                    id: "existing-1".to_owned(),
                    properties: Some(wire(&given.on_record())),
                    inputs: Some(wire(&given.asked())),
                    resource_status_address,
                    resource_status_token,
                    ..<_>::default()
                };
                client.read(request).await.map(|found| found.into_inner()).map(|of| read([of.properties, of.inputs]))
            }
            Self::Import => {
                serving.import(THING, "existing-1").await.map(|found| read([found.properties, found.inputs]))
            }
            Self::Update => {
                let request = pb::UpdateRequest { timeout, ..given.update(THING) };
                client.update(request).await.map(|updated| read([updated.into_inner().properties]))
            }
            Self::Delete => {
                let request = pb::DeleteRequest {
                    urn: urn(THING),
                    id: "existing-1".to_owned(),
                    properties: Some(wire(&given.on_record())),
                    timeout,
                    resource_status_address,
                    resource_status_token,
                    ..<_>::default()
                };
                client.delete(request).await.map(|_| String::new())
            }
            Self::Invoke => serving.invoke(TELL, given.asked()).await.map(printed),
            Self::Construct => {
                let monitor = Monitor::start().await;
                let mut request = construction(&monitor, "hostile:index:Group", given.asked());
                if let Some(engine) = &given.engine {
                    request.monitor_endpoint.clone_from(&engine.monitor);
                }
                let constructed = serving.construct(request).await;
                constructed.map(|of| printed((of.state, of.dependencies.into_keys().collect::<Vec<_>>())))
            }
            Self::Method => {
                let monitor = Monitor::start().await;
                let group = ("__self__".to_owned(), Value::from(urn("hostile:index:Group")));
                let arguments = given.arguments.clone().into_map().into_iter().chain([group]).collect();
                let mut request = calling(&monitor, "hostile:index:Group/tell", arguments);
                if let Some(engine) = &given.engine {
                    request.monitor_endpoint.clone_from(&engine.monitor);
                }
                let called = serving.call(request).await;
                called.map(|of| printed((of.value, of.failures, of.dependencies.into_keys().collect::<Vec<_>>())))
            }
            Self::List => query(serving, given.asked()).await.map(|found| found.join("\n")),
            Self::Mapping => {
                let request = pb::GetMappingRequest { key: "terraform".to_owned(), ..<_>::default() };
                client.get_mapping(request).await.map(|mapping| printed(mapping.into_inner()))
            }
            Self::Mappings => {
                let request = pb::GetMappingsRequest { key: "terraform".to_owned() };
                client.get_mappings(request).await.map(|mappings| printed(mappings.into_inner()))
            }
        }
    }
}

fn printed(answer: impl Debug) -> String {
    format!("{answer:?}")
}

/// The same of objects as they are sent.
fn read<const N: usize>(objects: [Option<Struct>; N]) -> String {
    printed(objects.map(|sent| sent.map(received)))
}

/// How many things are listed with a query.
pub(crate) async fn listed(serving: &Serving, asked: &str) -> Result<usize, Status> {
    query(serving, object([("what", asked)])).await.map(|found| found.len())
}

/// The names of what is found.
async fn query(serving: &Serving, query: Object) -> Result<Vec<String>, Status> {
    let request = pb::ListRequest { token: THING.to_owned(), query: Some(wire(&query)), ..<_>::default() };
    let mut results = serving.client.clone().list(request).await?.into_inner();
    let mut found = Vec::new();
    while let Some(result) = results.message().await? {
        found.push(match result.response {
            Some(pb::list_response::Response::Result(result)) => result.name,
            _ => String::new(),
        });
    }
    Ok(found)
}
