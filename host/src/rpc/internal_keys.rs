//! Keys that belong to others: `__*` at the top of a bag, `__defaults` at any depth, and `id` inside a state.
//!
//! Below the top only `__defaults` is anybody's note: other keys there may be those of a map, which are the user's, whatever they
//! start with.
//!
//! Engines and bridged providers keep notes of their own in property bags. The waist and the guest never see them; what was
//! there comes back with the answer, so that a stack can go on with the provider it came from.

use std::iter::repeat_n;

use bulkhead_value::{List, Object, Value, equivalent};

use super::defaults::DEFAULTS;

/// A bridged provider's encoding of the very state beside it; wrong once the state changes.
const RAW_STATE_DELTA: &str = "__pulumi_raw_state_delta";
/// The id, which some providers repeat among the outputs.
const ID: &str = "id";

fn internal(key: &str) -> bool {
    key.starts_with("__")
}

/// Whether a key below the top is a note.
fn internal_below(key: &str) -> bool {
    key == DEFAULTS
}

/// Whether anybody's notes are in an object, at any depth.
pub(super) fn holds_notes(object: &Object) -> bool {
    object.iter().any(|(key, value)| internal(key) || value_holds_notes(value))
}

fn value_holds_notes(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| internal_below(key) || value_holds_notes(value)),
        Value::List(list) => list.iter().any(value_holds_notes),
        Value::Secret(secret) => value_holds_notes(secret.inner()),
        _ => false,
    }
}

/// The object without anybody's notes, at any depth.
pub(super) fn hidden(object: Object) -> Object {
    if holds_notes(&object) { stripped(object) } else { object }
}

/// The object without the notes that it holds.
pub(super) fn stripped(object: Object) -> Object {
    without(object, internal)
}

fn without(object: Object, noted: fn(&str) -> bool) -> Object {
    let visible = object.into_map().into_iter().filter(|(key, _)| !noted(key));
    visible.map(|(key, value)| (key, stripped_value(value))).collect()
}

fn stripped_value(value: Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(without(object, internal_below)),
        Value::List(list) => Value::List(list.into_vec().into_iter().map(stripped_value).collect()),
        Value::Secret(secret) => stripped_value(secret.into_inner()).secret(),
        other => other,
    }
}

/// A state without anybody's notes and without its repeated id.
pub(super) fn hidden_state(state: Object) -> Object {
    let mut state = hidden(state);
    state.remove(ID);
    state
}

/// A new state with the notes of the one before: all of them if nothing changed, those about the old contents left out
/// otherwise. Notes that the provider writes itself are newer.
pub(super) fn restored_state(before: &Object, mut state: Object) -> Object {
    if hidden_state(before.clone()) == hidden_state(state.clone()) {
        let notes = state.into_map().into_iter().filter(|(key, _)| noted_at_top(key));
        let mut unchanged = before.clone();
        for (key, value) in notes {
            unchanged.insert(key, value);
        }
        return unchanged;
    }
    for (key, value) in before.iter().filter(|(key, _)| noted_at_top(key)) {
        if key != RAW_STATE_DELTA && !state.contains_key(key) {
            state.insert(key.clone(), value.clone());
        }
    }
    state
}

/// Whether what a state has under a name is a note, or the id.
pub(super) fn noted_at_top(key: &str) -> bool {
    internal(key) || key == ID
}

/// Whether nothing is on record but notes and a repeated id.
pub(super) fn is_blank(state: &Object) -> bool {
    state.keys().all(|key| noted_at_top(key))
}

/// New inputs with the notes of those they come from, subtree by subtree. What isn't the default any more that it was noted to be
/// isn't noted again, but for the names that the provider makes: whatever the resource is called now, it stays so.
pub(super) fn restored_inputs(before: &Object, inputs: Object, is_autonamed: &dyn Fn(&str) -> bool) -> Object {
    restored(before, inputs, internal, is_autonamed)
}

fn restored(before: &Object, inputs: Object, noted: fn(&str) -> bool, stays: &dyn Fn(&str) -> bool) -> Object {
    let mut whole: Object = inputs
        .into_map()
        .into_iter()
        .map(|(key, value)| {
            let value = match before.get(&key) {
                Some(before) => restored_value(before, value),
                None => value,
            };
            (key, value)
        })
        .collect();
    let still_so = |name: &Value| {
        let same = |name| match (before.get(name), whole.get(name)) {
            (Some(before), Some(now)) => equivalent(before, now),
            _ => false,
        };
        name.as_str().is_none_or(|name| stays(name) || same(name))
    };
    let notes = before.iter().filter(|(key, _)| noted(key)).map(|(key, value)| match value {
        Value::List(names) if key == DEFAULTS => {
            (key.clone(), Value::List(names.iter().filter(|name| still_so(name)).cloned().collect()))
        }
        value => (key.clone(), value.clone()),
    });
    let notes: Vec<(String, Value)> = notes.collect();
    whole.extend(notes);
    whole
}

