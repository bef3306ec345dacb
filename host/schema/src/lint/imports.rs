//! What an import is held to and can't have.
//!
//! Engines check the inputs of what was imported, which are those that the state shows. Of an input that isn't echoed it shows none, and where
//! such an input has to be there, each import is told that it is missing: as a mistake of the provider, which the user can do nothing about.

use std::collections::BTreeMap;

use super::{
    lints::{Lints, Severity},
    place::{Place, Side},
};
use crate::{failure::shown, model::ObjectType};

/// Looks at the inputs of a resource that can be imported.
pub(super) fn look(place: &Place<'_>, lints: &mut Lints) {
    let Side::Inputs(resource) = place.side else { return };
    if resource.is_component || !resource.facts.methods.read {
        return;
    }
    for (name, (why, hint)) in needed(place.ty) {
        let message = format!("imports are told that it is missing, since what isn't echoed isn't imported, and {why}");
        lints.add(Severity::Hint, place.of(name), message, hint);
    }
}

/// The inputs that aren't echoed and have to be there, why, and what to do about it.
fn needed(ty: &ObjectType) -> BTreeMap<&str, (String, &'static str)> {
    let is_unseen = |name: &str| ty.properties.get(name).is_some_and(|input| input.facts.not_echoed);
    let is_filled = |name: &str| ty.properties.get(name).is_some_and(|input| input.is_filled());
    let mut needed = BTreeMap::new();
    for (name, input) in &ty.properties {
        if input.facts.not_echoed && ty.requires(name) && !input.is_filled() {
            let hint = "let it be optional, and refuse a creation without it in the provider";
            needed.entry(name.as_str()).or_insert(("it is required".to_owned(), hint));
        }
        let Some(rules) = &input.facts.validate else { continue };
        if !input.facts.not_echoed {
            for other in rules.requires.iter().filter(|other| is_unseen(other) && !is_filled(other)) {
                let hint = "leave it out of `requires`, and refuse a creation without it in the provider";
                needed.entry(other.as_str()).or_insert((format!("'{}' requires it", shown(name)), hint));
            }
        }
        let choice = || rules.exactly_one_of.iter().chain((!rules.exactly_one_of.is_empty()).then_some(name));
        if choice().any(|name| is_filled(name)) {
            continue;
        }
        for other in choice().filter(|other| is_unseen(other)) {
            let hint = "say `conflictsWith` instead, and refuse a creation with none of them in the provider";
            needed.entry(other.as_str()).or_insert(("it is one of an `exactlyOneOf`".to_owned(), hint));
        }
    }
    needed
}
