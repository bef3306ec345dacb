//! Inputs with one mistake in them.

use bulkhead_value::{Object, Value};

use crate::{
    CheckRequest, FailureKind, check,
    model::{ObjectType, Package},
};

/// A name that no schema has.
const UNKNOWN: &str = "notInTheSchema";

/// Inputs with a mistake.
#[derive(Debug, Clone, PartialEq)]
pub struct Wrong {
    /// The inputs.
    pub inputs: Object,
    /// The property at the top that is wrong.
    pub property: String,
    /// The mistake, as a fragment after "inputs".
    pub mistake: &'static str,
}

/// Inputs that aren't allowed, each made from allowed ones by a single mistake: a required property left out, one that the
/// type doesn't have, values of another type, and numbers, strings and lists out of their bounds.
pub fn wrong(package: &Package, ty: &ObjectType, right: &Object) -> Vec<Wrong> {
    let mut candidates = Vec::new();
    let mut add = |property: &str, mistake, kind, value: Option<Value>| {
        let mut inputs = right.clone();
        match value {
            Some(value) => inputs.insert(property.to_owned(), value),
            None => inputs.remove(property),
        };
        candidates.push((Wrong { inputs, property: property.to_owned(), mistake }, kind));
    };
    add(UNKNOWN, "with a property that isn't in the schema", FailureKind::UnknownProperty, Some("sample".into()));
    for (name, property) in ty.properties.iter().filter(|(name, _)| right.contains_key(*name)) {
        if ty.requires(name) {
            add(name, "without a required property", FailureKind::Missing, None);
        }
        for value in [Value::from(Vec::new()), Object::new().into(), "not of this type".into(), true.into()] {
            add(name, "with a value of another type", FailureKind::Type, Some(value));
        }
        let Some(rules) = &property.facts.validate else { continue };
        let beyond = [rules.minimum.map(|least| least - 1.0), rules.maximum.map(|most| most + 1.0)];
        for number in beyond.into_iter().flatten() {
            add(name, "with a number out of range", FailureKind::Constraint, Some(number.into()));
        }
        let shorter = rules.min_length.and_then(|least| least.checked_sub(1));
        for length in [shorter, rules.max_length.map(|most| most.saturating_add(1))].into_iter().flatten() {
            if length <= 1 << 16 {
                add(
                    name,
                    "with a string of the wrong length",
                    FailureKind::Constraint,
                    Some("a".repeat(length).into()),
                );
            }
        }
        if rules.pattern.is_some() {
            add(name, "with a string that doesn't match the pattern", FailureKind::Constraint, Some("\u{1}".into()));
        }
    }
    // A string may be JSON, a union may accept both: what the schema allows is no mistake.
    let mut wrong: Vec<Wrong> = Vec::new();
    for (candidate, kind) in candidates {
        let failures = check(package, CheckRequest::of(ty, &candidate.inputs)).failures;
        let told = |mistake: &Wrong| mistake.property == candidate.property && mistake.mistake == candidate.mistake;
        let is_wrong = failures
            .iter()
            .any(|failure| failure.kind == kind && failure.path.first_name() == Some(candidate.property.as_str()));
        if is_wrong && !wrong.iter().any(told) {
            wrong.push(candidate);
        }
    }
    wrong
}
