//! Which properties are given.

use std::collections::BTreeSet;

use super::{draw::Draw, sampler::Extent};
use crate::model::{ObjectType, Property, Validation};

/// The names of the properties to give, so that they go together.
pub(super) fn properties<'a>(ty: &'a ObjectType, extent: Extent, draw: &mut Draw) -> BTreeSet<&'a str> {
    let mut chosen = Chosen { ty, names: BTreeSet::new(), excluded: BTreeSet::new() };
    let required = ty.properties.iter().filter(|(name, property)| ty.requires(name) && !fills_itself(property));
    for (name, _) in required.clone() {
        chosen.take(name);
    }
    // What is required brings along what it requires.
    for name in required.flat_map(|(name, _)| chosen.required_by(name)).collect::<Vec<_>>() {
        chosen.add(name);
    }
    let groups: Vec<BTreeSet<&str>> =
        ty.properties.iter().filter_map(|(name, property)| group(name, property)).collect();
    for group in &groups {
        let filled = group.iter().any(|name| ty.property(name).is_some_and(fills_itself));
        if !filled && group.iter().all(|name| !chosen.names.contains(name)) {
            let candidates: Vec<&str> = group.iter().copied().collect();
            let first = draw.below(candidates.len());
            let order = candidates.iter().cycle().skip(first).take(candidates.len());
            let _ = order.into_iter().any(|name| chosen.add(name));
        }
    }
    for (name, property) in &ty.properties {
        let wanted = match extent {
            Extent::Required => false,
            Extent::Some => draw.below(2) == 1,
            Extent::All => true,
        };
        if wanted && property.deprecation.is_none() {
            chosen.add(name);
        }
    }
    chosen.names
}

/// Whether a check fills the property in without being told anything.
fn fills_itself(property: &Property) -> bool {
    property.constant.is_some() || property.default.is_some() || property.facts.autoname.is_some()
}

/// Properties of which exactly one is given.
fn group<'a>(name: &'a str, property: &'a Property) -> Option<BTreeSet<&'a str>> {
    let others = &property.facts.validate.as_ref()?.exactly_one_of;
    (!others.is_empty()).then(|| others.iter().map(String::as_str).chain([name]).collect())
}

struct Chosen<'a> {
    ty: &'a ObjectType,
    names: BTreeSet<&'a str>,
    /// What may not be given together with those chosen.
    excluded: BTreeSet<&'a str>,
}

impl<'a> Chosen<'a> {
    /// Adds a property and what it requires, unless something speaks against any of them.
    fn add(&mut self, name: &'a str) -> bool {
        let (mut names, mut excluded) = (Vec::new(), Vec::new());
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            if self.names.contains(name) {
                continue;
            }
            let excludes = |other: &str| other != name && self.names.contains(other);
            if self.excluded.contains(name) || self.excluded_by(name).any(excludes) {
                for name in names {
                    self.names.remove::<str>(name);
                }
                for name in excluded {
                    self.excluded.remove::<str>(name);
                }
                return false;
            }
            names.push(name);
            excluded.extend(self.take(name));
            open.extend(self.required_by(name));
        }
        true
    }

    /// Adds a property. Returns what is excluded for the first time.
    fn take(&mut self, name: &'a str) -> Vec<&'a str> {
        self.names.insert(name);
        let others: Vec<&str> = self.excluded_by(name).filter(|other| *other != name).collect();
        others.into_iter().filter(|other| self.excluded.insert(other)).collect()
    }

    fn required_by(&self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.rules(name).into_iter().flat_map(|rules| rules.requires.iter().map(String::as_str))
    }

    fn excluded_by(&self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let rules = self.rules(name).into_iter();
        rules.flat_map(|rules| rules.conflicts_with.iter().chain(&rules.exactly_one_of).map(String::as_str))
    }

    fn rules(&self, name: &str) -> Option<&'a Validation> {
        self.ty.properties.get(name)?.facts.validate.as_ref()
    }
}
