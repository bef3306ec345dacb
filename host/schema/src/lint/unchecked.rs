//! Facts of what a component or a method is given.
//!
//! A host checks, compares and completes what resources and functions are given. A component and a method are handed what the program
//! gave, so that of what a schema says beyond types and secrecy nothing comes, unless the provider sees to it itself.

use super::{
    lints::{Lints, Severity},
    place::pointer,
};
use crate::model::{ObjectType, Package, Property, Validation};

/// Looks at the inputs of components and at the arguments of methods.
pub(super) fn look(package: &Package, lints: &mut Lints) {
    for (token, component) in package.resources.iter().filter(|(_, of)| of.is_component && !of.is_overlay) {
        properties(&component.inputs, &["resources", token, "inputProperties"], lints);
    }
    for token in package.resources.values().chain([&package.provider]).flat_map(|of| package.served_methods(of)) {
        if let Some(arguments) = package.function(token).and_then(|method| method.inputs.as_ref()) {
            properties(arguments, &["functions", token, "inputs", "properties"], lints);
        }
    }
}

fn properties(ty: &ObjectType, place: &[&str], lints: &mut Lints) {
    for (name, property) in &ty.properties {
        let unheeded: Vec<&str> = unheeded(property).collect();
        if !unheeded.is_empty() {
            let message = format!(
                "nobody heeds `{}`: what a component or a method is given, the host neither checks nor completes",
                unheeded.join("`, `")
            );
            let hint = "let the provider see to it, and leave it out of the schema where it doesn't";
            lints.add(Severity::Hint, pointer(&[place, &[name.as_str()]].concat()), message, hint);
        }
    }
}

/// Not the bounds of numbers and lists: SDKs write them for types that have no others, and hold them.
fn unheeded(property: &Property) -> impl Iterator<Item = &'static str> {
    let facts = &property.facts;
    let rule = |is_there: fn(&Validation) -> bool| facts.validate.as_ref().is_some_and(is_there);
    let said = [
        (property.replaces, "willReplaceOnChanges"),
        (!property.default_info.environment.is_empty(), "environment"),
        (facts.autoname.is_some(), "autoname"),
        (facts.not_echoed, "notEchoed"),
        (facts.empty_is_absent, "emptyIsAbsent"),
        (facts.coerces, "coerces"),
        (rule(|rules| rules.min_length.is_some()), "minLength"),
        (rule(|rules| rules.max_length.is_some()), "maxLength"),
        (rule(|rules| rules.pattern.is_some()), "pattern"),
        (rule(|rules| !rules.conflicts_with.is_empty()), "conflictsWith"),
        (rule(|rules| !rules.requires.is_empty()), "requires"),
        (rule(|rules| !rules.exactly_one_of.is_empty()), "exactlyOneOf"),
    ];
    said.into_iter().filter(|(said, _)| *said).map(|(_, fact)| fact)
}
