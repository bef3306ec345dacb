//! Short forms of Construct and Call, by an engine that accepts outputs in results.

use std::collections::BTreeMap;

use bulkhead_proto::provider as pb;
use bulkhead_value::Object;
use tonic::Status;

use crate::monitor::Monitor;
use crate::serving::{Serving, object, wire};

/// A constructed component.
#[derive(Debug)]
pub struct Constructed {
    /// Its URN.
    pub urn: String,
    /// Its outputs.
    pub state: Object,
    /// What outputs depend on, beside what they say themselves.
    pub dependencies: BTreeMap<String, Vec<String>>,
}

/// What a method returned.
#[derive(Debug)]
pub struct Called {
    /// The result.
    pub value: Object,
    /// What its members depend on, beside what they say themselves.
    pub dependencies: BTreeMap<String, Vec<String>>,
    /// Failures: the argument and why.
    pub failures: Vec<(String, String)>,
}

/// A request to construct the component `name` of a type with a monitor.
pub fn construction(monitor: &Monitor, token: &str, inputs: Object) -> pb::ConstructRequest {
    pb::ConstructRequest {
        r#type: token.to_owned(),
        name: "name".to_owned(),
        inputs: Some(wire(&inputs)),
        monitor_endpoint: monitor.endpoint(),
        accepts_output_values: true,
        parallel: 16,
        ..<_>::default()
    }
}

/// A request to call a method with a monitor.
pub fn calling(monitor: &Monitor, token: &str, arguments: Object) -> pb::CallRequest {
    pb::CallRequest {
        tok: token.to_owned(),
        args: Some(wire(&arguments)),
        monitor_endpoint: monitor.endpoint(),
        accepts_output_values: true,
        parallel: 16,
        ..<_>::default()
    }
}

impl Serving {
    /// Construct.
    pub async fn construct(&self, request: pb::ConstructRequest) -> Result<Constructed, Status> {
        let constructed = self.client.clone().construct(request).await?.into_inner();
        let dependencies = constructed.state_dependencies.into_iter().map(|(name, of)| (name, of.urns));
        Ok(Constructed {
            urn: constructed.urn,
            state: object(constructed.state.expect("a component should have a state")),
            dependencies: dependencies.collect(),
        })
    }

    /// Call.
    pub async fn call(&self, request: pb::CallRequest) -> Result<Called, Status> {
        let called = self.client.clone().call(request).await?.into_inner();
        let dependencies = called.return_dependencies.into_iter().map(|(name, of)| (name, of.urns));
        Ok(Called {
            value: called.r#return.map(object).unwrap_or_default(),
            dependencies: dependencies.collect(),
            failures: called.failures.into_iter().map(|failure| (failure.property, failure.reason)).collect(),
        })
    }
}
