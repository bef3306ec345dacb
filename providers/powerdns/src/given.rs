//! Inputs as programs give them: partly unknown in previews, in one of many spellings.
//!
//! Checks look only at what is known, and changes that only change the spelling are none.

use std::collections::BTreeMap;

use bulkhead_sdk::resource::{Change, Checked, Difference};
use bulkhead_sdk::{Fields, Path, Segment, Value};

use crate::dns::{Name, NameError};

/// A text that is known.
pub(crate) fn text<'a>(inputs: &'a Fields, name: &str) -> Option<&'a str> {
    inputs.get(name)?.as_text()
}

/// The texts of a list, each with its place; those that are known.
pub(crate) fn texts<'a>(inputs: &'a Fields, name: &'a str) -> impl Iterator<Item = (Path, &'a str)> {
    let items = inputs.get(name).and_then(Value::as_items).unwrap_or_default();
    let place = move |index: u32| Path::from(name).index(index);
    (0_u32..).zip(items).filter_map(move |(index, item)| Some((place(index), item.as_text()?)))
}

/// Whether a list is known to be absent or empty.
pub(crate) fn is_empty(inputs: &Fields, name: &str) -> bool {
    match inputs.get(name).map(Value::plain) {
        None | Some(Value::Null) => true,
        Some(Value::Items(items)) => items.is_empty(),
        Some(_) => false,
    }
}

/// Rejects a text that is no name.
pub(crate) fn check_name(checked: &mut Checked, path: Path, text: &str) -> Option<Name> {
    checked_name(checked, path, Name::parse(text))
}

/// Rejects what is no name.
pub(crate) fn checked_name(checked: &mut Checked, path: Path, name: Result<Name, NameError>) -> Option<Name> {
    name.map_err(|error| checked.reject(path, format!("must be a name: {error}"))).ok()
}

/// A name in its one spelling; what is no name as it is.
pub(crate) fn name_key(text: &str) -> String {
    Name::parse(text).map_or_else(|_| text.to_owned(), |name| name.to_string())
}

/// Whether two texts are spellings of one name.
pub(crate) fn same_name(one: &str, other: &str) -> bool {
    name_key(one) == name_key(other)
}

/// Whether two short lists hold the same in some order.
pub(crate) fn same_set<A, B>(one: &[A], other: &[B], same: impl Fn(&A, &B) -> bool) -> bool {
    let mut rest: Vec<&B> = other.iter().collect();
    one.len() == other.len()
        && one.iter().all(|item| match rest.iter().position(|other| same(item, other)) {
            Some(at) => {
                rest.swap_remove(at);
                true
            }
            None => false,
        })
}

/// A list as it was given, if what was found is the same in some order; else what was found, what was given first. What has the same `key`
/// is the same.
pub(crate) fn settled_list<K: Ord>(given: &[String], found: Vec<String>, key: impl Fn(&str) -> K) -> Vec<String> {
    let mut places: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (place, item) in found.iter().enumerate().rev() {
        places.entry(key(item)).or_default().push(place);
    }
    let mut rest: Vec<Option<String>> = found.into_iter().map(Some).collect();
    let mut settled = Vec::with_capacity(rest.len());
    for item in given {
        let place = places.get_mut(&key(item)).and_then(Vec::pop);
        if let Some(found) = place.and_then(|place| rest.get_mut(place)) {
            *found = None;
            settled.push(item.clone());
        }
    }
    settled.extend(rest.into_iter().flatten());
    settled
}

/// A value as it was given, if what was found is the same.
pub(crate) fn settled<T>(given: Option<T>, found: T, same: impl Fn(&T, &T) -> bool) -> T {
    match given {
        Some(given) if same(&given, &found) => given,
        _ => found,
    }
}

/// Leaves out the changes of properties that are the same before and after, spelling aside.
pub(crate) fn without_spelling(
    difference: &mut Difference,
    before: Option<&Fields>,
    after: &Fields,
    same: impl Fn(&str, &Value, &Value) -> bool,
) {
    let Some(before) = before else { return };
    // A list has a change for each of its items, and is compared once.
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    difference.changes.retain(|Change { path, .. }| {
        let Some(Segment::Field(name)) = path.segments().first() else { return true };
        if let Some(differs) = known.get(name.as_str()) {
            return *differs;
        }
        let differs =
            !matches!((before.get(name), after.get(name)), (Some(before), Some(after)) if same(name, before, after));
        known.insert(name.clone(), differs);
        differs
    });
}

/// Whether none of these properties changes.
pub(crate) fn stay(difference: &Difference, names: &[&str]) -> bool {
    !difference.changes.iter().any(|change| names.iter().any(|name| change.path == Path::from(*name)))
}

/// Whether both are lists of known texts that hold the same in some order. What has the same `key` is the same.
pub(crate) fn same_texts<K: Ord>(one: &Value, other: &Value, key: impl Fn(&str) -> K) -> bool {
    let keys = |value: &Value| -> Option<Vec<K>> {
        let mut keys: Vec<K> = value.as_items()?.iter().map(|item| item.as_text().map(&key)).collect::<Option<_>>()?;
        keys.sort_unstable();
        Some(keys)
    };
    matches!((keys(one), keys(other)), (Some(one), Some(other)) if one == other)
}

/// Whether both are known texts that are the same.
pub(crate) fn same_text(one: &Value, other: &Value, same: impl Fn(&str, &str) -> bool) -> bool {
    matches!((one.as_text(), other.as_text()), (Some(one), Some(other)) if same(one, other))
}
