//! Which schema version a recorded state was written under: the note that bridged providers keep in `__meta`, as JSON in a
//! string, so that a stack can go back and forth between them and this host.

use std::collections::BTreeSet;

use bulkhead_value::{Object, Value};
use serde_json::{Map, Value as Json};

pub(super) const META: &str = "__meta";
const SCHEMA_VERSION: &str = "schema_version";
/// That of inputs that are older than the state beside them.
pub(super) const INPUTS_VERSION: &str = "inputs_version";

/// What is noted in a state.
pub(super) fn meta(state: &Object) -> Map<String, Json> {
    let text = state.get(META).and_then(|meta| meta.plain().as_str());
    match text.map(serde_json::from_str) {
        Some(Ok(Json::Object(meta))) => meta,
        _ => Map::new(),
    }
}

/// A state with these notes.
pub(super) fn with_meta(mut state: Object, meta: Map<String, Json>) -> Object {
    state.insert(META.to_owned(), Value::String(Json::Object(meta).to_string()));
    state
}

/// The names that a note lists.
pub(super) fn names(meta: &Map<String, Json>, note: &str) -> BTreeSet<String> {
    match meta.get(note) {
        Some(Json::Array(names)) => names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        _ => BTreeSet::new(),
    }
}

/// Whether a version is noted.
pub(super) fn is_versioned(meta: &Map<String, Json>) -> bool {
    meta.contains_key(SCHEMA_VERSION)
}

/// The version that is noted; 0 if there is none, and the highest for all that are too high to be anybody's.
pub(super) fn schema_version(meta: &Map<String, Json>) -> u32 {
    meta.get(SCHEMA_VERSION).map_or(0, version)
}

fn version(noted: &Json) -> u32 {
    match noted {
        Json::String(version) => highest(version.parse().ok()),
        Json::Number(version) => highest(version.as_u64()),
        _ => 0,
    }
}

/// The version of the inputs beside a state with these notes: what is noted in themselves, or else there. Without a note they are of the same.
pub(super) fn inputs_version(state: &Map<String, Json>, inputs: Option<&Object>) -> u32 {
    let own = inputs.map(meta).unwrap_or_default();
    match (own.get(SCHEMA_VERSION), state.get(INPUTS_VERSION)) {
        (Some(own), _) | (None, Some(own)) => version(own),
        (None, None) => schema_version(state),
    }
}

/// A state with the version noted that the inputs beside it are of.
pub(super) fn beside_inputs(state: Object, version: u32) -> Object {
    let mut meta = meta(&state);
    meta.insert(INPUTS_VERSION.to_owned(), Json::String(version.to_string()));
    with_meta(state, meta)
}

fn highest(version: Option<u64>) -> u32 {
    version.map_or(0, |version| u32::try_from(version).unwrap_or(u32::MAX))
}

/// The state with the version noted in it. Version 0 needs no note.
pub(super) fn stamped(state: Object, version: u32) -> Object {
    if version == 0 {
        return state;
    }
    let mut meta = meta(&state);
    if schema_version(&meta) == version {
        return state;
    }
    meta.insert(SCHEMA_VERSION.to_owned(), Json::String(version.to_string()));
    with_meta(state, meta)
}

/// Inputs with the version noted that they are of, and no other: what was noted beside those that they come from isn't true of them.
pub(super) fn stamped_inputs(mut inputs: Object, version: u32) -> Object {
    let mut meta = meta(&inputs);
    if version > 0 || meta.remove(SCHEMA_VERSION).is_none() {
        return stamped(inputs, version);
    }
    if meta.is_empty() {
        inputs.remove(META);
        return inputs;
    }
    with_meta(inputs, meta)
}

/// A state with the version noted that may be a part, or become one when it is sent. One that lacks outputs may be just the inputs, which is what
/// engines send of a resource that a program looks up: so it has a note even of version 0.
pub(super) fn stamped_part(state: Object, version: u32) -> Object {
    let state = stamped(state, version);
    if is_noted(&state) {
        return state;
    }
    with_meta(state, [(SCHEMA_VERSION.to_owned(), Json::from("0"))].into_iter().collect())
}

/// Whether a state has such a note. Then it is on record, however little else there is.
pub(super) fn is_noted(state: &Object) -> bool {
    state.contains_key(META)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema_version(state: &Object) -> u32 {
        super::schema_version(&meta(state))
    }

    #[test]
    fn the_version_is_read_as_bridges_write_it_and_other_notes_stay() {
        let state = |meta: &str| Object::from([(META.to_owned(), Value::from(meta))]);
        assert_eq!(schema_version(&state(r#"{"schema_version":"3"}"#)), 3);
        assert_eq!(schema_version(&state(r#"{"schema_version":2}"#)), 2);
        for none in ["", "[]", "{}", r#"{"schema_version":"x"}"#] {
            assert_eq!(schema_version(&state(none)), 0, "{none}");
        }
        for newer in [r#"{"schema_version":"99999999999"}"#, r#"{"schema_version":99999999999}"#] {
            assert_eq!(schema_version(&state(newer)), u32::MAX, "{newer} isn't an old one");
        }
        let stamped = stamped(state(r#"{"timeouts":1,"schema_version":"1"}"#), 4);
        assert_eq!(stamped.get(META), Some(&r#"{"timeouts":1,"schema_version":"4"}"#.into()));
    }

    #[test]
    fn types_that_never_changed_get_no_note() {
        assert!(stamped(Object::new(), 0).is_empty());
        assert_eq!(schema_version(&stamped(Object::new(), 1)), 1);
    }

    #[test]
    fn inputs_keep_no_note_of_a_version_that_they_are_not_of() {
        let noted = |meta: &str| Object::from([("a", Value::from(1.0)), (META, meta.into())]);
        for (before, version, after) in [
            (noted(r#"{"schema_version":"2"}"#), 0, Object::from([("a", Value::from(1.0))])),
            (noted(r#"{"schema_version":"2","timeouts":1}"#), 0, noted(r#"{"timeouts":1}"#)),
            (noted(r#"{"timeouts":1}"#), 0, noted(r#"{"timeouts":1}"#)),
            (noted("theirs"), 0, noted("theirs")),
            (noted(r#"{"schema_version":"2"}"#), 1, noted(r#"{"schema_version":"1"}"#)),
        ] {
            assert_eq!(stamped_inputs(before.clone(), version), after, "{before:?} {version}");
        }
    }

    #[test]
    fn a_part_is_known_as_one_and_is_of_its_version() {
        for version in [0, 3] {
            let part = stamped_part(Object::new(), version);
            assert!(is_noted(&part) && schema_version(&part) == version, "{part:?}");
        }
        let theirs = Object::from([(META.to_owned(), Value::from(r#"{"timeouts":1}"#))]);
        assert_eq!(stamped_part(theirs.clone(), 0), theirs);
    }
}
