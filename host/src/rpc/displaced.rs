//! Which inputs an upgrade has moved or converted while they were to be ignored, noted in the record.
//!
//! What is to be ignored an engine puts among the new inputs as it is on record, by the name and in the form that it has there, and records it so.
//! The update before which that was converted is told how it is now, and the next one would be told what the engine recorded since, or nothing.
//! So the names of these stand beside the state until inputs have them as they are: what is ignored of them is as the state says.

use std::collections::BTreeSet;

use bulkhead_value::Object;
use serde_json::{Map, Value as Json};

use super::schema_version::{meta, names, with_meta};

const DISPLACED: &str = "displaced";

/// The names that are noted.
pub(super) fn displaced(meta: &Map<String, Json>) -> BTreeSet<String> {
    names(meta, DISPLACED)
}

/// A state with these names noted and no others.
pub(super) fn with_displaced(state: Object, names: BTreeSet<String>) -> Object {
    let mut noted = meta(&state);
    if names.is_empty() {
        return if noted.remove(DISPLACED).is_some() { with_meta(state, noted) } else { state };
    }
    noted.insert(DISPLACED.to_owned(), names.into_iter().collect());
    with_meta(state, noted)
}

#[cfg(test)]
mod tests {
    use bulkhead_value::Value;

    use super::*;

    #[test]
    fn names_stand_beside_other_notes_until_there_are_none() {
        let state = Object::from([("__meta".to_owned(), Value::from(r#"{"schema_version":"1"}"#))]);
        let names: BTreeSet<String> = ["a".to_owned(), "b".to_owned()].into();
        let noted = with_displaced(state.clone(), names.clone());
        assert_eq!(noted["__meta"], r#"{"schema_version":"1","displaced":["a","b"]}"#.into());
        assert_eq!(displaced(&meta(&noted)), names);
        assert_eq!(with_displaced(noted, BTreeSet::new()), state);
        assert_eq!(with_displaced(Object::new(), BTreeSet::new()), Object::new());
    }
}
