//! What updates have changed that failed half-way, noted in the record.
//!
//! Of such an update engines keep the new state and the inputs from before. Put back, the program wants just those inputs, and once a
//! refresh has found the resource as it is on record nothing differs any more: what was reached would stay for ever. So the names of what
//! was reached stand beside the record until a refresh has shown it in the inputs, or an update has come to its end.
//!
//! A create that came to no end is the same to them: the state is what it left, the inputs are all that was given. So the names of what it left
//! undone are noted as well.
//!
//! A resource that can't be read a refresh finds as it is on record whatever became of it, and engines take that for health: a create that
//! came to no end would be forgotten. So that it is a part is noted as well, of such resources alone.

use std::collections::BTreeSet;

use bulkhead_value::{Object, equivalent};
use serde_json::{Map, Value as Json};

use super::internal_keys::noted_at_top;
use super::schema_version::{INPUTS_VERSION, meta, names, with_meta};
use crate::provider::{Prior, Record};

const REACHED: &str = "reached";
/// What stands among the names where the resource is a part: hosts that don't know of it read names alone there, and take all of it away
/// once an update has come to its end.
const PART: Json = Json::Bool(true);

/// The names that are noted.
pub(super) fn reached(meta: &Map<String, Json>) -> BTreeSet<String> {
    names(meta, REACHED)
}

/// Whether the resource is noted to be a part.
pub(super) fn is_part(meta: &Map<String, Json>) -> bool {
    matches!(meta.get(REACHED), Some(Json::Array(noted)) if noted.contains(&PART))
}

/// What is left of a resource that nothing can read, noted to be a part.
pub(super) fn as_part(state: Object) -> Object {
    let mut meta = meta(&state);
    let names = reached(&meta).into_iter().map(Json::from);
    let noted: Vec<Json> = names.chain([PART]).collect();
    meta.insert(REACHED.to_owned(), noted.into());
    with_meta(state, meta)
}

/// What is left of a resource by an update to other inputs that failed half-way, with the names of what differs from the state before, and of
/// what did by then. Only inputs that were to change are noted: what else differs, the provider tells otherwise than before, or somebody
/// changed. The record before is the one that the update was told, in terms of the present schema. Whether what is left is a part, whoever
/// leaves it says anew.
pub(super) fn with_reached(before: &Record, inputs: &Object, state: Object) -> Object {
    let Prior { inputs: old, state: old_state, .. } = &before.prior;
    let wanted = |name: &str| old.as_ref().is_none_or(|old| differ(old, inputs, name));
    let given = inputs.keys().chain(old.iter().flat_map(|old| old.keys()));
    let changed = given.filter(|name| !noted_at_top(name) && wanted(name) && differ(old_state, &state, name)).cloned();
    let names: BTreeSet<String> = before.reached.iter().cloned().chain(changed).collect();
    if !names.is_empty() {
        return with_names(state, names);
    }
    let mut meta = meta(&state);
    if !is_part(&meta) || !reached(&meta).is_empty() {
        return state;
    }
    meta.retain(|note, _| note != REACHED);
    with_meta(state, meta)
}

/// What is left of a resource, with the names of what it has otherwise than it was given.
pub(super) fn with_names(state: Object, names: BTreeSet<String>) -> Object {
    if names.is_empty() {
        return state;
    }
    let mut meta = meta(&state);
    meta.insert(REACHED.to_owned(), names.into_iter().collect());
    with_meta(state, meta)
}

fn differ(before: &Object, after: &Object, name: &str) -> bool {
    match (before.get(name), after.get(name)) {
        (Some(before), Some(after)) => !equivalent(before, after),
        (before, after) => before.is_some() || after.is_some(),
    }
}

/// The state of a resource that is as its inputs say.
pub(super) fn without_reached(state: Object) -> Object {
    let mut noted = meta(&state);
    let before = noted.len();
    noted.retain(|note, _| ![REACHED, INPUTS_VERSION].contains(&note.as_str()));
    if noted.len() < before { with_meta(state, noted) } else { state }
}

#[cfg(test)]
mod tests {
    use bulkhead_value::Value;

    use super::super::record::record;
    use super::*;

    fn reached(state: &Object) -> BTreeSet<String> {
        super::reached(&meta(state))
    }

    #[test]
    fn what_was_reached_is_noted_until_it_is_told() {
        let object = |members: &[(&str, f64)]| -> Object {
            members.iter().map(|(name, value)| ((*name).to_owned(), Value::Number(*value))).collect()
        };
        let inputs = object(&[("a", 2.0), ("b", 2.0), ("c", 2.0), ("id", 1.0)]);
        let (before, after) =
            (object(&[("a", 1.0), ("b", 1.0), ("o", 1.0)]), object(&[("a", 2.0), ("b", 1.0), ("o", 2.0)]));
        let on_record = |state: &Object, inputs| record("i".to_owned(), state.clone(), inputs);
        let left = with_reached(&on_record(&before, None), &inputs, after);
        assert_eq!(
            reached(&left).into_iter().collect::<Vec<_>>(),
            ["a"],
            "neither what is as it was nor what nobody gave"
        );
        let retried = with_reached(&on_record(&before, Some(inputs.clone())), &inputs, left.clone());
        assert_eq!(retried, left, "nothing was to change");
        let again = with_reached(&on_record(&left, None), &inputs, object(&[("a", 2.0), ("b", 2.0), ("o", 2.0)]));
        assert_eq!(reached(&again).into_iter().collect::<Vec<_>>(), ["a", "b"]);
        assert!(reached(&without_reached(again)).is_empty());
        assert_eq!(with_reached(&on_record(&before, None), &inputs, before.clone()), before);
        assert!(reached(&Object::from([("__meta".to_owned(), Value::from(r#"{"reached":"a"}"#))])).is_empty());
    }

    #[test]
    fn what_is_a_part_is_noted_beside_what_it_reached_until_it_is_whole() {
        let noted = |meta: &str| Object::from([("__meta".to_owned(), Value::from(meta))]);
        for (before, after) in [
            (r#"{"schema_version":"0"}"#, r#"{"schema_version":"0","reached":[true]}"#),
            (r#"{"reached":["a"]}"#, r#"{"reached":["a",true]}"#),
            (r#"{"reached":["a",true]}"#, r#"{"reached":["a",true]}"#),
        ] {
            let part = as_part(noted(before));
            assert_eq!(part, noted(after));
            assert!(super::is_part(&meta(&part)) && reached(&part) == reached(&noted(before)));
            assert!(!super::is_part(&meta(&without_reached(part))));
        }
        assert!(!super::is_part(&meta(&noted(r#"{"reached":["a"]}"#))));
        // What another update leaves is no part until that says so, whether it reached anything or not.
        for (before, after) in [
            (r#"{"schema_version":"0","reached":[true]}"#, r#"{"schema_version":"0"}"#),
            (r#"{"reached":["a",true]}"#, r#"{"reached":["a"]}"#),
        ] {
            let on_record = record("i".to_owned(), noted(before), None);
            assert_eq!(with_reached(&on_record, &Object::new(), noted(before)), noted(after));
        }
    }
}
