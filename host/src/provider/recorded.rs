//! New inputs that an engine took from its record. Nobody checked them by the present schema, and compared as they are, whatever an `upgrade`
//! calls otherwise has come and gone: a resource that nobody changes would be deleted and made again.
//!
//! Engines do so where something that the resource depends on is deleted before it is replaced, to find out what would become of it: what
//! depends on the other one isn't known then. And they do so to show what a refresh found beside what was on record before.

use std::borrow::Cow;

use bulkhead_schema::ObjectType;
use bulkhead_value::{Object, Value};

use super::{Context, Error, Prior, Record, Session};

impl Session {
    /// Recorded inputs of an older version in terms of the present schema; as they are where nobody can tell what these would be. The record
    /// comes as it is and brought up to date.
    pub(super) async fn renewed<'i>(
        &self,
        context: &Context,
        [record, present]: [&Record; 2],
        inputs: &'i Object,
        version: u32,
    ) -> Result<Cow<'i, Object>, Error> {
        let resource = self.resource(&context.token)?;
        let renewed = match (&record.prior.inputs, &present.prior.inputs) {
            (Some(old), Some(new)) if record.inputs_version == version => {
                known_in_part(&resource.inputs, [old, new], inputs)
            }
            _ if inputs.contains_unknown() || !resource.facts.overrides.upgrade || !self.exports.upgrade => None,
            // The state of that time is gone, and inputs are what all of it had.
            _ => {
                let (id, state) = (record.prior.id.clone(), inputs.clone());
                let prior = Prior { id, state, inputs: Some(inputs.clone()), ..Prior::default() };
                self.rewritten(context, version, &prior).await.ok().and_then(|rewritten| rewritten.inputs)
            }
        };
        Ok(renewed.map_or(Cow::Borrowed(inputs), Cow::Owned))
    }
}

/// What an upgrade made of old inputs, with as much unknown as is in the same inputs, if they are the same but for that. No upgrade takes what
/// isn't known: where it has another name by now, that may be any that the upgrade brought.
fn known_in_part(ty: &ObjectType, [old, new]: [&Object; 2], inputs: &Object) -> Option<Object> {
    let same = |((name, old), (other, now)): ((&String, &Value), (&String, &Value))| {
        name == other && (now.is_unknown() || old == now)
    };
    if old.len() != inputs.len() || !old.iter().zip(inputs).all(same) {
        return None;
    }
    let mut renewed = new.clone();
    for (name, _) in inputs.iter().filter(|(_, value)| value.is_unknown()) {
        if ty.properties.contains_key(name) && new.contains_key(name) {
            renewed.insert(name.clone(), Value::Unknown);
        } else {
            let brought = new.keys().filter(|name| !old.contains_key(*name));
            renewed.extend(brought.map(|name| (name.clone(), Value::Unknown)));
        }
    }
    Some(renewed)
}
