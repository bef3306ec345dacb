//! Inputs as programs give them: partly unknown in previews, in one of many spellings.
//!
//! Checks look only at what is known, and changes that only change the spelling are none.

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

/// Whether two texts are spellings of one name.
pub(crate) fn same_name(one: &str, other: &str) -> bool {
    one == other || matches!((Name::parse(one), Name::parse(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether two lists hold the same in some order.
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

/// A list as it was given, if what was found is the same in some order; else what was found, what was given first.
pub(crate) fn settled_list(given: &[String], found: Vec<String>, same: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let mut rest = found;
    let mut settled = Vec::with_capacity(rest.len());
    for item in given {
        if let Some(at) = rest.iter().position(|other| same(item, other)) {
            rest.remove(at);
            settled.push(item.clone());
        }
    }
    settled.extend(rest);
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
    difference.changes.retain(|Change { path, .. }| {
        let Some(Segment::Field(name)) = path.segments().first() else { return true };
        !matches!((before.get(name), after.get(name)), (Some(before), Some(after)) if same(name, before, after))
    });
}

/// Whether both are lists of known texts that hold the same in some order.
pub(crate) fn same_texts(one: &Value, other: &Value, same: impl Fn(&str, &str) -> bool) -> bool {
    let texts = |value: &Value| -> Option<Vec<String>> {
        value.as_items()?.iter().map(|item| item.as_text().map(str::to_owned)).collect()
    };
    matches!((texts(one), texts(other)), (Some(one), Some(other)) if same_set(&one, &other, |one, other| same(one, other)))
}

/// Whether both are known texts that are the same.
pub(crate) fn same_text(one: &Value, other: &Value, same: impl Fn(&str, &str) -> bool) -> bool {
    matches!((one.as_text(), other.as_text()), (Some(one), Some(other)) if same(one, other))
}
