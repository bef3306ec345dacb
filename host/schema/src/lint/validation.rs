//! Rules of `validate` that contradict themselves, each other, or what the property is.

use std::collections::BTreeSet;

use super::{
    lints::{Lints, Severity},
    place::Place,
};
use crate::{
    check::{Tries, broken_rules},
    failure::shown,
    model::{ObjectType, Property, Type, Validation},
};

/// Looks at every rule of an object type.
pub(super) fn look(place: &Place<'_>, tries: &mut Tries, lints: &mut Lints) {
    let conflicts = conflicts(place.ty);
    for (name, property) in &place.ty.properties {
        let Some(rules) = &property.facts.validate else { continue };
        for (least, most) in crossed(rules) {
            let message = format!("nothing is allowed: `{least}` is more than `{most}`");
            lints.add(Severity::Error, place.of(name), message, "swap them, or leave one out");
        }
        for (rule, wanted) in misplaced(rules, &property.ty) {
            let message = format!("`{rule}` is of {wanted}, which the property never is, so it is never looked at");
            lints.add(Severity::Warning, place.of(name), message, "leave it out, or correct the type");
        }
        for (what, value) in [("default", &property.default), ("const", &property.constant)] {
            for broken in value.iter().flat_map(|value| broken_rules(Some(property), value, tries)) {
                let message = format!("the {what} isn't allowed by `validate`: {broken}");
                lints.add(Severity::Error, place.of(name), message, "correct either");
            }
        }
        autoname(name, property, rules, place, lints);
        relations(name, rules, &conflicts, place, lints);
    }
}

/// Bounds of which the lower is above the upper.
fn crossed(rules: &Validation) -> Vec<(&'static str, &'static str)> {
    let more = |least: Option<usize>, most: Option<usize>| least.zip(most).is_some_and(|(least, most)| least > most);
    let crossed = [
        (rules.minimum.zip(rules.maximum).is_some_and(|(least, most)| least > most), ("minimum", "maximum")),
        (more(rules.min_length, rules.max_length), ("minLength", "maxLength")),
        (more(rules.min_items, rules.max_items), ("minItems", "maxItems")),
    ];
    crossed.into_iter().filter(|(crossed, _)| *crossed).map(|(_, bounds)| bounds).collect()
}

/// Rules about values that the type doesn't have.
fn misplaced(rules: &Validation, ty: &Type) -> Vec<(&'static str, &'static str)> {
    let all = [
        (rules.minimum.is_some(), "minimum", "a number", is_number as fn(&Type) -> bool),
        (rules.maximum.is_some(), "maximum", "a number", is_number),
        (rules.min_length.is_some(), "minLength", "a string", is_text),
        (rules.max_length.is_some(), "maxLength", "a string", is_text),
        (rules.pattern.is_some(), "pattern", "a string", is_text),
        (rules.min_items.is_some(), "minItems", "a list or map", is_collection),
        (rules.max_items.is_some(), "maxItems", "a list or map", is_collection),
    ];
    let misplaced = all.into_iter().filter(|(given, _, _, fits)| *given && !may_be(ty, *fits));
    misplaced.map(|(_, rule, wanted, _)| (rule, wanted)).collect()
}

/// Whether values of a type may be of a kind.
fn may_be(ty: &Type, kind: fn(&Type) -> bool) -> bool {
    match ty {
        Type::Union(union) => union.variants.iter().any(|variant| may_be(variant, kind)),
        Type::Any | Type::Enum(_) => true,
        ty => kind(ty),
    }
}

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Integer | Type::Number)
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::String | Type::Json | Type::Resource(_))
}

fn is_collection(ty: &Type) -> bool {
    matches!(ty, Type::Array(_) | Type::Map(_) | Type::Object(_))
}

fn autoname(name: &str, property: &Property, rules: &Validation, place: &Place<'_>, lints: &mut Lints) {
    let Some(autoname) = &property.facts.autoname else { return };
    if let Some(most) = rules.max_length
        && autoname.max_length.is_none_or(|generated| generated > most)
    {
        let message =
            format!("names are generated that may be longer than the {most} characters that `validate` allows");
        lints.add(Severity::Warning, place.of(name), message, "give `autoname` the same `maxLength`");
    }
}

fn relations(name: &str, rules: &Validation, conflicts: &Conflicts<'_>, place: &Place<'_>, lints: &mut Lints) {
    let required: BTreeSet<&String> = rules.requires.iter().collect();
    let Place { ty, .. } = place;
    let unavoidable = |name: &str| ty.requires(name) && !ty.property(name).is_some_and(Property::is_filled);
    for other in &rules.conflicts_with {
        if other == name {
            lints.add(Severity::Error, place.of(name), "it conflicts with itself", "leave it out of `conflictsWith`");
        } else if required.contains(other) {
            let message = format!("it requires '{}' and conflicts with it", shown(other));
            lints.add(Severity::Error, place.of(name), message, "leave it out of one of them");
        } else if unavoidable(name)
            && unavoidable(other)
            && (name < other.as_str() || !conflicts.contains(&(other, name)))
        {
            let message = format!("both it and '{}' are required, and they conflict", shown(other));
            lints.add(Severity::Error, place.of(name), message, "require one of them at most");
        }
    }
    for other in rules.exactly_one_of.iter().filter(|other| *other != name && unavoidable(other)) {
        let message = format!("it can never be given: exactly one of these is, and '{}' is required", shown(other));
        lints.add(Severity::Warning, place.of(name), message, "let none of an `exactlyOneOf` be required");
    }
}

/// Which property names which in its conflicts.
type Conflicts<'p> = BTreeSet<(&'p str, &'p str)>;

fn conflicts(ty: &ObjectType) -> Conflicts<'_> {
    let rules = ty.properties.iter().filter_map(|(name, property)| Some((name, property.facts.validate.as_ref()?)));
    let named = rules.flat_map(|(name, rules)| rules.conflicts_with.iter().map(move |other| (name, other)));
    named.map(|(name, other)| (name.as_str(), other.as_str())).collect()
}
