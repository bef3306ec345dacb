//! Read: for refresh, where drift must show and normalisation must not, and for import, from the id alone.

use std::collections::BTreeSet;

use bulkhead_schema::{Resource, read, secrets};
use bulkhead_value::{Object, Value};

use super::create::recordable;
use super::ids::flaw;
use super::{Context, Error, ErrorKind, Fault, Partial, ReadOutcome, Reason, Record, Session, Snapshot};

/// What is wrong with a resource that is on record as a part. Without a reason, engines take it for well from then on.
const UNFINISHED: &str = "it came to no end when it was made or changed, and the provider can't read what became of it";

impl Session {
    /// Whether anything can read a resource of a type.
    pub fn reads(&self, token: &str) -> bool {
        self.package.resource(token).is_some_and(|resource| resource.facts.methods.read)
    }

    /// Of a create that came to no end, the inputs that what it left has otherwise than they were given, where an update can set them.
    pub fn left_undone(&self, token: &str, inputs: &Object, left: &Object) -> BTreeSet<String> {
        let resource = self.package.resource(token);
        resource.map(|resource| read::left_undone(&self.package, resource, inputs, left)).unwrap_or_default()
    }

    /// Reads a resource on record.
    ///
    /// # Errors
    /// What kept the guest from being called, or its failure.
    pub async fn read(&self, context: &Context, record: &Record) -> Result<ReadOutcome, Error> {
        self.ready()?;
        let resource = self.resource(&context.token)?;
        let sought = self.sought(context, resource, record).await?;
        let record = &*sought.record;
        let prior = &record.prior;
        let given =
            prior.inputs.clone().unwrap_or_else(|| read::inputs_from_state(&self.package, resource, &prior.state));
        if !resource.facts.methods.read {
            // An error would fail the refresh of the whole stack for a type that can't drift anyway.
            let shown = prior.state.clone();
            if record.part {
                return Ok(ReadOutcome::Unwell(Partial {
                    id: prior.id.clone(),
                    inputs: Some(self.shown(resource, &given, record, &shown)),
                    state: shown,
                    reasons: vec![UNFINISHED.into()],
                    ..Partial::default()
                }));
            }
            return Ok(ReadOutcome::Found {
                id: prior.id.clone(),
                inputs: self.shown(resource, &given, record, &shown),
                raw: shown.clone(),
                shown,
                refresh_before_update: false,
            });
        }
        self.guest_has_resources()?;
        let told = sought.told();
        let told = told.as_ref().map(|told| self.typed_prior(resource, told));
        let snapshot = match self.guest.read(self.reading(context), &prior.id, told.as_deref()).await {
            Ok(Some(snapshot)) => {
                Snapshot { state: self.concealed_since(resource, record, snapshot.state), ..snapshot }
            }
            Ok(None) => return Ok(ReadOutcome::NotFound),
            Err(fault) => return self.unwell(resource, &prior.id, Some((&given, record)), fault),
        };
        let reasons = self.nonconforming(resource, &snapshot.state, &prior.state);
        let inputs = match &snapshot.inputs {
            Some(inputs) => {
                let inputs = secrets::mark(&self.package, &resource.inputs, Some(&given), inputs.clone());
                concealed(&given, record, inputs)
            }
            // Nothing follows for the inputs from a state that makes no sense.
            None if !reasons.is_empty() => given,
            None => self.shown(resource, &given, record, &snapshot.state),
        };
        sound(&prior.id, &snapshot, &inputs)?;
        if reasons.is_empty() {
            return Ok(self.found(resource, snapshot, inputs));
        }
        // An error would fail the refresh of the whole stack, e.g. once a schema promises more than what is on record has.
        let state = secrets::mark(&self.package, &resource.outputs, Some(&inputs), snapshot.state);
        Ok(ReadOutcome::Unwell(Partial {
            id: snapshot.id,
            state: recordable(state),
            inputs: Some(secrets::mark(&self.package, &resource.inputs, None, inputs)),
            reasons: reasons.into_iter().map(Reason::Said).collect(),
            refresh_before_update: snapshot.refresh_before_update,
            finished: true,
        }))
    }

    /// Whether a blank record may be that of a resource which can't be looked up. Engines send the same where a program looks one up by
    /// its id alone, but an error to that would fail refreshes of whole stacks.
    pub fn may_be_blank(&self, token: &str) -> bool {
        let resource = self.package.resource(token);
        resource.is_some_and(|resource| !resource.facts.methods.read && resource.outputs.required.is_empty())
    }

    /// Reads a resource that nothing is on record of.
    ///
    /// # Errors
    /// What kept the guest from being called, or its failure.
    pub async fn import(&self, context: &Context, id: &str) -> Result<ReadOutcome, Error> {
        self.ready()?;
        let resource = self.resource(&context.token)?;
        if !resource.facts.methods.read {
            return Err(Error::new(ErrorKind::Unsupported, format!("`{}` can't be read or imported", context.token))
                .hint("the provider has no way to look such a resource up; create it instead"));
        }
        if let Some(flaw) = flaw(id) {
            return Err(Error::new(ErrorKind::InvalidRequest, format!("what is to be read has {flaw}")));
        }
        self.guest_has_resources()?;
        let snapshot = match self.guest.read(self.reading(context), id, None).await {
            Ok(Some(snapshot)) => snapshot,
            Ok(None) => return Ok(ReadOutcome::NotFound),
            Err(fault) => return self.unwell(resource, id, None, fault),
        };
        let inputs = match &snapshot.inputs {
            Some(inputs) => inputs.clone(),
            None => read::inputs_from_state(&self.package, resource, &snapshot.state),
        };
        sound(id, &snapshot, &inputs)?;
        let reasons = self.nonconforming(resource, &snapshot.state, &Object::new());
        if !reasons.is_empty() {
            let error = Error::new(ErrorKind::ProviderBug, reasons.join("; "));
            return Err(error.hint("please report it to the provider's author"));
        }
        Ok(self.found(resource, snapshot, inputs))
    }

