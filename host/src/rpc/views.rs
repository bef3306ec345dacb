//! Views of an operation: those that a request says are on record, and where the engine shows new steps.
//!
//! An engine records a view beneath its resource, and can't save a state in which the resource is missing or, as after an update that
//! failed, comes later. So what is shown is held back until it is known that the resource is recorded anew, and views that a
//! deleted resource leaves behind are deleted with it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bulkhead_proto::provider::View as WireView;
use bulkhead_proto::resource_status::view_step::{Op, Status as StepStatus};
use bulkhead_proto::resource_status::{
    PublishViewStepsRequest, ResourceStatusClient, ViewStep as WireStep, ViewStepState,
};
use bulkhead_value::Object;
use bulkhead_value::wire::encode::Capabilities;
use prost::Message as _;
use tonic::Status;

use super::conversation::Conversation;
use super::difference::{Told, told};
use super::engine_service::EngineService;
use super::properties::{encoded, recorded};
use super::view_names::ViewNames;
use crate::provider::{
    Course, Error, ErrorKind, Message, View, ViewOperation, ViewPlace, ViewStatus, ViewStep, ViewsBefore, heard,
};

/// Bytes of steps in one call.
const MOST: usize = 64 << 20;
/// How long the engine may take for what was held back: the resource's outcome waits for it.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take where the process leaves. Calls end within 3 s there and it is gone after 4, and an outcome that wasn't told by then
/// is none to the engine.
const LEAVING: Duration = Duration::from_millis(250);

/// What an engine that was told of a resource's new name or type does with views of its old one ends it.
const RENAMED: &str = "what the resource consists of isn't shown, since it had another name, type or parent when that was recorded; hint: give \
                       it its old one back, or take what is recorded beneath it out of the state with `pulumi state delete`";

/// What the engine asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Creating,
    Reading,
    Updating,
    Deleting,
}

impl Doing {
    /// Whether it has to turn out first what is recorded of the resource.
    const fn holds(self) -> bool {
        !matches!(self, Self::Deleting)
    }
}

/// The views of one call, if the engine has a place for them.
pub(super) struct Views {
    place: Option<Arc<Place>>,
    recorded: Vec<View>,
}

/// Where an engine shows the views of one call.
#[derive(Debug)]
struct Place {
    service: EngineService,
    token: String,
    names: ViewNames,
    capabilities: Capabilities,
    doing: Doing,
    course: Mutex<Course>,
    held: Mutex<Held>,
}

