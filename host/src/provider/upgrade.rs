//! State of an older schema version: rewritten by the guest that knows what it meant, before anything else looks at it. State of a
//! newer one means what nobody here knows, and would lose it if it were recorded again.
//!
//! Engines record inputs and state apart. After an `up` under a newer version that changes nothing they keep the state of the old one, beside
//! inputs of the new one; after an update that failed half-way they have it the other way round. What is of the present version already
//! means something else to the guest's `upgrade`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bulkhead_schema::{Resource, read, secrets};
use bulkhead_value::Object;

use super::{Context, Error, ErrorKind, Prior, Record, Session};

/// Why a record isn't brought up to date.
#[derive(Clone, Debug)]
pub enum NotUpgraded {
    /// The guest says that it can't be: what it was given may be no record of its own.
    Refused(Error),
    /// Nobody knows whether it can be: the guest crashed, was denied something or met a limit.
    Failed(Error),
}

impl NotUpgraded {
    /// The same, with the error told otherwise.
    #[must_use]
    pub(super) fn map(self, told: impl FnOnce(Error) -> Error) -> Self {
        match self {
            Self::Refused(error) => Self::Refused(told(error)),
            Self::Failed(error) => Self::Failed(told(error)),
        }
    }
}

impl From<Error> for NotUpgraded {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<NotUpgraded> for Error {
    fn from(reason: NotUpgraded) -> Self {
        match reason {
            NotUpgraded::Refused(error) | NotUpgraded::Failed(error) => error,
        }
    }
}

impl Session {
    /// The version that the state of a type is recorded under; 0 for unknown types and those that never changed theirs.
    pub fn schema_version(&self, token: &str) -> u32 {
        self.package.resource(token).map_or(0, |resource| resource.facts.schema_version)
    }

    /// The version that the inputs of a type are recorded under; 0 for those whose form never changed.
    pub fn inputs_version(&self, token: &str) -> u32 {
        let facts = self.package.resource(token).map(|resource| &resource.facts);
        facts.filter(|facts| facts.overrides.upgrade && !facts.same_inputs).map_or(0, |facts| facts.schema_version)
    }

