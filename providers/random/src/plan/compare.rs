//! What of a recorded state would change.

use bulkhead_sdk::resource::ChangeKind;
use bulkhead_sdk::{Fields, Path, Value};

use super::attribute::{Attribute, Replaces};
use super::coerce::coerced;
use super::predict::predicted;

/// A change of an attribute or of something in it.
#[derive(Debug, PartialEq, Eq)]
pub struct Changed {
    /// Where.
    pub path: Path,
    /// What happens there.
    pub kind: ChangeKind,
    /// Whether the attribute's change has the resource drawn anew.
    pub replaces: bool,
}

/// The changes from a state to what inputs make of it. What isn't known yet is a change.
pub fn changes(attributes: &[Attribute], state: &Fields, inputs: &Fields) -> Vec<Changed> {
    let new = predicted(attributes, inputs);
    let mut found = Vec::new();
    for attribute in attributes {
        let (old, new) = (there(state, attribute.name), there(&new, attribute.name));
        let replaces = || replaces(attribute.replaces, old, new);
        let changes = places(attribute.name, old, new);
        found.extend(changes.into_iter().map(|(path, kind)| Changed { path, kind, replaces: replaces() }));
    }
    found
}

/// Whether inputs give the same for an attribute as others did, in whatever form, if only nothing.
pub fn stays(attribute: &Attribute, prior: &Fields, inputs: &Fields) -> bool {
    let given = |inputs| there(inputs, attribute.name).map(|value| coerced(attribute.kind, value));
    match (given(prior), given(inputs)) {
        (Some(prior), Some(now)) => same(&prior, &now),
        (None, None) => true,
        _ => false,
    }
}

/// Where two values differ: in members of both, or as a whole.
fn places(name: &str, old: Option<&Value>, new: Option<&Value>) -> Vec<(Path, ChangeKind)> {
    let whole = Path::from(name);
    match (old, new) {
        (None, None) => Vec::new(),
        (None, Some(_)) => vec![(whole, ChangeKind::Added)],
        (Some(_), None) => vec![(whole, ChangeKind::Deleted)],
        (Some(old), Some(new)) if same(old, new) => Vec::new(),
        // Inside a secret, nobody is told where.
        (Some(old), Some(new)) => match (old, new) {
            (Value::Fields(old), Value::Fields(new)) => {
                let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
                names.sort_unstable();
                names.dedup();
                let places = names.into_iter().filter_map(|name| Some((name, kind(old.get(name), new.get(name))?)));
                places.map(|(name, kind)| (whole.clone().field(name), kind)).collect()
            }
            (Value::Items(old), Value::Items(new)) => {
                let last = u32::try_from(old.len().max(new.len())).unwrap_or(u32::MAX);
                let of = |items: &[Value], index: u32| items.get(index as usize).cloned();
                let places = (0..last)
                    .filter_map(|index| Some((index, kind(of(old, index).as_ref(), of(new, index).as_ref())?)));
                places.map(|(index, kind)| (whole.clone().index(index), kind)).collect()
            }
            _ => vec![(whole, ChangeKind::Updated)],
        },
    }
}

fn kind(old: Option<&Value>, new: Option<&Value>) -> Option<ChangeKind> {
    match (old, new) {
        (None, None) => None,
        (None, Some(_)) => Some(ChangeKind::Added),
        (Some(_), None) => Some(ChangeKind::Deleted),
        (Some(old), Some(new)) => (!same(old, new)).then_some(ChangeKind::Updated),
    }
}

/// Whether a change has the resource drawn anew.
fn replaces(rule: Replaces, old: Option<&Value>, new: Option<&Value>) -> bool {
    match rule {
        Replaces::Always => true,
        Replaces::UnlessEmptied => match new {
            Some(new) => !new.is_unknown(),
            None => old.and_then(Value::as_text) != Some(""),
        },
        Replaces::IfValuesChange => values_change(old.and_then(Value::as_fields), new.and_then(Value::as_fields)),
    }
}

/// Whether a value is gone, or there is one that isn't the old one. Values that aren't known as a whole say nothing.
fn values_change(old: Option<&Fields>, new: Option<&Fields>) -> bool {
    let none = Fields::new();
    let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
    let changed = |(name, value): (&String, &Value)| match old.get(name) {
        None => *value.plain() != Value::Null,
        Some(old) => !same(old, value),
    };
    new.iter().any(changed) || old.keys().any(|name| !new.contains_key(name))
}

/// Whether two values are the same, secret or not. What isn't known is the same as nothing.
fn same(old: &Value, new: &Value) -> bool {
    match (old.plain(), new.plain()) {
        (Value::Unknown, _) | (_, Value::Unknown) => false,
        (Value::Fields(old), Value::Fields(new)) => {
            old.len() == new.len() && old.iter().all(|(name, old)| new.get(name).is_some_and(|new| same(old, new)))
        }
        (Value::Items(old), Value::Items(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new))
        }
        (old, new) => old == new,
    }
}

