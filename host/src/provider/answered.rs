//! What an override answers in the host's place, held to the schema as the host's own answer would be.
//!
//! An engine records checked inputs, and programs go on with what a preview says, long before a real result would be found out. What is as
//! it was given is for the override to accept or to refuse: that is what it is for. So it is in whatever it fills in beside it.

use bulkhead_schema::{Failure, ObjectType, configuration, conform_checked, conform_predicted, typed};
use bulkhead_value::Object;

use super::{Error, Session};

impl Session {
    /// Refuses inputs that a check made or changed and that aren't of their types. In another spelling they are, where they may be spelt so.
    pub(super) fn fitting_inputs(&self, ty: &ObjectType, given: &Object, checked: &Object) -> Result<(), Error> {
        let [given, checked] = [given, checked].map(|inputs| typed(&self.package, ty, inputs));
        fitting("an input", &conform_checked(&self.package, ty, &checked, &given))
    }

    /// The same of a configuration, which may be spelt as engines write it: what isn't a string as its JSON.
    pub(super) fn fitting_configuration(&self, given: &Object, checked: &Object) -> Result<(), Error> {
        let [given, checked] = [given, checked].map(|inputs| configuration::typed(&self.package, inputs));
        fitting("an input", &conform_checked(&self.package, &self.package.configuration, &checked, &given))
    }

    /// Refuses outputs of a preview that aren't of their types, unless they are on record so, or would be predicted by the host.
    pub(super) fn fitting_outputs(&self, ty: &ObjectType, known: [&Object; 2], guess: &Object) -> Result<(), Error> {
        fitting("a prediction", &conform_predicted(&self.package, ty, guess, known))
    }
}

fn fitting(what: &str, failures: &[Failure]) -> Result<(), Error> {
    match failures.first() {
        None => Ok(()),
        Some(Failure { path, reason, .. }) => {
            let message = format!("the provider returned {what} that its schema doesn't allow, at {path:#}: {reason}");
            Err(Error::provider_bug(message))
        }
    }
}