    fn found(&self, resource: &Resource, snapshot: Snapshot, inputs: Object) -> ReadOutcome {
        let raw = secrets::mark(&self.package, &resource.outputs, Some(&inputs), snapshot.state);
        ReadOutcome::Found {
            id: snapshot.id,
            shown: raw.clone(),
            raw,
            inputs: secrets::mark(&self.package, &resource.inputs, None, inputs),
            refresh_before_update: snapshot.refresh_before_update,
        }
    }

    fn unwell(
        &self,
        resource: &Resource,
        asked: &str,
        recorded: Option<(&Object, &Record)>,
        fault: Fault,
    ) -> Result<ReadOutcome, Error> {
        match fault {
            Fault::Error(error) if matches!(error.kind, ErrorKind::NotFound) => Ok(ReadOutcome::NotFound),
            Fault::Error(error) => Err(error),
            Fault::Partial(mut partial) => {
                if recorded.is_none() && partial.state.is_empty() {
                    // There is nothing to import.
                    let (said, explained) = Reason::parted(partial.reasons);
                    let error = Error::new(ErrorKind::Failed, said.join("; "));
                    return Err(Error { hint: Some(explained.join("; ")).filter(|hint| !hint.is_empty()), ..error });
                }
                // By an id that no engine can go on with, it could never be read or deleted again.
                if let Err(flaw) = sound_id(asked, &partial.id) {
                    partial.id = asked.to_owned();
                    partial.reasons.push(flaw.message.into());
                }
                let state = std::mem::take(&mut partial.state);
                let state = match recorded {
                    Some((_, record)) => self.concealed_since(resource, record, state),
                    None => state,
                };
                // What the guest says of them holds. An engine imports nothing without inputs.
                let inputs = match (partial.inputs.take(), recorded) {
                    (Some(inputs), Some((given, before))) => concealed(given, before, inputs),
                    (Some(inputs), None) => inputs,
                    (None, Some((given, before))) => self.shown_by_a_part(resource, given, before, &state),
                    (None, None) => read::inputs_from_state(&self.package, resource, &state),
                };
                let given = recorded.map(|(given, _)| given);
                let inputs = secrets::mark(&self.package, &resource.inputs, given, inputs);
                let state = secrets::mark(&self.package, &resource.outputs, Some(&inputs), state);
                Ok(ReadOutcome::Unwell(Partial { state, inputs: Some(inputs), ..partial }))
            }
        }
    }

    /// The inputs of a resource that isn't well. What was read of it may be a part: that the rest is missing is no drift.
    fn shown_by_a_part(&self, resource: &Resource, given: &Object, record: &Record, read: &Object) -> Object {
        let before = &record.prior.state;
        let mut state = before.clone();
        state.extend(read.clone());
        if !self.nonconforming(resource, &state, before).is_empty() {
            return given.clone();
        }
        self.shown(resource, given, record, &state)
    }

    /// A state that was read, where an update had failed half-way and an upgrade has other names for what it reached since: no inputs tell
    /// what of that was a secret, and the recorded state has it under the names of today.
    fn concealed_since(&self, resource: &Resource, record: &Record, state: Object) -> Object {
        let is_moved = |name: &String| !resource.inputs.properties.contains_key(name);
        if !record.reached.iter().any(is_moved) {
            return state;
        }
        secrets::mark(&self.package, &resource.outputs, Some(&record.prior.state), state)
    }

    /// The inputs that a new state shows.
    fn shown(&self, resource: &Resource, given: &Object, record: &Record, state: &Object) -> Object {
        let (prior, reached) = (&record.prior.state, &record.reached);
        if reached.is_empty() {
            return read::shown_inputs(&self.package, resource, given, prior, state);
        }
        let inputs = read::shown_after_reaching(&self.package, resource, given, prior, state, reached);
        concealed(given, record, inputs)
    }
}

/// Inputs that were read, where an update had failed half-way: which of them it was given as secrets, the state alone tells. It has as a
/// secret what stands beside one, so all of the property is, whatever in it is a secret anyway.
fn concealed(given: &Object, record: &Record, mut inputs: Object) -> Object {
    let prior = &record.prior.state;
    for name in record.reached.iter().filter(|name| prior.get(*name).is_some_and(Value::contains_secret)) {
        if given.get(name) != inputs.get(name)
            && let Some(value) = inputs.get_mut(name).filter(|value| !matches!(value, Value::Secret(_)))
        {
            *value = std::mem::replace(value, Value::Null).secret();
        }
    }
    inputs
}

/// Refuses an id or inputs that can't be put on record.
fn sound(asked: &str, snapshot: &Snapshot, inputs: &Object) -> Result<(), Error> {
    sound_id(asked, &snapshot.id)?;
    match inputs.first_unknown() {
        None => Ok(()),
        Some(path) => Err(Error::provider_bug(format!("the provider returned inputs that aren't known, at {path:#}"))),
    }
}

fn sound_id(asked: &str, id: &str) -> Result<(), Error> {
    if id.is_empty() {
        return Err(Error::provider_bug("the provider read a resource and returned an empty id"));
    }
    // One that is on record can be anything.
    match flaw(id).filter(|_| id != asked) {
        Some(flaw) => Err(Error::provider_bug(format!("the provider read a resource and returned {flaw}"))),
        None => Ok(()),
    }
}