/// The same of what is below them. Elements of a list are those that were there before where it kept its length; else those at either end
/// that are as they were.
fn restored_value(before: &Value, value: Value) -> Value {
    match (before.plain(), value) {
        (before, Value::Secret(secret)) => restored_value(before, secret.into_inner()).secret(),
        (Value::Object(before), Value::Object(object)) => {
            Value::Object(restored(before, object, internal_below, &|_| false))
        }
        (Value::List(before), Value::List(list)) => {
            let (front, end) = if before.len() == list.len() { (list.len(), 0) } else { unchanged(before, &list) };
            let others = list.len().saturating_sub(front.saturating_add(end));
            let last = before.iter().skip(before.len().saturating_sub(end));
            let places = before.iter().take(front).map(Some).chain(repeat_n(None, others)).chain(last.map(Some));
            let elements = places.zip(list.into_vec()).map(|(before, element)| match before {
                Some(before) => restored_value(before, element),
                None => element,
            });
            Value::List(elements.collect())
        }
        (_, value) => value,
    }
}

/// How many elements at the front of a list, and how many at its end, are as they were.
fn unchanged(before: &List, list: &List) -> (usize, usize) {
    let same = |(before, element): &(&Value, &Value)| equivalent(&stripped_value((*before).clone()), element);
    let front = before.iter().zip(list).take_while(same).count();
    let shorter = before.len().min(list.len()).saturating_sub(front);
    let end = before.iter().rev().zip(list.iter().rev()).take(shorter).take_while(same).count();
    (front, end)
}

#[cfg(test)]
mod tests {
    use bulkhead_value::PropertyPath;

    use super::super::defaults::noted;
    use super::*;

    fn nested() -> Object {
        let inner = Object::from([("__defaults".to_owned(), Value::Null), ("a".to_owned(), Value::Number(1.0))]);
        let list = Value::List(vec![Value::Object(inner.clone()).secret()].into());
        Object::from([
            ("__meta".to_owned(), "m".into()),
            ("__pulumi_raw_state_delta".to_owned(), "d".into()),
            ("id".to_owned(), "i".into()),
            ("l".to_owned(), list),
            ("o".to_owned(), Value::Object(inner)),
        ])
    }

    #[test]
    fn notes_are_hidden_at_any_depth() {
        let inner = Object::from([("a".to_owned(), Value::Number(1.0))]);
        let list = Value::List(vec![Value::Object(inner.clone()).secret()].into());
        let expected = Object::from([("l".to_owned(), list), ("o".to_owned(), Value::Object(inner))]);
        assert_eq!(hidden_state(nested()), expected);
        assert_eq!(hidden(nested()).get("id"), Some(&"i".into()), "an input may be called `id`");
    }

    #[test]
    fn keys_of_maps_are_the_users() {
        let map = Object::from([("__type".to_owned(), Value::from("mine")), (String::new(), "too".into())]);
        let inputs = Object::from([("map".to_owned(), Value::Object(map))]);
        assert!(!holds_notes(&inputs));
        assert_eq!(hidden(inputs.clone()), inputs);
        assert_eq!(restored_inputs(&inputs, Object::new(), &|_| false), Object::new());
    }

    #[test]
    fn an_unchanged_state_keeps_all_notes_and_a_changed_one_those_that_are_still_true() {
        assert_eq!(restored_state(&nested(), hidden_state(nested())), nested());
        let changed = restored_state(&nested(), Object::from([("o".to_owned(), Value::Number(2.0))]));
        let keys: Vec<&str> = changed.keys().map(String::as_str).collect();
        assert_eq!(keys, ["__meta", "id", "o"]);
    }

    #[test]
    fn inputs_get_their_notes_back_where_they_were() {
        let before = nested();
        let after = restored_inputs(&before, hidden(before.clone()), &|_| false);
        for name in ["o", "l", "__meta"] {
            assert_eq!(after.get(name), before.get(name), "{name}");
        }
        let longer = Object::from([("l".to_owned(), Value::List(vec![Value::Null, Value::Null].into()))]);
        assert_eq!(restored_inputs(&before, longer.clone(), &|_| false).get("l"), longer.get("l"));
    }

    #[test]
    fn elements_that_others_came_or_went_beside_get_their_notes_back() {
        let element = |letter: char| Object::from([("letter", letter.to_string())]);
        let list = |letters: &str, of: &dyn Fn(Object) -> Object| {
            let elements: Vec<_> = letters.chars().map(|letter| Value::Object(of(element(letter)))).collect();
            Object::from([("l", Value::List(elements.into()))])
        };
        let before = list("abc", &|element| noted(element, &[PropertyPath::field("letter")], true));
        for (read, same) in
            [("ab", "ab"), ("bc", "bc"), ("ac", "ac"), ("abcd", "abc"), ("xabyc", "c"), ("axybc", "abc"), ("", "")]
        {
            let after = restored_inputs(&before, list(read, &|element| element), &|_| false);
            let notes = after["l"].as_list().unwrap().iter().map(Value::as_object).map(Option::unwrap);
            let found: Vec<_> = notes
                .filter(|element| element.contains_key(DEFAULTS))
                .map(|element| element["letter"].as_str().unwrap())
                .collect();
            assert_eq!(found.concat(), same, "{read}");
        }
    }

    #[test]
    fn what_a_refresh_found_changed_is_no_default_any_more() {
        let names = |names: &[&str]| names.iter().map(|name| PropertyPath::field(name)).collect::<Vec<_>>();
        let read = Object::from([("a".to_owned(), Value::Number(1.0)), ("name".to_owned(), "m".into())]);
        let mut before = read.clone();
        before.extend([("b".to_owned(), Value::Number(1.0)), ("name".to_owned(), "n".into())]);
        let before = noted(before, &names(&["a", "b", "name"]), true);
        let after = restored_inputs(&before, read.clone(), &|name| name == "name");
        assert_eq!(after, noted(read, &names(&["a", "name"]), true));
    }
}