/// Steps that the engine will be told of.
#[derive(Default)]
struct Held {
    steps: Vec<WireStep>,
    /// Bytes of all that were published, those that it was told of included.
    bytes: usize,
    /// What counts for them.
    counted: Vec<Box<dyn Send>>,
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Views {
    /// Those of a request, which names a place for them and says which are on record.
    pub(super) fn of(
        (address, token): (&str, String),
        names: ViewNames,
        doing: Doing,
        recorded: &[View],
        capabilities: Capabilities,
    ) -> Self {
        let place = |service| {
            let (course, held) = (Mutex::new(Course::of(recorded)), Mutex::default());
            Arc::new(Place { service, token, names, capabilities, doing, course, held })
        };
        Self { place: EngineService::at(address).map(place), recorded: recorded.to_vec() }
    }

    /// Where the guest's are shown.
    pub(super) fn place(&self) -> Option<Arc<dyn ViewPlace>> {
        let place = self.place.clone()?;
        Some(place)
    }

    /// Shows what was held back: the resource exists, as this call says.
    pub(super) async fn exists(&self, conversation: &Conversation, urn: &str) {
        let Some(place) = &self.place else { return };
        let held = std::mem::take(&mut *place.held.lock().unwrap_or_else(PoisonError::into_inner));
        // Few have any, and all others would carry the room for it.
        Box::pin(place.told(held.steps, conversation, urn)).await;
        drop(held.counted);
    }

    /// Deletes what is left beneath the resource, which doesn't exist any more.
    pub(super) async fn gone(&self, conversation: &Conversation, urn: &str) {
        let Some(place) = &self.place else { return };
        let left = |view: &&View| {
            place.doing.holds() || place.course.lock().unwrap_or_else(PoisonError::into_inner).is_left(view)
        };
        let delete = |view: &View| ViewStep {
            token: view.token.clone(),
            name: view.name.clone(),
            parent: view.parent.clone(),
            operation: ViewOperation::Delete,
            status: ViewStatus::Done,
            error: String::new(),
            old_state: Some(view.state.clone()),
            new_state: None,
            changes: Vec::new(),
        };
        let deleted = |view: &View| {
            let step = delete(view);
            // Who a view is says which goes, and what it was is no more than shown.
            let bare = || place.step(&ViewStep { old_state: Some(Object::new()), ..step.clone() }, Op::Delete);
            place.step(&step, Op::Delete).or_else(|_| bare()).ok()
        };
        let steps = self.recorded.iter().filter(left).filter_map(deleted).collect();
        Box::pin(place.told(steps, conversation, urn)).await;
    }
}

/// The views that a request says are on record, by the guest's names.
///
/// # Errors
/// INVALID_ARGUMENT for values that can't be read.
pub(super) fn on_record(views: Vec<WireView>, names: &ViewNames) -> Result<Vec<View>, Status> {
    let view = |view: WireView| {
        let parent = (!view.parent_name.is_empty()).then(|| (view.parent_type, names.guests(&view.parent_name)));
        Ok(View {
            token: view.r#type,
            name: names.guests(&view.name),
            parent,
            inputs: recorded(view.inputs, "a view's inputs")?.unwrap_or_default(),
            state: recorded(view.outputs, "a view's outputs")?.unwrap_or_default(),
        })
    };
    views.into_iter().map(view).collect()
}

#[async_trait]
impl ViewPlace for Place {
    async fn publish(&self, steps: Vec<ViewStep>, counted: Box<dyn Send>) -> Result<(), Error> {
        let bug = |wrong: String| Error::new(ErrorKind::ProviderBug, wrong);
        if self.doing == Doing::Deleting
            && let Some(step) =
                steps.iter().find(|step| !matches!(step.operation, ViewOperation::Delete | ViewOperation::Same))
        {
            let (name, token) = (&step.name, &step.token);
            return Err(bug(format!("the view `{name}` of the type `{token}` wasn't deleted while its resource was")));
        }
        // What stays stays on record by itself, and would be left there by a resource that is deleted in the end.
        let steps: Vec<ViewStep> = steps
            .into_iter()
            .filter(|step| self.doing != Doing::Deleting || step.operation != ViewOperation::Same)
            .collect();
        let told: Result<Vec<Vec<_>>, Error> = steps.iter().map(|step| self.steps(step)).collect();
        let told: Vec<_> = told?.into_iter().flatten().collect();
        // What the engine isn't told of has no part in the course: a view of which nothing was heard is deleted with its resource.
        self.fits(&told)?;
        let before = self.course.lock().unwrap_or_else(PoisonError::into_inner).take(&steps).map_err(bug)?;
        drop(steps);
        if self.doing.holds() {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            held.steps.extend(told);
            held.counted.push(counted);
            return Ok(());
        }
        let mut telling = Telling { course: &self.course, before };
        self.tell(told).await.map_err(|status| Error::new(ErrorKind::Failed, refusal(&status)))?;
        telling.before = ViewsBefore::default();
        Ok(())
    }
}

/// Steps that an engine is being told of. Until it is known that it takes them, as it never is of a call that is cancelled meanwhile, they
/// have no part in the course: to be told of a deletion twice is nothing to an engine, and a view whose deletion it never heard of stays
/// on record without its resource.
struct Telling<'c> {
    course: &'c Mutex<Course>,
    before: ViewsBefore,
}

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        let before = std::mem::take(&mut self.before);
        self.course.lock().unwrap_or_else(PoisonError::into_inner).give_back(before);
    }
}

fn refusal(status: &Status) -> String {
    format!("the engine doesn't take the views: {}", status.message())
}

