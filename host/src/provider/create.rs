//! Create: the first thing that only the guest can do, and the one that must never lose what it made.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bulkhead_schema::{conform, secrets};
use bulkhead_value::{Object, equivalent};

use super::error::NAMELESS;
use super::ids::{flaw, is_too_long};
use super::{Context, Created, Error, ErrorKind, Fault, Outcome, Partial, Reason, Session};

impl Session {
    /// Creates a resource from checked inputs.
    ///
    /// # Errors
    /// Only what kept the guest from being called. What came of the call is the [`Outcome`].
    pub async fn create(&self, context: &Context, inputs: &Object) -> Result<Outcome<Created>, Error> {
        self.ready()?;
        let resource = self.resource(&context.token)?;
        self.guest_has_resources()?;
        let inputs = &*settled(inputs, "create a resource from")?;
        let created = match self.guest.create(self.changing(context), &self.typed(resource, inputs)).await {
            Ok(created) => created,
            Err(Fault::Partial(partial)) if is_too_long(&partial.id) => return Ok(untold(&partial.id)),
            Err(fault) => return Ok(self.marked(resource, inputs, Outcome::from_fault(fault, NAMELESS))),
        };
        if created.id.is_empty() {
            let message = "the provider created a resource and returned an empty id; this is a bug in the provider";
            return Ok(Outcome::Unknown(Error::nameless(message)));
        }
        if is_too_long(&created.id) {
            return Ok(untold(&created.id));
        }
        let mut reasons = self.nonconforming(resource, &created.state, &Object::new());
        reasons.extend(
            flaw(&created.id).map(|flaw| format!("the provider returned {flaw}; this is a bug in the provider")),
        );
        let state = secrets::mark(&self.package, &resource.outputs, Some(inputs), created.state);
        if reasons.is_empty() {
            return Ok(Outcome::Done(Created { state, ..created }));
        }
        Ok(Outcome::Partial(Partial {
            id: created.id,
            state: recordable(state),
            inputs: None,
            reasons: reasons.into_iter().map(Reason::Said).collect(),
            refresh_before_update: created.refresh_before_update,
            finished: true,
        }))
    }

    /// Re-marks secrets in whatever state a fault carries.
    pub(super) fn marked<T>(
        &self,
        resource: &bulkhead_schema::Resource,
        inputs: &Object,
        outcome: Outcome<T>,
    ) -> Outcome<T> {
        match outcome {
            Outcome::Partial(mut partial) => {
                partial.state = secrets::mark(&self.package, &resource.outputs, Some(inputs), partial.state);
                Outcome::Partial(partial)
            }
            other => other,
        }
    }

    /// What is wrong with a state that a guest returned: the reasons for an initialisation that failed. Nothing is wrong with a
    /// property that is as it is on record: that can be anything, and is there already.
    pub(super) fn nonconforming(
        &self,
        resource: &bulkhead_schema::Resource,
        state: &Object,
        recorded: &Object,
    ) -> Vec<String> {
        let failures = conform(&self.package, &resource.outputs, state);
        // There may be many of one property, and as much to compare.
        let mut known = BTreeMap::new();
        let mut same = |name| *known.entry(name).or_insert_with(|| is_as_recorded(name, state, recorded));
        let told = failures.iter().filter(|failure| !failure.path.first_name().is_some_and(&mut same));
        let reasons = told.map(|failure| {
            format!(
                "the provider returned a state that its schema doesn't allow, at {:#}: {}; this is a bug in the provider",
                failure.path, failure.reason
            )
        });
        reasons.collect()
    }

    pub(super) fn guest_has_resources(&self) -> Result<(), Error> {
        if self.exports.resources {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Unsupported, "the component exports no resources though its schema has some")
            .hint("the provider's schema and its code don't belong together; rebuild it"))
    }
}

/// What was made under an id that can't be told.
fn untold<T>(id: &str) -> Outcome<T> {
    let flaw = flaw(id).unwrap_or_default();
    let message = format!("the provider created a resource and returned {flaw}; this is a bug in the provider");
    Outcome::Unknown(Error::nameless(message))
}

/// Whether a property of a state is as it is on record, where it may be secret while a guest returns it in clear, and where an asset
/// may be nothing but its hash.
fn is_as_recorded(name: &str, state: &Object, recorded: &Object) -> bool {
    matches!((state.get(name), recorded.get(name)), (Some(value), Some(recorded)) if equivalent(value, recorded))
}

/// Refuses values that aren't known where something real is about to happen.
pub(super) fn known(object: &Object, verb: &str) -> Result<(), Error> {
    match object.first_unknown() {
        None => Ok(()),
        Some(path) => {
            Err(Error::new(ErrorKind::InvalidRequest, format!("can't {verb} inputs that aren't known: {path:#}")))
        }
    }
}

/// The same, but that an id in a reference that isn't known by now never will be: the reference is to a component.
pub(super) fn settled<'o>(object: &'o Object, verb: &str) -> Result<Cow<'o, Object>, Error> {
    if object.first_unknown().is_none() {
        return Ok(Cow::Borrowed(object));
    }
    let mut object = object.clone();
    object.drop_unknown_ids();
    known(&object, verb)?;
    Ok(Cow::Owned(object))
}

/// What of a state can be put on record: nothing unknown, since engines refuse the whole for the sake of a part.
pub(super) fn recordable(state: Object) -> Object {
    state.into_map().into_iter().filter(|(_, value)| !value.contains_unknown()).collect()
}

#[cfg(test)]
mod tests {
    use bulkhead_value::{Asset, Value};

    use super::*;

    #[test]
    fn what_is_on_record_as_a_secret_or_a_hash_is_what_a_guest_returns() {
        let asset = Asset::text("t");
        for (value, recorded, same) in [
            (Value::from(1.0), Value::from(1.0).secret(), true),
            (Value::from(vec![Value::from("a")]), Value::from(vec![Value::from("a").secret()]), true),
            (Value::from(asset.clone()), Value::from(asset.without_contents()).secret(), true),
            (Value::from(1.0), Value::from(2.0).secret(), false),
        ] {
            let of = |value| -> Object { [("p", value)].into() };
            assert_eq!(is_as_recorded("p", &of(value.clone()), &of(recorded.clone())), same, "{value:?} {recorded:?}");
        }
        let (recorded, nothing) = ([("p", Value::Null)].into(), Object::new());
        assert!(!is_as_recorded("p", &nothing, &recorded) && !is_as_recorded("p", &recorded, &nothing));
    }
}