    /// The record in terms of the present schema. Without an upgrade, unknown old keys are tolerated elsewhere, and inputs of a newer version
    /// are left out: what they say of the state beside them nobody here knows.
    pub(super) async fn upgraded<'a>(
        &self,
        context: &Context,
        record: &'a Record,
    ) -> Result<Cow<'a, Record>, NotUpgraded> {
        let resource = self.resource(&context.token)?;
        let facts = &resource.facts;
        let (version, of_state) = (facts.schema_version, record.schema_version);
        let of_inputs = if facts.same_inputs { of_state } else { record.inputs_version };
        let is_present = (of_state, of_inputs) == (version, version);
        let upgrades = facts.overrides.upgrade && self.exports.upgrade;
        if is_present || of_state > version || !upgrades && of_inputs <= version {
            return Ok(Cow::Borrowed(record));
        }
        let recorded = &record.prior;
        let newer_inputs = recorded.inputs.clone().filter(|_| of_inputs > version);
        if !upgrades {
            let prior = Prior { inputs: None, ..recorded.clone() };
            return Ok(Cow::Owned(Record { prior, inputs_version: of_state, newer_inputs, ..record.clone() }));
        }
        let prior = if of_inputs == of_state {
            self.rewritten(context, of_state, recorded).await?
        } else {
            let part = |state: &Object, inputs: Option<&Object>| {
                let (id, state, inputs) = (recorded.id.clone(), state.clone(), inputs.cloned());
                Prior { id, state, inputs, ..Prior::default() }
            };
            let state = part(&recorded.state, None);
            let Prior { id, state, .. } =
                if of_state < version { self.rewritten(context, of_state, &state).await? } else { state };
            let inputs = match &recorded.inputs {
                // A state may be incomplete, and inputs are what all of it has.
                Some(inputs) if of_inputs < version => {
                    self.rewritten(context, of_inputs, &part(inputs, Some(inputs))).await?.inputs
                }
                inputs => inputs.clone().filter(|_| of_inputs == version),
            };
            Prior { id, state, inputs, ..Prior::default() }
        };
        // Views are none of the provider's older schema.
        let prior = Prior { views: recorded.views.clone(), ..prior };
        let reached = self.reached_by_now(resource, record, &prior);
        let is_displaced = !record.displaced.is_empty() || of_state < version && of_inputs == version;
        let names = resource.inputs.properties.keys().filter(|_| is_displaced);
        Ok(Cow::Owned(Record {
            prior,
            reached,
            displaced: names.cloned().collect(),
            schema_version: version,
            inputs_version: version,
            newer_inputs,
            ..record.clone()
        }))
    }

    /// What updates had reached of a record that failed, by the names of today: those from before stay on record as well.
    fn reached_by_now(&self, resource: &Resource, record: &Record, present: &Prior) -> BTreeSet<String> {
        let none = Object::new();
        let [before, now] =
            [&record.prior, present].map(|prior| [prior.inputs.as_ref().unwrap_or(&none), &prior.state]);
        read::reached_by_now(&self.package, resource, &record.reached, before, now)
    }

    /// What the guest makes of a record of an older version.
    ///
    /// # Errors
    /// Whatever keeps it from being that.
    pub(super) async fn rewritten(&self, context: &Context, from: u32, prior: &Prior) -> Result<Prior, NotUpgraded> {
        let resource = self.resource(&context.token)?;
        let mut call = self.reading(context);
        // Nothing becomes of the resource here that could be shown.
        call.context.views = None;
        let rewritten = self.guest.upgrade(call, from, prior).await?;
        Ok(self.as_secret(resource, prior, rewritten))
    }

    /// What an upgrade made of a record, with what was secret in that marked again, each side by its own: it goes on record as it is where a
    /// resource is refreshed. What one side has of the other is as secret as it was there.
    fn as_secret(&self, resource: &Resource, prior: &Prior, rewritten: Prior) -> Prior {
        let Prior { state, inputs, .. } = rewritten;
        let inputs = inputs.map(|inputs| {
            let (ty, given) = (&resource.inputs, prior.inputs.as_ref().unwrap_or(&prior.state));
            let inputs = secrets::mark_rewritten(&self.package, ty, given, inputs);
            let mut known = prior.state.clone();
            known.extend(given.clone());
            secrets::mark(&self.package, ty, Some(&known), inputs)
        });
        let state = secrets::mark_rewritten(&self.package, &resource.outputs, &prior.state, state);
        let state = secrets::mark(&self.package, &resource.outputs, inputs.as_ref(), state);
        Prior { state, inputs, ..rewritten }
    }

    /// The same of a record that is to be read, compared or updated, for which it mustn't be newer than this provider.
    ///
    /// # Errors
    /// It is newer; unknown tokens, or a failing override.
    pub async fn up_to_date<'a>(&self, context: &Context, record: &'a Record) -> Result<Cow<'a, Record>, Error> {
        self.known(context, record).await.map_err(Error::from)
    }

    async fn known<'a>(&self, context: &Context, record: &'a Record) -> Result<Cow<'a, Record>, NotUpgraded> {
        let known = self.schema_version(&context.token);
        if record.schema_version > known {
            let (token, recorded) = (&context.token, record.schema_version);
            let message = format!(
                "use the recorded state of `{token}`: it has schema version {recorded}, and this provider knows those up to {known}"
            );
            let error = Error::new(ErrorKind::Failed, message);
            return Err(error.hint("a newer version of the provider recorded it: use that one or a later one").into());
        }
        self.upgraded(context, record).await
    }

    /// The same of a record that is to be read. What comes of it are inputs, and of those on record none may be newer: nobody could tell
    /// any more what was given of the state. An update finds a resource by its state alone, and records inputs of this version.
    ///
    /// # Errors
    /// It is newer; unknown tokens, or a failing override.
    pub(super) async fn up_to_date_with_inputs<'a>(
        &self,
        context: &Context,
        record: &'a Record,
    ) -> Result<Cow<'a, Record>, NotUpgraded> {
        let facts = &self.resource(&context.token)?.facts;
        let up_to_date = self.known(context, record).await?;
        if record.inputs_version > facts.schema_version && !facts.same_inputs {
            let (token, recorded, known) = (&context.token, record.inputs_version, facts.schema_version);
            let message = format!(
                "use the recorded inputs of `{token}`: they have schema version {recorded}, and this provider knows those up to {known}"
            );
            let error = Error::new(ErrorKind::Failed, message).hint(
                "a newer version of the provider recorded them: use that one or a later one, or run `pulumi up` before the refresh",
            );
            return Err(error.into());
        }
        Ok(up_to_date)
    }
}
