//! What a check says: what the host finds, and what only this provider knows. A stack that the native provider made may have
//! inputs that are refused here. What exists goes on with them, since nothing is drawn from them any more: an input is refused
//! when it is new, when it changes, and when the resource is replaced.

use bulkhead_sdk::{
    Failure, Fields, Result, Segment,
    resource::{Check, Checked},
};

use super::table::Table;
use crate::plan::{self, Attribute};

/// What is wrong with an input, beside others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    /// Which input is to be mended.
    pub(super) input: &'static str,
    /// Why, to be read after its name.
    pub(super) reason: &'static str,
    /// The inputs that it follows from.
    pub(super) from: &'static [&'static str],
}

/// The host's check of inputs in the form in which they will be recorded, and `flaws` of those that passed it. They are
/// returned as they were given.
pub(super) fn check<T: Table>(mut request: Check, flaws: impl FnOnce(&Fields) -> Vec<Flaw>) -> Result<Checked> {
    let given = request.inputs.clone();
    for attribute in T::ATTRIBUTES {
        if let Some(value) = request.inputs.get_mut(attribute.name) {
            *value = plan::coerced(attribute.kind, value);
        }
    }
    let checked = request.defaults()?;
    let failures = told(T::ATTRIBUTES, request.prior_inputs.as_ref(), &request.inputs, checked.failures, flaws);
    Ok(Checked { inputs: given, failures })
}

/// The failures that are told, of those that the host found and `flaws` of the other inputs.
fn told(
    attributes: &[Attribute],
    prior: Option<&Fields>,
    inputs: &Fields,
    mut failures: Vec<Failure>,
    flaws: impl FnOnce(&Fields) -> Vec<Flaw>,
) -> Vec<Failure> {
    let stays = |name: &str| {
        let attribute = attributes.iter().find(|attribute| attribute.name == name);
        attribute.zip(prior).is_some_and(|(attribute, prior)| plan::stays(attribute, prior, inputs))
    };
    failures.retain(|failure| !input(failure).is_some_and(|name| plan::there(inputs, name).is_some() && stays(name)));
    let mut sound = inputs.clone();
    sound.retain(|name, _| !failures.iter().any(|failure| input(failure) == Some(name)));
    let news = flaws(&sound).into_iter().filter(|flaw| !flaw.from.iter().all(|name| stays(name)));
    failures.extend(news.map(|flaw| Failure { path: flaw.input.into(), reason: flaw.reason.to_owned() }));
    failures
}

/// The input that a failure is about.
fn input(failure: &Failure) -> Option<&str> {
    match failure.path.segments().first() {
        Some(Segment::Field(name)) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use bulkhead_sdk::fields;

    use super::*;
    use crate::plan::{Kind, Unset};

    const ATTRIBUTES: [Attribute; 2] =
        [Attribute::new("min", Kind::Whole, Unset::Absent), Attribute::new("max", Kind::Whole, Unset::Absent)];

    fn failure(input: &str) -> Failure {
        Failure { path: input.into(), reason: "must be less".to_owned() }
    }

    /// The inputs that are refused, where the host refuses `max`, or where nothing is wrong but that the two are equal.
    fn refused(prior: Option<Fields>, inputs: Fields, by_host: bool) -> Vec<String> {
        let flaw = |sound: &Fields| {
            let is_equal = sound.get("min").is_some() && sound.get("min") == sound.get("max");
            let flaw = Flaw { input: "min", reason: "must not be equal", from: &["min", "max"] };
            is_equal.then_some(flaw).into_iter().collect()
        };
        let failures = by_host.then(|| failure("max")).into_iter().collect();
        let told = told(&ATTRIBUTES, prior.as_ref(), &inputs, failures, flaw);
        told.into_iter().map(|failure| failure.path.to_string()).collect()
    }

    #[test]
    fn what_a_resource_has_already_is_not_refused() {
        let inputs = || fields! { "min": 1, "max": 9 };
        assert_eq!(refused(None, inputs(), true), ["max"], "it is new, or drawn anew");
        assert_eq!(refused(Some(inputs()), inputs(), true), Vec::<String>::new());
        assert_eq!(refused(Some(fields! { "min": 2, "max": "9" }), inputs(), true), Vec::<String>::new());
        assert_eq!(refused(Some(fields! { "min": 1, "max": 8 }), inputs(), true), ["max"]);
        assert_eq!(refused(Some(fields! { "min": 1 }), fields! { "min": 1 }, true), ["max"], "it is missing");
        let equal = || fields! { "min": 1, "max": 1 };
        assert_eq!(refused(None, equal(), false), ["min"]);
        assert_eq!(refused(Some(equal()), equal(), false), Vec::<String>::new());
        assert_eq!(refused(Some(fields! { "min": 1, "max": 2 }), equal(), false), ["min"]);
    }

    #[test]
    fn an_input_that_failed_is_told_once() {
        assert_eq!(refused(None, fields! { "min": 1.5, "max": 1.5 }, true), ["max"]);
    }
}
