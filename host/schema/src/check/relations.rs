//! Which properties go together.
//!
//! A property whose value isn't known may turn out to be absent, so it counts neither as given nor as left out. What a
//! check fills in doesn't count as given either.

use std::collections::BTreeSet;

use bulkhead_value::{Object, Value};

use crate::{failure::shown, model::ObjectType};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Given,
    Open,
    Absent,
}

fn presence(object: &Object, name: &str) -> Presence {
    match object.get(name).map(Value::plain) {
        None | Some(Value::Null) => Presence::Absent,
        Some(value) if value.is_unknown() => Presence::Open,
        Some(_) => Presence::Given,
    }
}

/// The rules that an object breaks: the property that it is told at, and what is wrong.
pub(super) fn broken<'a>(ty: &'a ObjectType, object: &Object) -> Vec<(&'a str, String)> {
    let mut broken = Vec::new();
    let mut choices: BTreeSet<BTreeSet<&str>> = BTreeSet::new();
    let mut pairs: BTreeSet<(&str, &str)> = BTreeSet::new();
    let rules = ty.properties.iter().filter_map(|(name, property)| Some((name, property.facts.validate.as_ref()?)));
    for (name, rules) in rules {
        let given = presence(object, name) == Presence::Given;
        for other in rules.conflicts_with.iter().filter(|other| given && presence(object, other) == Presence::Given) {
            // Both may name each other, and one failure is enough.
            if pairs.insert((name.min(other), name.max(other))) {
                broken.push((name.as_str(), format!("conflicts with '{}'", shown(other))));
            }
        }
        for other in rules.requires.iter().filter(|other| given && presence(object, other) == Presence::Absent) {
            broken.push((name, format!("requires '{}'", shown(other))));
        }
        if !rules.exactly_one_of.is_empty() {
            choices.insert(rules.exactly_one_of.iter().map(String::as_str).chain([name.as_str()]).collect());
        }
    }
    broken.extend(choices.into_iter().filter_map(|choice| broken_choice(ty, object, &choice)));
    broken
}

fn broken_choice<'a>(ty: &'a ObjectType, object: &Object, choice: &BTreeSet<&'a str>) -> Option<(&'a str, String)> {
    let given = choice.iter().filter(|name| presence(object, name) == Presence::Given).count();
    let open = choice.iter().any(|name| presence(object, name) == Presence::Open);
    let filled = choice.iter().any(|name| ty.properties.get(*name).is_some_and(|property| property.default.is_some()));
    let wrong = given > 1 || (given == 0 && !open && !filled);
    let names: Vec<String> = choice.iter().map(|name| format!("'{}'", shown(name))).collect();
    let first = choice.first()?;
    wrong.then(|| (*first, format!("exactly one of {} must be given", names.join(", "))))
}

/// Whether a default for a property would contradict what was given.
pub(super) fn excludes_default(ty: &ObjectType, object: &Object, name: &str) -> bool {
    let rules = |name: &str| ty.properties.get(name).and_then(|property| property.facts.validate.as_ref());
    let excludes = |one: &str, other: &str| {
        rules(one)
            .is_some_and(|rules| rules.conflicts_with.iter().chain(&rules.exactly_one_of).any(|named| named == other))
    };
    ty.properties.keys().any(|other| {
        other != name && presence(object, other) != Presence::Absent && (excludes(name, other) || excludes(other, name))
    })
}
