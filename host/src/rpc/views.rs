//! Views of an operation: those that a request says are on record, and where the engine shows new steps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use bulkhead_proto::provider::{PropertyDiff, View as WireView};
use bulkhead_proto::resource_status::view_step::{Op, Status as StepStatus};
use bulkhead_proto::resource_status::{
    PublishViewStepsRequest, ResourceStatusClient, ViewStep as WireStep, ViewStepState,
};
use bulkhead_value::wire::encode::Capabilities;
use tonic::Status;

use super::difference::kind;
use super::engine_service::EngineService;
use super::properties::{encoded, recorded};
use crate::provider::{Change, Error, ErrorKind, View, ViewOperation, ViewPlace, ViewStatus, ViewStep, misfit};

/// Where an engine shows the views of one call.
#[derive(Debug)]
struct Place {
    service: EngineService,
    token: String,
    recorded: Vec<View>,
    capabilities: Capabilities,
}

/// The place that a request names, which has these views on record. None if the engine has none.
pub(super) fn place(
    (address, token): (&str, String),
    recorded: &[View],
    capabilities: Capabilities,
) -> Option<Arc<dyn ViewPlace>> {
    let service = EngineService::at(address)?;
    Some(Arc::new(Place { service, token, recorded: recorded.to_vec(), capabilities }))
}

/// The views that a request says are on record.
///
/// # Errors
/// INVALID_ARGUMENT for values that can't be read.
pub(super) fn on_record(views: Vec<WireView>) -> Result<Vec<View>, Status> {
    let view = |view: WireView| {
        Ok(View {
            token: view.r#type,
            name: view.name,
            parent: (!view.parent_name.is_empty()).then_some((view.parent_type, view.parent_name)),
            inputs: recorded(view.inputs, "a view's inputs")?.unwrap_or_default(),
            state: recorded(view.outputs, "a view's outputs")?.unwrap_or_default(),
        })
    };
    views.into_iter().map(view).collect()
}

#[async_trait]
impl ViewPlace for Place {
    async fn publish(&self, steps: Vec<ViewStep>) -> Result<(), Error> {
        if let Some(wrong) = steps.iter().find_map(|step| misfit(step, &self.recorded)) {
            return Err(Error::new(ErrorKind::ProviderBug, wrong));
        }
        let steps: Result<_, Status> = steps.into_iter().map(|step| self.step(step)).collect();
        let steps = steps.map_err(|status| Error::new(ErrorKind::ProviderBug, status.message()))?;
        let request = PublishViewStepsRequest { token: self.token.clone(), steps };
        let published = ResourceStatusClient::new(self.service.channel()).publish_view_steps(request).await;
        published.map(drop).map_err(|status| {
            Error::new(ErrorKind::Failed, format!("the engine doesn't take the views: {}", status.message()))
        })
    }
}

impl Place {
    fn step(&self, step: ViewStep) -> Result<WireStep, Status> {
        let (parent_type, parent_name) = step.parent.clone().unwrap_or_default();
        let state = |state: Option<bulkhead_value::Object>| {
            let outputs = state.map(|state| encoded(&state, &self.capabilities)).transpose()?;
            Ok::<_, Status>(outputs.map(|outputs| ViewStepState {
                r#type: step.token.clone(),
                name: step.name.clone(),
                parent_type: parent_type.clone(),
                parent_name: parent_name.clone(),
                inputs: None,
                outputs: Some(outputs),
            }))
        };
        let first = |change: &Change| change.path.first_name().map(str::to_owned);
        let keys: BTreeSet<String> = step.changes.iter().filter(|change| change.replaces).filter_map(first).collect();
        let diffs: BTreeSet<String> = step.changes.iter().filter_map(first).collect();
        let detailed: BTreeMap<String, PropertyDiff> = step
            .changes
            .iter()
            .map(|change| {
                let diff = PropertyDiff { kind: kind(change) as i32, input_diff: change.input_diff };
                (change.path.to_string(), diff)
            })
            .collect();
        Ok(WireStep {
            status: match step.status {
                ViewStatus::Done => StepStatus::Ok,
                ViewStatus::Partial => StepStatus::PartialFailure,
                ViewStatus::Unknown => StepStatus::Unknown,
            } as i32,
            error: step.error,
            op: match step.operation {
                ViewOperation::Same => Op::Same,
                ViewOperation::Create => Op::Create,
                ViewOperation::Read => Op::Read,
                ViewOperation::Update => Op::Update,
                ViewOperation::Delete => Op::Delete,
                ViewOperation::Replace => Op::Replace,
            } as i32,
            old: state(step.old_state)?,
            new: state(step.new_state)?,
            keys: keys.into_iter().collect(),
            diffs: diffs.into_iter().collect(),
            has_detailed_diff: !detailed.is_empty(),
            detailed_diff: detailed,
            r#type: step.token,
            name: step.name,
        })
    }
}
