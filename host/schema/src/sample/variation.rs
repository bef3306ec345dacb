//! The same inputs with one of them changed.

use bulkhead_value::Object;

use super::sampler::Sampler;
use crate::{
    CheckRequest, check,
    model::{ObjectType, Package},
};

/// How many values are drawn for a property before it counts as having only one.
const ATTEMPTS: u64 = 8;

/// Inputs that differ from others in one property that doesn't replace, by the property's name. They pass their check if the
/// others do.
pub fn variations(package: &Package, ty: &ObjectType, inputs: &Object, seed: u64) -> Vec<(String, Object)> {
    let changeable = ty
        .properties
        .iter()
        .filter(|(_, property)| !property.replaces && property.constant.is_none() && property.facts.autoname.is_none());
    let given = changeable.filter_map(|(name, property)| Some((name, property, inputs.get(name)?)));
    let varied = given.filter_map(|(name, property, old)| {
        (1..=ATTEMPTS).find_map(|attempt| {
            let new = Sampler::new(package, seed.wrapping_add(attempt)).value(name, property);
            let mut changed = inputs.clone();
            changed.insert(name.clone(), new.clone());
            let passes = || {
                check(package, CheckRequest { seed: Some(b"sample"), ..CheckRequest::of(ty, &changed) })
                    .failures
                    .is_empty()
            };
            (new != *old && passes()).then(|| (name.clone(), changed.clone()))
        })
    });
    varied.collect()
}
