//! What users and registries show, and isn't there. It stands in the document alone: nothing else needs it.

use super::{
    lints::{Lints, Severity},
    place::pointer,
};
use crate::parse::Json;

/// What a package should say before it is published.
const PUBLISHED: [(&str, &str); 3] = [
    ("version", "plugins are installed by their version"),
    ("description", "registries show it"),
    ("license", "without one, nobody may use it"),
];

/// Looks at a document.
pub(super) fn look(document: &Json<'_>, lints: &mut Lints) {
    let says =
        |json: &Json<'_>, name: &str| json.get(name).and_then(Json::as_str).is_some_and(|text| !text.trim().is_empty());
    for (name, hint) in PUBLISHED.iter().filter(|(name, _)| !says(document, name)) {
        lints.add(Severity::Hint, "#".to_owned(), format!("the package has no `{name}`"), hint);
    }
    for (section, what) in [("resources", "the resource"), ("functions", "the function")] {
        let entries = document.get(section).and_then(Json::as_object);
        for (token, entry) in entries.into_iter().flat_map(|entries| entries.iter()) {
            if entry.as_object().is_some() && !says(entry, "description") {
                let message = format!("{what} has no description");
                lints.add(Severity::Hint, pointer(&[section, token]), message, "say in a sentence what it is for");
            }
        }
    }
}
