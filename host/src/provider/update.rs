//! Update: a change in place, which may succeed in part.
//!
//! What is to be ignored is as it was: an engine has put the old inputs in its place before they were checked, but a check may have
//! changed them since, as where a newer provider has another default. Where the old inputs are of a newer version, so is what the engine put
//! there, and the state says how it was. So it does of what an upgrade has moved or converted since.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bulkhead_schema::{Resource, read, secrets};
use bulkhead_value::{Object, PropertyPath, Value, equivalent};

use super::create::{recordable, settled};
use super::outcome::look_again;
use super::{Context, Error, ErrorKind, Notes, Outcome, Partial, Prior, Reason, Record, Session, Snapshot, Updated};

/// What to do about a resource that isn't well yet, and which no update makes so.
const AGAIN: &str = "run `pulumi up` again once it is ready, or replace it: `pulumi up --replace URN`";

impl Session {
    /// Changes a resource to checked inputs.
    ///
    /// # Errors
    /// Only what kept the guest from being called. What came of the call is the [`Outcome`].
    pub async fn update(
        &self,
        context: &Context,
        record: &Record,
        inputs: &Object,
        ignore_changes: &[PropertyPath],
    ) -> Result<Outcome<Updated>, Error> {
        self.ready()?;
        let resource = self.resource(&context.token)?;
        self.guest_has_resources()?;
        let inputs = &*settled(inputs, "update a resource to")?;
        let record = self.up_to_date(context, record).await?;
        let prior = &record.prior;
        if !resource.facts.methods.update {
            return self.retry_initialisation(context, &record, inputs, ignore_changes).await;
        }
        let inputs = &*self.without(resource, ignore_changes, &record, inputs);
        let asked = self.asked_by_then(resource, &record, inputs);
        let (told, typed) = (self.typed_prior(resource, &asked), self.typed(resource, inputs));
        let updated = match self.guest.update(self.changing(context), &told, &typed).await {
            Ok(updated) => updated,
            Err(fault) => return Ok(self.marked(resource, inputs, Outcome::from_fault(fault, look_again(resource)))),
        };
        Ok(self.accepted(resource, prior, inputs, updated))
    }

