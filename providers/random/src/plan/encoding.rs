//! The native provider keeps a note in each state, from which it tells null from absent when it reads the state again. A
//! stack that goes back to it finds the note as it would have written it.

use bulkhead_sdk::{Fields, Value, fields};

use super::attribute::{Attribute, Kind};

/// The note's key.
const KEY: &str = "__pulumi_raw_state_delta";

/// The note about a state, and its key. `lists` are the outputs that are lists, beside those among the attributes;
/// `renamed` are the outputs that the native provider calls by another name, with that name.
pub fn encoding(attributes: &[Attribute], lists: &[&str], renamed: &[(&str, &str)], state: &Fields) -> (String, Value) {
    let absent = || Value::from(fields! { "replace": fields! { "raw": Value::Null } }).secret();
    let list = || Value::from(fields! { "arr": fields! {} });
    let note = |attribute: &Attribute| match (state.contains_key(attribute.name), attribute.kind) {
        (false, _) => Some(absent()),
        (true, Kind::Texts) => Some(list()),
        (true, Kind::TextsByName) => Some(fields! { "map": fields! {} }.into()),
        (true, Kind::Text | Kind::Whole | Kind::Truth) => None,
    };
    let mut notes: Fields =
        attributes.iter().filter_map(|attribute| Some((attribute.name.to_owned(), note(attribute)?))).collect();
    notes.extend(lists.iter().map(|name| ((*name).to_owned(), list())));
    let mut object = Fields::new();
    if !notes.is_empty() {
        object.insert("ps".to_owned(), notes.into());
    }
    if !renamed.is_empty() {
        let names: Fields = renamed.iter().map(|(name, native)| ((*name).to_owned(), (*native).into())).collect();
        object.insert("renamed".to_owned(), names.into());
    }
    (KEY.to_owned(), fields! { "obj": object }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Unset;

    #[test]
    fn what_is_absent_and_what_has_members_is_noted() {
        let attributes = [
            Attribute::KEEPERS,
            Attribute::new("length", Kind::Whole, Unset::Absent),
            Attribute::new("seed", Kind::Text, Unset::Absent),
        ];
        let absent = || Value::from(fields! { "replace": fields! { "raw": Value::Null } }).secret();
        // As the native provider 4.22.0 noted them.
        let (_, note) = encoding(&attributes, &[], &[], &fields! { "length": 2 });
        assert_eq!(note, fields! { "obj": fields! { "ps": fields! { "keepers": absent(), "seed": absent() } } }.into());
        let state = fields! { "length": 2, "seed": "", "keepers": fields! {} };
        let (_, note) = encoding(&attributes, &["results"], &[("results", "result")], &state);
        let expected = fields! { "obj": fields! {
            "ps": fields! { "keepers": fields! { "map": fields! {} }, "results": fields! { "arr": fields! {} } },
            "renamed": fields! { "results": "result" },
        } };
        assert_eq!(note, expected.into());
    }
}
