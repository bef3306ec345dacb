//! What a program looks a resource up by, told apart from what is on record of one: a program may know more of it than its id, and engines
//! send that as the state and again as the inputs.
//!
//! What is on record holds all of its outputs, or a note that it doesn't. But under an older version there were other outputs, so what lacks
//! some may be a record that an `upgrade` makes whole. What a program says is in today's form: an upgrade would rewrite it, or find it
//! broken. That one refuses what it is given says that it is no record; that it crashed or was stopped says nothing.

use std::borrow::Cow;

use bulkhead_schema::{CheckRequest, ObjectType, Resource};
use bulkhead_value::Object;

use super::{Context, Error, ErrorKind, NotUpgraded, Record, Session};

impl Session {
    /// The record to read a resource by, in terms of the present schema, or what stands in for it. None if it is looked up by its id alone: a
    /// provider whose schema doesn't say what else there may be expects a state that is whole.
    ///
    /// # Errors
    /// Nobody can look it up so; what is on record can't be brought up to date.
    pub(super) async fn sought<'r>(
        &self,
        context: &Context,
        resource: &Resource,
        record: &'r Record,
    ) -> Result<Option<Cow<'r, Record>>, Error> {
        let upgraded = match self.up_to_date_with_inputs(context, record).await {
            Ok(upgraded) => Ok(upgraded),
            Err(NotUpgraded::Refused(error)) => Err(error),
            Err(NotUpgraded::Failed(error)) => return Err(error),
        };
        let required = &resource.outputs.required;
        let lacks = |record: &Record| required.iter().any(|name| !record.prior.state.contains_key(name.as_str()));
        if !record.repeats_inputs || !lacks(record) || upgraded.as_ref().is_ok_and(|upgraded| !lacks(upgraded)) {
            return upgraded.map(Some);
        }
        let by = &record.prior.state;
        match (&resource.state_inputs, &upgraded) {
            (Some(accepted), _) => {
                if let Err(wrong) = self.accept(accepted, by) {
                    return Err(neither(upgraded.err(), wrong));
                }
            }
            (None, Err(_)) if !is_of_today(resource, by) => return upgraded.map(Some),
            (None, _) => {}
        }
        if !resource.facts.methods.read {
            // It is given back, and noted to be of today.
            return upgraded.map(Some);
        }
        Ok(resource.state_inputs.is_some().then_some(Cow::Borrowed(record)))
    }

    /// Refuses what a resource can't be looked up by.
    fn accept(&self, accepted: &ObjectType, by: &Object) -> Result<(), Error> {
        let failures = bulkhead_schema::check(&self.package, CheckRequest::of(accepted, by)).failures;
        if failures.is_empty() {
            return Ok(());
        }
        let wrong: Vec<String> =
            failures.iter().map(|failure| format!("{:#}: {}", failure.path, failure.reason)).collect();
        let message = format!("what it is looked up by is wrong: {}", wrong.join("; "));
        Err(Error::new(ErrorKind::InvalidRequest, message))
    }
}

/// What is neither a record nor what a resource can be looked up by: nobody knows which it was to be.
fn neither(refused: Option<Error>, wrong: Error) -> Error {
    let Some(mut refused) = refused else { return wrong };
    let hint = format!("if it is no record, and a program says it, then {wrong}");
    refused.hint = refused.hint.into_iter().chain([hint]).reduce(|said, hint| format!("{said}; {hint}"));
    refused
}

/// Whether all that is said of a resource has a name that the present schema knows.
fn is_of_today(resource: &Resource, said: &Object) -> bool {
    let sides = [&resource.inputs, &resource.outputs];
    said.keys().all(|name| sides.iter().any(|side| side.properties.contains_key(name)))
}
