//! Which inputs the provider chose: the note that bridged providers keep beside them, in `__defaults`, at any depth.
//!
//! They note what they filled in with defaults and names that they made. This host notes names alone, and reads both: a stack goes
//! back and forth between them.

use std::collections::BTreeMap;

use bulkhead_value::{Object, PropertyPath, Value};

use super::internal_keys::holds_notes;
use super::properties::strings;
use crate::provider::{Filled, Notes};

/// The names of inputs that the provider chose.
pub(super) const DEFAULTS: &str = "__defaults";

/// What is noted about checked inputs.
pub(super) fn notes(inputs: Option<&Object>) -> Notes {
    Notes { generated: names(inputs).into_iter().flatten().map(PropertyPath::field).collect(), ..Notes::default() }
}

/// The names in the note, if there is one.
fn names(inputs: Option<&Object>) -> Option<impl Iterator<Item = &str>> {
    Some(inputs?.get(DEFAULTS)?.as_list()?.iter().filter_map(Value::as_str))
}

/// What is noted about inputs on record, of which the provider names these where nobody does. Not all providers note that, and
/// neither do imports: then any of the names may have been made, and a resource is rather called as it was than replaced.
pub(super) fn notes_on_record<'a>(inputs: Option<&Object>, autonamed: impl Iterator<Item = &'a str>) -> Notes {
    match names(inputs) {
        Some(_) => notes(inputs),
        None => Notes { generated: autonamed.map(PropertyPath::field).collect(), ..Notes::default() },
    }
}

/// Inputs recorded under an older schema version, whose note follows a name that an upgrade moved. Nobody says where to: where one that was
/// chosen is gone, those that names are made for and the upgrade brought count as chosen. A resource is rather called as it was than replaced.
pub(super) fn with_moved_names<'a>(
    mut recorded: Object,
    upgraded: &Object,
    autonamed: impl Iterator<Item = &'a str>,
) -> Object {
    let mut noted: Vec<String> = names(Some(&recorded)).into_iter().flatten().map(str::to_owned).collect();
    if noted.iter().any(|name| recorded.contains_key(name) && !upgraded.contains_key(name)) {
        let brought = autonamed.filter(|name| upgraded.contains_key(*name) && !recorded.contains_key(*name));
        noted.extend(brought.map(str::to_owned));
        recorded.insert(DEFAULTS.to_owned(), strings(noted));
    }
    recorded
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

/// What is noted to be a default in inputs on record. Bridged providers note defaults of which their schemas don't tell.
pub(super) fn filled(inputs: &Object) -> Filled {
    if holds_notes(inputs) { filled_in(inputs) } else { Filled::default() }
}

fn filled_in(inputs: &Object) -> Filled {
    let members = inputs.iter().map(|(name, value)| (name, filled_in_value(value)));
    let members = members.filter(|(_, below)| !below.is_empty());
    Filled {
        names: names(Some(inputs)).into_iter().flatten().map(str::to_owned).collect(),
        members: members.map(|(name, below)| (name.clone(), below)).collect(),
        elements: BTreeMap::new(),
    }
}

fn filled_in_value(value: &Value) -> Filled {
    match value {
        Value::Object(object) => filled_in(object),
        Value::List(list) => {
            let elements = list.iter().map(filled_in_value).enumerate().filter(|(_, below)| !below.is_empty());
            Filled { elements: elements.collect(), ..Filled::default() }
        }
        Value::Secret(secret) => filled_in_value(secret.inner()),
        _ => Filled::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::internal_keys::hidden;
    use super::*;

    #[test]
    fn generated_names_are_noted_and_read_again() {
        let name = || vec![PropertyPath::field("name")];
        let made = noted(Object::new(), &name(), true);
        let given = noted(Object::new(), &[], true);
        assert_eq!(notes(Some(&made)).generated, name());
        assert_eq!(notes_on_record(Some(&made), ["name"].into_iter()).generated, name());
        assert_eq!(notes_on_record(Some(&given), ["name"].into_iter()), Notes::default());
        assert_eq!(
            notes_on_record(Some(&Object::new()), ["name"].into_iter()).generated,
            name(),
            "nobody noted anything"
        );
        assert_eq!(noted(Object::new(), &[], false), Object::new());
        assert_eq!(notes(None), Notes::default());
    }

    #[test]
    fn what_was_filled_in_and_is_left_out_was_never_given() {
        let object = |fields: &[(&str, Value)]| -> Object {
            fields.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
        };
        let paths = |names: &[&str]| names.iter().map(|name| PropertyPath::field(name)).collect::<Vec<_>>();
        let parts = |part: Object| Value::List(vec![Value::Object(part).secret()].into());
        let part = object(&[("size", 8.0.into()), ("kind", "k".into())]);
        let given = object(&[("a", true.into()), ("b", true.into()), ("name", "n".into())]);
        let old = |noted_names: &[&str], noted_of_part: &[&str]| {
            let mut old = given.clone();
            old.insert("parts".to_owned(), parts(noted(part.clone(), &paths(noted_of_part), true)));
            noted(old, &paths(noted_names), true)
        };
        let left = |old: Object, new: &Object| {
            let filled = filled(&old);
            filled.without_lapsed(&hidden(old), new, &|name| name == "name").into_owned()
        };

        let new = object(&[("a", Value::Null), ("parts", parts(object(&[("kind", "l".into())])))]);
        assert_eq!(left(old(&[], &[]), &new), hidden(old(&[], &[])));
        assert_eq!(
            left(old(&["a", "name", "none"], &["size"]), &new),
            object(&[("b", true.into()), ("name", "n".into()), ("parts", parts(object(&[("kind", "k".into())])))])
        );
        assert_eq!(left(old(&["a"], &["size"]), &given), hidden(old(&[], &[])), "what is given may have changed");
    }
}
