//! Which inputs the provider chose: the note that bridged providers keep beside them, in `__defaults`, at any depth.
//!
//! They note what they filled in with defaults and names that they made. This host notes names alone: a stack goes back and
//! forth between them.

use bulkhead_value::{Object, PropertyPath, Value};

use super::properties::strings;
use crate::provider::Notes;

/// The names of inputs that the provider chose.
pub(super) const DEFAULTS: &str = "__defaults";

/// What is noted about checked inputs.
pub(super) fn notes(inputs: Option<&Object>) -> Notes {
    let names = inputs.and_then(|inputs| inputs.get(DEFAULTS)).and_then(Value::as_list);
    let generated =
        names.into_iter().flat_map(|names| names.iter()).filter_map(Value::as_str).map(PropertyPath::field).collect();
    Notes { filled: Vec::new(), generated }
}

/// What is noted about inputs on record, of which the provider names these where nobody does. Not all providers note that, and
/// neither do imports: then any of the names may have been made, and a resource is rather called as it was than replaced.
pub(super) fn notes_on_record(inputs: Option<&Object>, autonamed: Vec<PropertyPath>) -> Notes {
    match inputs.and_then(|inputs| inputs.get(DEFAULTS)).and_then(Value::as_list) {
        Some(_) => notes(inputs),
        None => Notes { filled: Vec::new(), generated: autonamed },
    }
}

/// Notes which inputs were generated. Where none was but could have been, that is noted too: a name that a user gave is
/// no longer wanted once the user takes it back.
pub(super) fn noted(mut inputs: Object, generated: &[PropertyPath], autonames: bool) -> Object {
    let names: Vec<String> = generated.iter().filter_map(|path| path.first_name().map(str::to_owned)).collect();
    if autonames || !names.is_empty() {
        inputs.insert(DEFAULTS.to_owned(), strings(names));
    }
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_names_are_noted_and_read_again() {
        let name = || vec![PropertyPath::field("name")];
        let made = noted(Object::new(), &name(), true);
        let given = noted(Object::new(), &[], true);
        assert_eq!(notes(Some(&made)).generated, name());
        assert_eq!(notes_on_record(Some(&made), name()).generated, name());
        assert_eq!(notes_on_record(Some(&given), name()), Notes::default());
        assert_eq!(notes_on_record(Some(&Object::new()), name()).generated, name(), "nobody noted anything");
        assert_eq!(noted(Object::new(), &[], false), Object::new());
        assert_eq!(notes(None), Notes::default());
    }
}
