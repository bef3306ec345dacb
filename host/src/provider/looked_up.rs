//! What a program looks a resource up by, told apart from what is on record of one: a program may know more of it than its id, and engines
//! send that as the state and again as the inputs.
//!
//! What is on record holds all of its outputs, or a note that it doesn't. But under an older version there were other outputs, so what lacks
//! some may be a record that an `upgrade` makes whole. What a program says is in today's form: an upgrade would rewrite it, or find it
//! broken. That one refuses what it is given says that it is no record; that it crashed or was stopped says nothing.
//!
//! Where a version brought an output and no upgrade, nobody can tell them apart. So whichever it is, what was said is what is on record of it
//! but for what the guest is told: its secrets are secrets in what is read, and what it doesn't say is no drift.

use std::borrow::Cow;

use bulkhead_schema::{CheckRequest, ObjectType, Resource};
use bulkhead_value::Object;

use super::{Context, Error, ErrorKind, NotUpgraded, Prior, Record, Session};

/// What a resource is read by.
pub(super) struct Sought<'r> {
    /// The record, in terms of the present schema, or what stands in for it.
    pub(super) record: Cow<'r, Record>,
    by: By,
}

enum By {
    All,
    /// The part of it that such resources are looked up by.
    Part(Object),
    /// A provider whose schema doesn't say what else there may be expects a state that is whole.
    Id,
}

impl Sought<'_> {
    /// What the guest is told of what was recorded.
    pub(super) fn told(&self) -> Option<Cow<'_, Prior>> {
        let prior = &self.record.prior;
        match &self.by {
            By::All => Some(Cow::Borrowed(prior)),
            By::Part(part) => {
                Some(Cow::Owned(Prior { state: part.clone(), inputs: Some(part.clone()), ..prior.clone() }))
            }
            By::Id => None,
        }
    }
}

impl Session {
    /// What to read a resource by.
    ///
    /// # Errors
    /// Nobody can look it up so; what is on record can't be brought up to date.
    pub(super) async fn sought<'r>(
        &self,
        context: &Context,
        resource: &Resource,
        record: &'r Record,
    ) -> Result<Sought<'r>, Error> {
        let of = |record, by| Sought { record, by };
        let upgraded = match self.up_to_date_with_inputs(context, record).await {
            Ok(upgraded) => Ok(upgraded),
            Err(NotUpgraded::Refused(error)) => Err(error),
            Err(NotUpgraded::Failed(error)) => return Err(error),
        };
        let required = &resource.outputs.required;
        let lacks = |record: &Record| required.iter().any(|name| !record.prior.state.contains_key(name.as_str()));
        // Where nothing is required, nothing is lacking of what an upgrade finds to be no record either.
        let is_record = match &upgraded {
            Ok(upgraded) => !lacks(record) || !lacks(upgraded),
            Err(_) => !required.is_empty() && !lacks(record),
        };
        if !record.repeats_inputs || is_record {
            return upgraded.map(|upgraded| of(upgraded, By::All));
        }
        let said = &record.prior.state;
        let by = match (&resource.state_inputs, &upgraded) {
            (Some(accepted), _) => match (self.accept(accepted, said), &upgraded) {
                (Ok(()), _) => By::All,
                (Err(wrong), Ok(_)) => By::Part(self.part(resource, accepted, said).ok_or(wrong)?),
                (Err(wrong), Err(_)) => return Err(neither(upgraded.err(), wrong)),
            },
            (None, Err(_)) if !is_of_today(resource, said) => return upgraded.map(|upgraded| of(upgraded, By::All)),
            (None, _) => By::Id,
        };
        if !resource.facts.methods.read {
            // It is given back, and noted to be of today.
            return upgraded.map(|upgraded| of(upgraded, By::All));
        }
        Ok(match by {
            By::All => of(Cow::Borrowed(record), by),
            By::Part(_) | By::Id => of(upgraded.unwrap_or(Cow::Borrowed(record)), by),
        })
    }

    /// The part of what was given that such resources are looked up by, if it may be all that was given.
    fn part(&self, resource: &Resource, accepted: &ObjectType, said: &Object) -> Option<Object> {
        let is_accepted = |name: &String| accepted.properties.contains_key(name);
        let part = said.iter().filter(|(name, _)| is_accepted(name)).map(|(name, value)| (name.clone(), value.clone()));
        let part: Object = part.collect();
        (self.accept(&resource.inputs, said).is_ok() && self.accept(accepted, &part).is_ok()).then_some(part)
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
