//! `views`: what an operation manages in other terms, shown by the engine while it goes on.

use std::sync::Arc;

use bulkhead_schema::secrets::Marking;
use bulkhead_schema::{ObjectType, Package, Steps};
use bulkhead_value::Object;

use crate::provider::{ViewOperation, ViewStatus, ViewStep, flaw_of_name, flaw_of_type, shortened};
use crate::store::{Ending, State};
use crate::threads::beside_others;
use crate::wit::bindings::types::Error;
use crate::wit::bindings::values::Tree;
use crate::wit::bindings::views::{self as wit, Host};
use crate::wit::{Places, TreeLimits, Weigh, changes_of, error_of, object_from_tree, optional_object, refusal};

/// Steps in one call.
const MOST: usize = 10_000;

impl Host for State {
    async fn publish(&mut self, steps: Vec<wit::ViewStep>) -> wasmtime::Result<Result<(), Error>> {
        let Some(place) = self.call.views.clone() else {
            return Ok(Err(Error::Unsupported("the engine has no place for views in this call".to_owned())));
        };
        // The engine would be asked for nothing, as often as somebody likes: steps are counted, and not how often there are any.
        if steps.is_empty() {
            return Ok(Ok(()));
        }
        // A state of millions of nodes may be in them.
        beside_others().await;
        // The engine takes its time for them, or they are kept until it is known what becomes of the resource.
        let mut counted = self.meter.holding();
        if counted.take(steps.weight()).is_err() {
            return Ok(Err(Error::Other("there is no memory left to keep views of this size".to_owned())));
        }
        let steps = match self.checked(steps).await? {
            Ok(steps) => steps,
            Err(error) => return Ok(Err(error)),
        };
        tokio::select! {
            biased;
            () = self.call.hard.cancelled() => Err(Ending::of(&self.call).into()),
            published = place.publish(steps, Box::new(counted)) => Ok(published.map_err(error_of)),
            () = self.call.soft.cancelled() => Ok(Err(Error::Cancelled)),
        }
    }
}

impl State {
    /// The steps in the waist's terms, with what is secret marked: by the schema of their types, and as in the request's inputs.
    ///
    /// # Errors
    /// The end of the call, which comes in the middle of them: the guest says how many there are, and each may take as long as a
    /// comparison may.
    async fn checked(&mut self, steps: Vec<wit::ViewStep>) -> wasmtime::Result<Result<Vec<ViewStep>, Error>> {
        let (package, mut marking, limits) = match self.marking(steps.len()) {
            Ok(marking) => marking,
            Err(error) => return Ok(Err(error)),
        };
        let mut checked = Vec::with_capacity(steps.len());
        for step in steps {
            tokio::task::yield_now().await;
            if self.call.hard.is_cancelled() {
                return Err(Ending::of(&self.call).into());
            }
            match self.step(step, &package, &mut marking, &limits) {
                Ok(step) => checked.push(step),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(checked))
    }

    /// What so many more steps are marked by, and held to.
    fn marking(&mut self, steps: usize) -> Result<(Arc<Package>, Marking, TreeLimits), Error> {
        self.call.published = self.call.published.saturating_add(steps);
        if self.call.published > MOST {
            return Err(Error::Bug(format!("the provider published more than {MOST} steps of views in one call")));
        }
        // What the guest is given beforehand is about nothing that could be shown.
        let (Some(request), Some(package)) = (self.call.request.clone(), self.call.package.clone()) else {
            return Err(Error::Unsupported("views can be shown only while an operation goes on".to_owned()));
        };
        // Once for all: a guest may publish thousands of steps about a state of millions of nodes.
        let limits = TreeLimits { places: Places::of(request.as_ref()), ..self.limits.trees() };
        let inputs = match request.trees().first() {
            // The host made it, as large as the engine has it.
            Some(first) => {
                let whole = TreeLimits { depth: usize::MAX, nodes: usize::MAX, ..TreeLimits::default() };
                Some(object_from_tree(Tree::clone(first), &whole).map_err(refusal)?)
            }
            None => None,
        };
        Ok((package, Marking::by(inputs, Steps::of(1)), limits))
    }

    fn step(
        &self,
        step: wit::ViewStep,
        package: &Package,
        marking: &mut Marking,
        limits: &TreeLimits,
    ) -> Result<ViewStep, Error> {
        let parent = step.parent.as_ref();
        let flaw = flaw_of_type(&step.token).or_else(|| flaw_of_name(&step.name));
        if let Some(flaw) =
            flaw.or_else(|| parent.and_then(|(token, name)| flaw_of_type(token).or_else(|| flaw_of_name(name))))
        {
            return Err(Error::Bug(format!("the provider published a view with {flaw}")));
        }
        self.may_show(&step.token)?;
        let mut state = |tree| -> Result<Option<Object>, Error> {
            let Some(state) = optional_object(tree, limits).map_err(refusal)? else { return Ok(None) };
            let state = self.call.leaks.object(package, &step.token, state);
            // A view may be of a type that nobody declares.
            let undeclared = ObjectType::default();
            let ty = package.resource(&step.token).map_or(&undeclared, |view| &view.outputs);
            let marked = marking.mark(package, ty, state);
            marked.map(Some).ok_or_else(|| {
                let wrong = "the provider published views at once with too much in their states to be compared with the types that the schema allows";
                Error::Bug(wrong.to_owned())
            })
        };
        let (old_state, new_state) = (state(step.old_state)?, state(step.new_state)?);
        let changes = changes_of(step.changes);
        let changes = changes.map_err(|flaw| Error::Bug(format!("the provider published {flaw}")))?;
        Ok(ViewStep {
            token: step.token,
            name: step.name,
            parent: step.parent,
            operation: match step.operation {
                wit::ViewOperation::Same => ViewOperation::Same,
                wit::ViewOperation::Create => ViewOperation::Create,
                wit::ViewOperation::Read => ViewOperation::Read,
                wit::ViewOperation::Update => ViewOperation::Update,
                wit::ViewOperation::Delete => ViewOperation::Delete,
                wit::ViewOperation::Replace => ViewOperation::Replace,
            },
            status: match step.status {
                wit::ViewStatus::Done => ViewStatus::Done,
                wit::ViewStatus::Partial => ViewStatus::Partial,
                wit::ViewStatus::Unknown => ViewStatus::Unknown,
            },
            error: shortened(self.call.leaks.text(step.error), self.limits.log_message),
            old_state,
            new_state,
            changes: self.call.leaks.changes(changes),
        })
    }
}