/// A member that is there and not null.
pub fn there<'a>(fields: &'a Fields, name: &str) -> Option<&'a Value> {
    fields.get(name).filter(|value| *value.plain() != Value::Null)
}

#[cfg(test)]
mod tests {
    use bulkhead_sdk::fields;

    use super::*;
    use crate::plan::{Kind, Unset};

    const ATTRIBUTES: [Attribute; 4] = [
        Attribute::KEEPERS,
        Attribute::new("length", Kind::Whole, Unset::Whole(2)),
        Attribute::new("inputs", Kind::Texts, Unset::Absent),
        Attribute::new("overrideSpecial", Kind::Text, Unset::Absent).replaces(Replaces::UnlessEmptied),
    ];

    /// Each change as `kind path`, with `!` where it replaces.
    fn told(state: Fields, inputs: Fields) -> Vec<String> {
        let told = |change: Changed| {
            format!("{:?} {}{}", change.kind, change.path, if change.replaces { "!" } else { "" }).to_lowercase()
        };
        changes(&ATTRIBUTES, &state, &inputs).into_iter().map(told).collect()
    }

    #[test]
    fn what_stays_is_no_change_in_whatever_form_it_is_given() {
        let state = fields! { "length": 12, "keepers": fields! { "a": "1" }, "inputs": vec!["1", "b"] };
        let inputs = fields! {
            "length": "12",
            "keepers": fields! { "a": Value::from(1).secret() },
            "inputs": vec![Value::from(1), Value::from("b")],
        };
        assert_eq!(told(state, inputs), Vec::<String>::new());
        assert_eq!(told(fields! { "length": 2 }, fields! { "keepers": Value::Null }), Vec::<String>::new());
    }

    #[test]
    fn changes_are_told_where_they_are() {
        let state = fields! { "length": 2, "keepers": fields! { "a": "1", "b": "2" }, "inputs": vec!["a", "b"] };
        let inputs = fields! { "length": 3, "keepers": fields! { "a": "3", "c": "4" }, "inputs": vec!["a"] };
        let expected =
            ["updated keepers.a!", "deleted keepers.b!", "added keepers.c!", "updated length!", "deleted inputs[1]!"];
        assert_eq!(told(state.clone(), inputs), expected);
        let inputs = fields! { "length": Value::Unknown, "overrideSpecial": "_" };
        assert_eq!(
            told(state, inputs),
            ["deleted keepers!", "updated length!", "deleted inputs!", "added overridespecial!"]
        );
    }

    #[test]
    fn places_inside_a_secret_are_not_told() {
        let state = fields! { "length": 2, "keepers": Value::from(fields! { "a": "1" }).secret() };
        assert_eq!(told(state, fields! { "keepers": fields! { "a": "2" } }), ["updated keepers!"]);
    }

    #[test]
    fn keepers_without_values_are_recorded_and_replace_nothing() {
        let some = || fields! { "keepers": fields! { "a": "b" } };
        let cases = [
            (fields! {}, fields! { "keepers": fields! {} }, vec!["added keepers"]),
            (fields! {}, fields! { "keepers": fields! { "a": Value::Null } }, vec!["added keepers"]),
            (fields! { "keepers": fields! {} }, fields! {}, vec!["deleted keepers"]),
            (some(), fields! { "keepers": fields! { "a": "b", "c": Value::Null } }, vec!["added keepers.c"]),
            // A null that was recorded is gone: a change, as natively.
            (fields! { "keepers": fields! { "a": Value::Null } }, fields! {}, vec!["deleted keepers!"]),
            (some(), fields! { "keepers": fields! {} }, vec!["deleted keepers.a!"]),
            (fields! {}, some(), vec!["added keepers!"]),
            (fields! {}, fields! { "keepers": Value::Unknown }, vec!["added keepers"]),
            (some(), fields! { "keepers": Value::Unknown }, vec!["updated keepers!"]),
            (some(), fields! { "keepers": fields! { "a": Value::Unknown } }, vec!["updated keepers.a!"]),
        ];
        for (mut state, inputs, expected) in cases {
            state.insert("length".to_owned(), 2.into());
            assert_eq!(told(state, inputs.clone()), expected, "{inputs:?}");
        }
    }

    #[test]
    fn an_empty_text_may_go_but_not_come() {
        let empty = || fields! { "length": 2, "overrideSpecial": "" };
        assert_eq!(told(empty(), fields! {}), ["deleted overridespecial"]);
        assert_eq!(told(fields! { "length": 2 }, empty()), ["added overridespecial!"]);
        let some = || fields! { "length": 2, "overrideSpecial": "_" };
        assert_eq!(told(some(), fields! {}), ["deleted overridespecial!"]);
        assert_eq!(told(some(), fields! { "overrideSpecial": Value::Unknown }), ["updated overridespecial"]);
    }
}
