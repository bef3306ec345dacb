//! What an override answers in the host's place, held to the schema as the host's own answer would be.
//!
//! An engine records checked inputs, and programs go on with what a preview says, long before a real result would be found out. What is as
//! it was given is for the override to accept or to refuse: that is what it is for.

use bulkhead_schema::{ObjectType, conform_preview, typed};
use bulkhead_value::{Object, Value, equivalent};

use super::{Error, Session};

impl Session {
    /// Refuses inputs that a check made or changed and that aren't of their types. In another spelling they are, where they may be spelt so.
    pub(super) fn fitting_inputs(&self, ty: &ObjectType, given: &Object, checked: &Object) -> Result<(), Error> {
        let made = unlike(checked, &[given]);
        self.fitting("an input", ty, &typed(&self.package, ty, &made))
    }

    /// Refuses outputs of a preview that aren't of their types, unless they are on record so, or would be predicted by the host.
    pub(super) fn fitting_outputs(&self, ty: &ObjectType, known: [&Object; 2], guess: &Object) -> Result<(), Error> {
        self.fitting("a prediction", ty, &unlike(guess, &known))
    }

    fn fitting(&self, what: &str, ty: &ObjectType, made: &Object) -> Result<(), Error> {
        match conform_preview(&self.package, ty, made).first() {
            None => Ok(()),
            Some(wrong) => {
                let (path, reason) = (&wrong.path, &wrong.reason);
                let message =
                    format!("the provider returned {what} that its schema doesn't allow, at {path:#}: {reason}");
                Err(Error::provider_bug(message))
            }
        }
    }
}

/// The properties that none of these objects has alike.
fn unlike(object: &Object, others: &[&Object]) -> Object {
    let alike = |value: &Value, other: &Value| value == other || equivalent(value, other);
    let is_there =
        |name: &str, value: &Value| others.iter().any(|other| other.get(name).is_some_and(|other| alike(value, other)));
    let own = object.iter().filter(|(name, value)| !is_there(name, value));
    own.map(|(name, value)| (name.clone(), value.clone())).collect()
}
