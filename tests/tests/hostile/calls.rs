//! Every call that reaches a guest, so that an attack can be tried in each of them.

use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::{calling, construction};
use bulkhead_tests::monitor::Monitor;
use bulkhead_tests::serving::{Serving, creation, urn, wire};
use bulkhead_value::Object;
use tonic::Status;

use crate::{OWN, TELL, THING, on_record, what};

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

impl Call {
    /// Makes the call. Whatever comes of it when it goes well is what a well-behaved guest answers.
    pub(crate) async fn make(self, serving: &Serving) -> Result<(), Status> {
        self.make_within(serving, 0.0).await
    }

    /// Makes the call, with a timeout in seconds where engines have one.
    pub(crate) async fn make_within(self, serving: &Serving, timeout: f64) -> Result<(), Status> {
        let mut client = serving.client.clone();
        match self {
            Self::CheckConfig => serving.check_config(Object::new()).await.map(drop),
            Self::DiffConfig => serving.diff_config(Object::new(), Object::new()).await.map(drop),
            Self::Check => serving.check(OWN, what("x")).await.map(drop),
            Self::Diff => serving.diff(OWN, on_record(), what("x"), what("y")).await.map(drop),
            Self::Preview => serving.preview(OWN, what("x")).await.map(drop),
            Self::PreviewUpdate => {
                client.update(pb::UpdateRequest { urn: urn(OWN), preview: true, ..update() }).await.map(drop)
            }
            Self::Create => {
                serving.create_as(pb::CreateRequest { timeout, ..creation(THING, what("x")) }).await.map(drop)
            }
            Self::Read => serving.read(THING, "existing-1", on_record(), what("x")).await.map(drop),
            Self::Import => serving.import(THING, "existing-1").await.map(drop),
            Self::Update => client.update(pb::UpdateRequest { urn: urn(THING), timeout, ..update() }).await.map(drop),
            Self::Delete => {
                let (urn, id, properties) = (urn(THING), "existing-1".to_owned(), Some(wire(&on_record())));
                client.delete(pb::DeleteRequest { urn, id, properties, timeout, ..<_>::default() }).await.map(drop)
            }
            Self::Invoke => serving.invoke(TELL, what("x")).await.map(drop),
            Self::Construct => {
                let monitor = Monitor::start().await;
                serving.construct(construction(&monitor, "hostile:index:Group", what("x"))).await.map(drop)
            }
            Self::Method => {
                let monitor = Monitor::start().await;
                let group = bulkhead_value::Value::from(urn("hostile:index:Group"));
                let arguments = [("__self__", group)].into_iter().collect();
                serving.call(calling(&monitor, "hostile:index:Group/tell", arguments)).await.map(drop)
            }
            Self::List => listed(serving, "x").await.map(drop),
            Self::Mapping => {
                let request = pb::GetMappingRequest { key: "terraform".to_owned(), ..<_>::default() };
                client.get_mapping(request).await.map(drop)
            }
            Self::Mappings => {
                let request = pb::GetMappingsRequest { key: "terraform".to_owned() };
                client.get_mappings(request).await.map(drop)
            }
        }
    }
}

/// A change of what is on record.
fn update() -> pb::UpdateRequest {
    pb::UpdateRequest {
        id: "existing-1".to_owned(),
        olds: Some(wire(&on_record())),
        old_inputs: Some(wire(&what("x"))),
        news: Some(wire(&what("y"))),
        ..<_>::default()
    }
}

/// How many things are listed with a query.
pub(crate) async fn listed(serving: &Serving, query: &str) -> Result<usize, Status> {
    let query = Some(wire(&what(query)));
    let request = pb::ListRequest { token: THING.to_owned(), query, ..<_>::default() };
    let mut results = serving.client.clone().list(request).await?.into_inner();
    let mut count = 0;
    while results.message().await?.is_some() {
        count += 1;
    }
    Ok(count)
}
