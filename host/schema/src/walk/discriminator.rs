//! What a discriminator says about the variant of a union.

use std::{borrow::Cow, collections::BTreeSet};

use bulkhead_value::Value;

use crate::model::{Discriminator, Package, Property, Type, Union};

/// Characters of a discriminator's value: twice as many as a failure shows.
const TOLD: usize = 200;

/// What a discriminator says.
pub(super) enum Told<'a> {
    /// The value is of this type.
    Variant(&'a Type),
    /// The discriminator isn't known yet, so nothing is.
    Anything,
    /// There is no such variant.
    Nothing,
    /// There is no discriminator in the value, or the value isn't an object.
    NotSaid,
}

/// What the discriminator of a value says.
pub(super) fn told<'a>(package: &'a Package, union: &'a Union, by: &'a Discriminator, value: &'a Value) -> Told<'a> {
    let Value::Object(object) = value else { return Told::NotSaid };
    let said = match object.get(&by.property).map(Value::plain) {
        None | Some(Value::Null) => return Told::NotSaid,
        Some(said) if said.is_unknown() => return Told::Anything,
        Some(said) => said,
    };
    let mapped = spelt(said).and_then(|said| by.mapping.get(said.as_ref()));
    let named = |variant: &&Type| matches!(variant, Type::Object(token) if Some(token) == mapped);
    if let Some(variant) = union.variants.iter().find(named) {
        return Told::Variant(variant);
    }
    let meant = union.variants.iter().find(|variant| match variant {
        Type::Object(token) => is_meant(package, token, by, said),
        _ => false,
    });
    match meant {
        Some(variant) => Told::Variant(variant),
        // It leads somewhere that can't be seen, and may be meant for any.
        None if mapped.is_some() => Told::NotSaid,
        // Types of other packages and unions in unions have discriminators that aren't seen from here.
        None if union.variants.iter().any(|variant| matches!(variant, Type::Any | Type::Union(_))) => Told::NotSaid,
        None => Told::Nothing,
    }
}

/// A discriminator's value as a mapping has it, whose keys are strings.
pub(crate) fn spelt(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Bool(truth) => Some(Cow::Owned(truth.to_string())),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
}

/// Whether an object type says by a constant, by an enum or by its name that it is the one for a discriminator's value.
fn is_meant(package: &Package, token: &str, by: &Discriminator, said: &Value) -> bool {
    let property = package.object_type(token).and_then(|ty| ty.property(&by.property));
    match property {
        Some(Property { constant: Some(constant), .. }) => constant == said,
        Some(Property { ty: Type::Enum(token), .. }) => {
            package.enum_type(token).is_some_and(|enumeration| enumeration.has(said))
        }
        _ => token.rsplit(':').next() == said.as_str(),
    }
}

/// The values of a discriminator that lead to a variant, as far as anybody is told of them: a schema may have made them long.
pub(super) fn known_values(package: &Package, union: &Union, by: &Discriminator) -> Vec<String> {
    let brief = |value: &str| value.chars().take(TOLD).collect::<String>();
    let mut known: Vec<String> = by.mapping.keys().map(|value| brief(value)).collect();
    let mapped: BTreeSet<&String> = by.mapping.values().collect();
    for variant in &union.variants {
        let Type::Object(token) = variant else { continue };
        if mapped.contains(token) {
            continue;
        }
        let constant = package.object_type(token).and_then(|ty| ty.property(&by.property)?.constant.as_ref());
        let name = constant.and_then(Value::as_str).or_else(|| token.rsplit(':').next());
        known.extend(name.map(brief));
    }
    known
}