impl Place {
    /// Counts steps.
    ///
    /// # Errors
    /// Too much in one call.
    fn fits(&self, steps: &[WireStep]) -> Result<(), Error> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.bytes = held.bytes.saturating_add(steps.iter().map(WireStep::encoded_len).sum());
        if held.bytes > MOST {
            let most = MOST >> 20;
            let wrong = format!("the provider published more than {most} MiB of views in one call");
            return Err(Error::new(ErrorKind::ProviderBug, wrong));
        }
        Ok(())
    }

    async fn tell(&self, steps: Vec<WireStep>) -> Result<(), Status> {
        if steps.is_empty() || self.names.renamed() {
            return Ok(());
        }
        let request = PublishViewStepsRequest { token: self.token.clone(), steps };
        ResourceStatusClient::new(self.service.channel()).publish_view_steps(request).await.map(drop)
    }

    /// Tells the engine what doesn't change the operation's outcome; that it doesn't take it, the user is told.
    async fn told(&self, steps: Vec<WireStep>, conversation: &Conversation, urn: &str) {
        let text = if self.names.renamed() && !steps.is_empty() {
            RENAMED.to_owned()
        } else {
            tokio::select! {
                biased;
                told = self.tell(steps) => match told {
                    Ok(()) => return,
                    Err(status) => refusal(&status),
                },
                () = conversation.leaving.begun_since(LEAVING) => {
                    "the engine doesn't take the views before the provider's process leaves".to_owned()
                }
                () = tokio::time::sleep(PATIENCE) => {
                    format!("the engine doesn't take the views within {} seconds", PATIENCE.as_secs())
                }
            }
        };
        let log = conversation.log.as_ref();
        log.log(Message { urn: Some(urn.to_owned()), ..Message::warning(text) });
        heard(log, None).await;
    }

    /// A step as the engine's own. It records nothing of a replacement, but of what that consists of.
    fn steps(&self, step: &ViewStep) -> Result<Vec<WireStep>, Error> {
        let op = match step.operation {
            ViewOperation::Same => Op::Same,
            ViewOperation::Create => Op::Create,
            ViewOperation::Read => Op::Read,
            ViewOperation::Update => Op::Update,
            ViewOperation::Delete => Op::Delete,
            // A refresh takes the new state of any step.
            ViewOperation::Replace if self.doing == Doing::Reading => Op::Replace,
            ViewOperation::Replace if step.error.is_empty() => {
                let deleted = ViewStep { new_state: None, ..step.clone() };
                return Ok(vec![
                    self.step(step, Op::CreateReplacement)?,
                    self.step(step, Op::Replace)?,
                    self.step(&deleted, Op::DeleteReplaced)?,
                ]);
            }
            // Both would be on record if the one that failed in part weren't in the other's place.
            ViewOperation::Replace if step.status == ViewStatus::Partial => Op::Update,
            ViewOperation::Replace => Op::Replace,
        };
        Ok(vec![self.step(step, op)?])
    }

    fn step(&self, step: &ViewStep, op: Op) -> Result<WireStep, Error> {
        let name = self.names.engines(&step.token, &step.name);
        let parent = step.parent.as_ref().map(|(token, name)| (token.clone(), self.names.engines(token, name)));
        let (parent_type, parent_name) = parent.unwrap_or_default();
        let state = |state: Option<&Object>| {
            let outputs = state.map(|state| encoded(state, &self.capabilities)).transpose()?;
            Ok::<_, Error>(outputs.map(|outputs| ViewStepState {
                r#type: step.token.clone(),
                name: name.clone(),
                parent_type: parent_type.clone(),
                parent_name: parent_name.clone(),
                inputs: None,
                outputs: Some(outputs),
            }))
        };
        // What changed lies between two states. An engine that is told so of one alone ends when it shows it, in the middle of what it
        // writes down.
        let changes = step.old_state.as_ref().and(step.new_state.as_ref()).map_or(&[][..], |_| &step.changes);
        let Told { replaces, diffs, detailed } = told(changes);
        Ok(WireStep {
            status: match step.status {
                ViewStatus::Done => StepStatus::Ok,
                ViewStatus::Partial => StepStatus::PartialFailure,
                ViewStatus::Unknown => StepStatus::Unknown,
            } as i32,
            error: step.error.clone(),
            op: op as i32,
            old: state(step.old_state.as_ref())?,
            new: state(step.new_state.as_ref())?,
            keys: replaces.into_iter().collect(),
            diffs: diffs.into_iter().collect(),
            has_detailed_diff: !detailed.is_empty(),
            detailed_diff: detailed,
            r#type: step.token.clone(),
            name,
        })
    }
}
