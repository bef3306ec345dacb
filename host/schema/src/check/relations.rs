//! Which properties go together.
//!
//! A property whose value isn't known may turn out to be absent, so it counts neither as given nor as left out. What a
//! check fills in doesn't count as given either, but nobody has to give it.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use bulkhead_value::Object;

use crate::{
    failure::{ENOUGH, LISTED, shown},
    model::{ObjectType, Property},
    walk::is_absent,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Given,
    Open,
    Absent,
}

fn presence(ty: &ObjectType, object: &Object, name: &str) -> Presence {
    let property = ty.property(name);
    match object.there(name) {
        None => Presence::Absent,
        Some(value) if value.plain().is_unknown() => Presence::Open,
        Some(value) if property.is_some_and(|property| is_absent(property, value)) => Presence::Absent,
        Some(_) => Presence::Given,
    }
}

/// The rules that an object breaks, as far as anybody would read them: the property that each is told at, and what is wrong.
pub(super) fn broken<'a>(
    ty: &'a ObjectType,
    object: &Object,
    is_at_top: bool,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Vec<(&'a str, String)> {
    let exclusions = LazyCell::new(|| Exclusions::of(ty, object));
    let is_filled = |name: &str| {
        ty.properties.get(name).is_some_and(|property| {
            property.constant.is_some()
                || (has_default(property, is_at_top, environment) && !exclusions.has(ty, object, name))
        })
    };
    let mut broken = Vec::new();
    let mut choices: BTreeSet<BTreeSet<&str>> = BTreeSet::new();
    let mut pairs: BTreeSet<(&str, &str)> = BTreeSet::new();
    let rules = ty.properties.iter().filter_map(|(name, property)| Some((name, property.facts.validate.as_ref()?)));
    for (name, rules) in rules {
        if broken.len() >= ENOUGH {
            return broken;
        }
        let given = presence(ty, object, name) == Presence::Given;
        for other in rules.conflicts_with.iter().filter(|other| given && presence(ty, object, other) == Presence::Given)
        {
            // Both may name each other, and one failure is enough.
            if pairs.insert((name.min(other), name.max(other))) {
                broken.push((name.as_str(), format!("conflicts with '{}'", shown(other))));
            }
        }
        for other in rules.requires.iter().filter(|other| given && presence(ty, object, other) == Presence::Absent) {
            if !is_filled(other) {
                broken.push((name, format!("requires '{}'", shown(other))));
            }
        }
        if !rules.exactly_one_of.is_empty() {
            choices.insert(rules.exactly_one_of.iter().map(String::as_str).chain([name.as_str()]).collect());
        }
    }
    broken.extend(choices.into_iter().filter_map(|choice| broken_choice(ty, object, &choice, &is_filled)).take(ENOUGH));
    broken
}

/// Whether a property is filled in from somewhere if nothing speaks against it.
fn has_default(property: &Property, is_at_top: bool, environment: &dyn Fn(&str) -> Option<String>) -> bool {
    property.default.is_some()
        || (is_at_top && property.facts.autoname.is_some())
        || property.environment_default(environment).is_some()
}

fn broken_choice<'a>(
    ty: &ObjectType,
    object: &Object,
    choice: &BTreeSet<&'a str>,
    is_filled: &dyn Fn(&str) -> bool,
) -> Option<(&'a str, String)> {
    let given = choice.iter().filter(|name| presence(ty, object, name) == Presence::Given).count();
    let open = choice.iter().any(|name| presence(ty, object, name) == Presence::Open);
    let wrong = given > 1 || (given == 0 && !open && !choice.iter().any(|name| is_filled(name)));
    let mut names: Vec<String> = choice.iter().take(LISTED).map(|name| format!("'{}'", shown(name))).collect();
    match choice.len().saturating_sub(LISTED) {
        0 => {}
        more => names.push(format!("{more} more")),
    }
    let first = choice.first()?;
    wrong.then(|| (*first, format!("exactly one of {} must be given", names.join(", "))))
}

/// What was given, as far as it speaks against defaults for what wasn't.
pub(crate) struct Exclusions<'a>(BTreeSet<&'a str>);

impl<'a> Exclusions<'a> {
    pub(crate) fn of(ty: &'a ObjectType, object: &Object) -> Self {
        let is_present = |name: &str| presence(ty, object, name) != Presence::Absent;
        let present = object.keys().filter(|name| is_present(name));
        let mut names: BTreeSet<&str> = present.flat_map(|name| excluded(ty, name)).collect();
        // One property says it of all of a choice.
        let rules = ty.properties.values().filter_map(|property| property.facts.validate.as_ref());
        for choice in rules.map(|rules| &rules.exactly_one_of) {
            if choice.iter().any(|name| is_present(name)) {
                names.extend(choice.iter().map(String::as_str));
            }
        }
        Self(names)
    }

    /// How many names it takes to find out.
    pub(crate) fn effort(ty: &ObjectType) -> usize {
        names(ty)
    }

    /// Whether a default for a property that isn't given would contradict what was given.
    pub(crate) fn has(&self, ty: &ObjectType, object: &Object, name: &str) -> bool {
        self.0.contains(name)
            || excluded(ty, name).any(|other| {
                other != name && ty.properties.contains_key(other) && presence(ty, object, other) != Presence::Absent
            })
    }
}

/// What can't be given together with a property, by what the property says.
fn excluded<'a>(ty: &'a ObjectType, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    let rules = ty.properties.get(name).and_then(|property| property.facts.validate.as_ref());
    rules.into_iter().flat_map(|rules| rules.conflicts_with.iter().chain(&rules.exactly_one_of)).map(String::as_str)
}

/// How many names are looked up to complete an object of a type and to hold it to its rules.
pub(super) fn names(ty: &ObjectType) -> usize {
    let of = |property: &Property| {
        let rules = property.facts.validate.iter();
        let lists = rules.flat_map(|rules| [&rules.conflicts_with, &rules.requires, &rules.exactly_one_of]);
        lists.chain([&property.default_info.environment]).map(Vec::len).fold(0, usize::saturating_add)
    };
    ty.properties.values().map(Box::as_ref).map(of).fold(0, usize::saturating_add)
}
