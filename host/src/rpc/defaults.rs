//! Which inputs the provider chose: the note that bridged providers keep beside them, in `__defaults`, at any depth.
//!
//! They note what they filled in with defaults and names that they made. This host notes names alone, and reads both: a stack goes
//! back and forth between them.
//!
//! An engine puts what is to be ignored (`ignoreChanges`) into new inputs as it is on record, so that a name that was made looks as if a program
//! gave it. Nobody can tell, so that a name which was made and is given since is noted beside the version (`__meta`): a program that gives up
//! ignoring it keeps it, and one that goes on is given another one with a replacement.

use std::collections::{BTreeMap, BTreeSet};

use bulkhead_value::{Object, PropertyPath, Value, equivalent};
use serde_json::Value as Json;

use super::internal_keys::holds_notes;
use super::properties::strings;
use super::schema_version::{META, meta, with_meta};
use crate::provider::{Filled, Notes};

/// The names of inputs that the provider chose.
pub(super) const DEFAULTS: &str = "__defaults";
/// Those that it chose and that are given since.
const MADE: &str = "made";

/// What is noted about checked inputs.
pub(super) fn notes(inputs: Option<&Object>) -> Notes {
    Notes { generated: names(inputs).into_iter().flatten().map(PropertyPath::field).collect(), ..Notes::default() }
}

/// The same with names that were made before and are given since, if only because the engine put them there.
pub(super) fn notes_with_given(inputs: Option<&Object>) -> Notes {
    let mut notes = notes(inputs);
    notes.generated.extend(given_since(inputs).iter().map(|name| PropertyPath::field(name)));
    notes
}

/// The names that were made and are given since, as noted.
fn given_since(inputs: Option<&Object>) -> Vec<String> {
    match inputs.and_then(|inputs| meta(inputs).remove(MADE)) {
        Some(Json::Array(names)) => names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

/// Names that are given as they are on record, where they had been made.
pub(super) fn given_as_made(old: Option<&Object>, given: &Object, is_autonamed: impl Fn(&str) -> bool) -> Vec<String> {
    let noted = names(old).into_iter().flatten().map(str::to_owned).chain(given_since(old));
    let same = |name: &String| {
        let recorded = old.and_then(|old| old.get(name));
        given.get(name).zip(recorded).is_some_and(|(given, recorded)| equivalent(given, recorded))
    };
    let noted: BTreeSet<String> = noted.filter(|name| is_autonamed(name) && same(name)).collect();
    noted.into_iter().collect()
}

/// Notes which names that were made are given, and none where there are none: an engine may have put in what was noted before.
pub(super) fn with_given(mut inputs: Object, names: Vec<String>) -> Object {
    let mut meta = meta(&inputs);
    if meta.remove(MADE).is_none() && names.is_empty() {
        return inputs;
    }
    if !names.is_empty() {
        meta.insert(MADE.to_owned(), names.into());
    }
    if meta.is_empty() {
        inputs.remove(META);
        return inputs;
    }
    with_meta(inputs, meta)
}

/// The names in the note, if there is one.
fn names(inputs: Option<&Object>) -> Option<impl Iterator<Item = &str>> {
    Some(inputs?.get(DEFAULTS)?.as_list()?.iter().filter_map(Value::as_str))
}

/// What is noted about inputs on record, of which the provider names these where nobody does. Not all providers note that, and
/// neither do imports: then any of the names may have been made, and a resource is rather called as it was than replaced.
pub(super) fn notes_on_record<'a>(inputs: Option<&Object>, autonamed: impl Iterator<Item = &'a str>) -> Notes {
    match names(inputs) {
        Some(_) => notes_with_given(inputs),
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
    let made = names(Some(&recorded)).into_iter().flatten().map(str::to_owned);
    let mut noted: Vec<String> = made.chain(given_since(Some(&recorded))).collect();
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
    fn a_name_that_was_made_and_is_given_since_is_noted_as_long_as_it_is_the_same() {
        let name = |name: &str| Object::from([("name", Value::from(name))]);
        let given = |old: &Object, given: &Object| given_as_made(Some(old), given, |name| name == "name");
        let made = noted(name("n"), &[PropertyPath::field("name")], true);
        let kept = given(&made, &name("n"));
        assert_eq!(kept, ["name"]);
        let kept = with_given(noted(name("n"), &[], true), kept);
        assert_eq!(notes(Some(&kept)), Notes::default(), "a program may give it");
        assert_eq!(notes_with_given(Some(&kept)).generated, [PropertyPath::field("name")]);
        assert_eq!(notes_on_record(Some(&kept), ["name"].into_iter()).generated, [PropertyPath::field("name")]);
        assert_eq!(given(&kept, &name("n")), ["name"], "and again");
        for (old, new) in [(&kept, name("m")), (&kept, Object::new()), (&noted(name("n"), &[], true), name("n"))] {
            assert_eq!(given(old, &new), [""; 0], "{old:?} {new:?}");
        }
        // Every input may be ignored, notes and all.
        assert_eq!(with_given(kept, Vec::new()), noted(name("n"), &[], true));
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