    /// A record for a guest to compare with new inputs. What an update that failed had added or taken away, and these inputs have as those
    /// before it, was asked for by then: else nothing tells that it is to be taken back.
    fn asked_by_then<'r>(&self, resource: &Resource, record: &'r Record, inputs: &Object) -> Cow<'r, Prior> {
        let prior = &record.prior;
        let Some(before) = &prior.inputs else { return Cow::Borrowed(prior) };
        let turned = |name: &&String| {
            let [before, now, state] = [before, inputs, &prior.state].map(|side| side.there(name).is_some());
            // A state that lacks what every resource has is a part.
            before == now && state != now && (state || !resource.inputs.required.contains(name.as_str()))
        };
        let mut turned = record.reached.iter().filter(turned).peekable();
        if turned.peek().is_none() {
            return Cow::Borrowed(prior);
        }
        let mut reached = read::inputs_from_state(&self.package, resource, &prior.state);
        let mut asked = before.clone();
        for name in turned {
            match reached.remove(name) {
                Some(value) => drop(asked.insert(name.clone(), value)),
                None => drop(asked.remove(name)),
            }
        }
        Cow::Owned(Prior { inputs: Some(asked), ..prior.clone() })
    }

    /// What an update returned, or why it can't be the resource's state.
    fn accepted(&self, resource: &Resource, prior: &Prior, inputs: &Object, updated: Updated) -> Outcome<Updated> {
        let reasons = self.nonconforming(resource, &updated.state, &prior.state);
        let state = secrets::mark(&self.package, &resource.outputs, Some(inputs), updated.state);
        if reasons.is_empty() {
            return Outcome::Done(Updated { state, ..updated });
        }
        Outcome::Partial(Partial {
            id: prior.id.clone(),
            state: recordable(state),
            inputs: None,
            reasons: reasons.into_iter().map(Reason::Said).collect(),
            refresh_before_update: updated.refresh_before_update,
            finished: true,
        })
    }

    /// What an engine asks for when the last create was partial and nothing changed since, of a type that can't update: is
    /// the resource well by now?
    async fn retry_initialisation(
        &self,
        context: &Context,
        record: &Record,
        inputs: &Object,
        ignore_changes: &[PropertyPath],
    ) -> Result<Outcome<Updated>, Error> {
        let resource = self.resource(&context.token)?;
        let prior = &record.prior;
        let unchanged = resource.facts.methods.read
            && self.compared(context, record, inputs, &Notes::default(), ignore_changes).await?.changes.is_empty();
        if !unchanged {
            return Err(Error::new(ErrorKind::Unsupported, format!("`{}` can't be updated in place", context.token))
                .hint("replace the resource: `pulumi up --replace URN`"));
        }
        let told = self.typed_prior(resource, prior);
        match self.guest.read(self.reading(context), &prior.id, Some(&told)).await {
            Ok(Some(snapshot)) => {
                let Snapshot { state, refresh_before_update, .. } = snapshot;
                Ok(self.accepted(resource, prior, inputs, Updated { state, refresh_before_update }))
            }
            Ok(None) => Ok(Outcome::NothingChanged(
                Error::new(ErrorKind::NotFound, "the resource is gone").hint("run `pulumi refresh`, then try again"),
            )),
            Err(fault) => {
                let mut outcome = self.marked(resource, inputs, Outcome::from_fault(fault, look_again(resource)));
                if let Outcome::Partial(partial) = &mut outcome {
                    partial.reasons.push(Reason::Explained(AGAIN.to_owned()));
                }
                Ok(outcome)
            }
        }
    }

    /// The inputs without changes that are to be ignored.
    pub(super) fn without<'i>(
        &self,
        resource: &Resource,
        ignored: &[PropertyPath],
        record: &Record,
        inputs: &'i Object,
    ) -> Cow<'i, Object> {
        if ignored.is_empty() {
            return Cow::Borrowed(inputs);
        }
        let Record { prior, displaced, .. } = record;
        let of_state = || read::inputs_on_record(&self.package, resource, &prior.state);
        let old = match &prior.inputs {
            Some(old) if displaced.is_empty() => Cow::Borrowed(old),
            Some(old) => {
                let mut old = old.clone();
                old.extend(of_state().into_map().into_iter().filter(|(name, _)| displaced.contains(name)));
                Cow::Owned(old)
            }
            None => Cow::Owned(of_state()),
        };
        let mut inputs = inputs.clone();
        ignored.iter().for_each(|path| path.reset(&old, &mut inputs));
        Cow::Owned(inputs)
    }

    /// Of what is to be ignored in an update, the inputs that it is told otherwise than the engine records them.
    pub fn displaced(
        &self,
        token: &str,
        record: &Record,
        inputs: &Object,
        ignored: &[PropertyPath],
    ) -> BTreeSet<String> {
        let Some(resource) = self.rewritten_inputs(token) else { return BTreeSet::new() };
        apart(&self.without(resource, ignored, record, inputs), inputs)
    }

    /// The inputs that a state which an upgrade has rewritten has otherwise than they are recorded.
    pub fn displaced_since(&self, token: &str, inputs: &Object, state: &Object) -> BTreeSet<String> {
        let Some(resource) = self.rewritten_inputs(token) else { return BTreeSet::new() };
        apart(&read::inputs_on_record(&self.package, resource, state), inputs)
    }

    /// The schema of a type whose inputs upgrades rewrite.
    fn rewritten_inputs(&self, token: &str) -> Option<&Resource> {
        self.package.resource(token).filter(|_| self.inputs_version(token) > 0)
    }
}

/// The names of inputs that are recorded otherwise, or not at all.
fn apart(inputs: &Object, recorded: &Object) -> BTreeSet<String> {
    let is_recorded =
        |name: &str, value: &Value| recorded.get(name).is_some_and(|recorded| equivalent(recorded, value));
    inputs.iter().filter(|(name, value)| !is_recorded(name, value)).map(|(name, _)| name.clone()).collect()
}
