//! Construct and Call, by an engine that tries a provider out.

use std::future::Future;
use std::time::Duration;

use bulkhead_proto::provider as pb;
use bulkhead_value::Object;
use tonic::{Response, Status};

use super::engine::{Engine, Reply, object, wire};
use super::monitor::Monitor;
use super::refusal::Refusal;
use super::subject::{NAME, PROJECT, STACK};

/// How long a component may take whose engine answers at once. Real ones wait for their children, so the host sets no limit.
const PATIENCE: Duration = Duration::from_secs(60);

impl Engine {
    /// The URN of what was constructed, whose state can be read.
    pub(super) async fn construct(
        &self,
        token: &str,
        inputs: &Object,
        monitor: &Monitor,
        preview: bool,
    ) -> Reply<String> {
        let request = pb::ConstructRequest {
            r#type: token.to_owned(),
            name: NAME.to_owned(),
            inputs: Some(wire(inputs)?),
            project: PROJECT.to_owned(),
            stack: STACK.to_owned(),
            dry_run: preview,
            parallel: 16,
            monitor_endpoint: monitor.endpoint.clone(),
            accepts_output_values: true,
            ..pb::ConstructRequest::default()
        };
        let constructed = self.patiently(self.client().construct(request)).await?;
        // A state that can't be decoded is a finding too.
        object(constructed.state)?;
        Ok(constructed.urn)
    }

    /// Failures of the arguments, if there are any.
    pub(super) async fn call(
        &self,
        token: &str,
        arguments: &Object,
        monitor: &Monitor,
    ) -> Reply<Vec<(String, String)>> {
        let request = pb::CallRequest {
            tok: token.to_owned(),
            args: Some(wire(arguments)?),
            project: PROJECT.to_owned(),
            stack: STACK.to_owned(),
            parallel: 16,
            monitor_endpoint: monitor.endpoint.clone(),
            accepts_output_values: true,
            ..pb::CallRequest::default()
        };
        let called = self.patiently(self.client().call(request)).await?;
        // A result that can't be decoded is a finding too.
        object(called.r#return)?;
        Ok(called.failures.into_iter().map(|failure| (failure.property, failure.reason)).collect())
    }

    async fn patiently<T>(&self, reply: impl Future<Output = Result<Response<T>, Status>>) -> Reply<T> {
        match tokio::time::timeout(PATIENCE, self.told(reply)).await {
            Ok(reply) => reply,
            Err(_) => Err(Refusal {
                message: format!(
                    "it isn't done after {} seconds, although the engine answers at once",
                    PATIENCE.as_secs()
                ),
                hint: None,
                is_bug: true,
                is_cancelled: false,
                left: None,
            }),
        }
    }
}
