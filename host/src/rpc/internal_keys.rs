//! Keys that belong to others: `__*` at any depth, and `id` inside a state.
//!
//! Engines and bridged providers keep notes of their own in property bags. The waist and the guest never see them; what was
//! there comes back with the answer, so that a stack can go on with the provider it came from.

use bulkhead_value::{Object, PropertyPath, Value};

use super::properties::strings;
use crate::provider::Notes;

/// The names of inputs that the provider chose.
const DEFAULTS: &str = "__defaults";
/// A bridged provider's encoding of the very state beside it; wrong once the state changes.
const RAW_STATE_DELTA: &str = "__pulumi_raw_state_delta";
/// The id, which some providers repeat among the outputs.
const ID: &str = "id";

fn internal(key: &str) -> bool {
    key.starts_with("__")
}

/// The object without anybody's notes, at any depth.
pub(super) fn hidden(object: Object) -> Object {
    let visible = object.into_map().into_iter().filter(|(key, _)| !internal(key));
    visible.map(|(key, value)| (key, hidden_value(value))).collect()
}

fn hidden_value(value: Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(hidden(object)),
        Value::List(list) => Value::List(list.into_vec().into_iter().map(hidden_value).collect()),
        Value::Secret(secret) => hidden_value(secret.into_inner()).secret(),
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
/// otherwise.
pub(super) fn restored_state(before: &Object, state: Object) -> Object {
    if hidden_state(before.clone()) == state {
        return before.clone();
    }
    let mut state = state;
    for (key, value) in before.iter().filter(|(key, _)| internal(key) || *key == ID) {
        if key != RAW_STATE_DELTA && !state.contains_key(key) {
            state.insert(key.clone(), value.clone());
        }
    }
    state
}

/// New inputs with the notes of those they come from, subtree by subtree.
pub(super) fn restored_inputs(before: &Object, inputs: Object) -> Object {
    let mut restored: Object = inputs
        .into_map()
        .into_iter()
        .map(|(key, value)| {
            let value = match (before.get(&key), value) {
                (Some(Value::Object(before)), Value::Object(object)) => Value::Object(restored_inputs(before, object)),
                (_, value) => value,
            };
            (key, value)
        })
        .collect();
    for (key, value) in before.iter().filter(|(key, _)| internal(key)) {
        restored.insert(key.clone(), value.clone());
    }
    restored
}

/// What is noted about checked inputs.
pub(super) fn notes(inputs: Option<&Object>) -> Notes {
    let names = inputs.and_then(|inputs| inputs.get(DEFAULTS)).and_then(Value::as_list);
    let generated =
        names.into_iter().flat_map(|names| names.iter()).filter_map(Value::as_str).map(PropertyPath::field).collect();
    Notes { filled: Vec::new(), generated }
}

/// Notes which inputs were generated.
pub(super) fn noted(mut inputs: Object, generated: &[PropertyPath]) -> Object {
    let names: Vec<String> = generated.iter().filter_map(|path| path.first_name().map(str::to_owned)).collect();
    if !names.is_empty() {
        inputs.insert(DEFAULTS.to_owned(), strings(names));
    }
    inputs
}
