//! Names that sound secret, and those among them of what isn't.

use super::{
    lints::{Lints, Severity},
    place::Place,
};
use crate::model::{Property, Type};

/// What names of secrets end with, in words.
const SECRET: [&[&str]; 11] = [
    &["password"],
    &["passphrase"],
    &["passwd"],
    &["secret"],
    &["token"],
    &["credentials"],
    &["api", "key"],
    &["private", "key"],
    &["secret", "key"],
    &["access", "key"],
    &["connection", "string"],
];

/// Looks at the names of an object type.
pub(super) fn look(place: &Place<'_>, lints: &mut Lints) {
    for (name, _) in place.ty.properties.iter().filter(|(name, property)| is_told(name, property)) {
        let message = format!("'{}' sounds like a secret, and isn't marked as one", name.escape_debug());
        lints.add(Severity::Hint, place.of(name), message, "say `secret` of it: it is shown and stored in plain");
    }
}

fn is_told(name: &str, property: &Property) -> bool {
    !property.secret
        && property.constant.is_none()
        && matches!(property.ty, Type::String | Type::Json)
        && sounds_secret(name)
}

/// Whether a name is one that secrets have, whatever its spelling: `apiKey`, `client_secret`, `DB-PASSWORD`.
pub fn sounds_secret(name: &str) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    SECRET.iter().any(|end| words.ends_with(end))
}

/// The words of a name in camel case, snake case or kebab case, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for character in name.chars() {
        let starts = character.is_uppercase() && after_lower;
        if (starts || !character.is_alphanumeric()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
        after_lower = character.is_lowercase() || character.is_numeric();
    }
    words
}
