//! The visit to everything that was given.

use std::collections::HashSet;

use bulkhead_value::{Object, PropertyPath, Value};

use super::{
    CheckRequest, Checked, Findings, relations,
    validation::{self, Tries},
};
use crate::{
    Failure, FailureKind, failure,
    model::{ObjectType, Package, Property, Type},
    nearest::nearest,
    spelling::respelt,
    walk::{Edit, Edits, Shape, Shapes, Step, Walk, is_absent, is_foreign, readable, weight},
};

/// The most that the places of what is filled in, and the texts there, may take together, in segments of a path. A schema
/// and a value decide how many defaults there are and how deep.
const ADDITIONS: usize = 4_000_000;

/// How many bytes of a text count as a segment.
const SEGMENT: usize = 32;

/// What stands before a reason whose place is in what is named, and has no name itself.
const WITHIN: &str = "something in it: ";

/// How many mistakes may come with what was probably meant: to look for it takes a look at every name.
const HINTED: usize = 20;

/// Checks inputs against a type and completes them.
///
/// Given values are returned as they were given. An absent property is filled from its constant, a generated name, the
/// environment or its default, in this order; a promise of the provider (`outputDefault`) isn't filled in. A null is as
/// good as absent where the property is optional or filled in, and missing where it is required. Where something is filled in,
/// it takes the place of what is empty and as good as absent too. Where a property coerces, a scalar in another spelling is as good as the one it means. `id` and `__*` are kept and not
/// looked at, unless the type declares them.
///
/// The given values are copied, however large they are: who owns the inputs and needs them no more uses [`findings`].
pub fn check(package: &Package, request: CheckRequest<'_>) -> Checked {
    findings(package, request).complete(request.inputs.clone())
}

/// Checks inputs as [`check`] does, for those who own them: [`Findings::complete`] takes the inputs and copies none.
pub fn findings(package: &Package, request: CheckRequest<'_>) -> Findings {
    Checker::new(request, Shapes::new(package)).run()
}

/// A value that was given.
struct Given<'a> {
    value: &'a Value,
    ty: &'a Type,
    property: Option<&'a Property>,
    /// Whether a scalar may be spelt otherwise.
    coerces: bool,
}

pub(super) struct Checker<'a> {
    pub(super) request: CheckRequest<'a>,
    pub(super) package: &'a Package,
    shapes: Shapes<'a>,
    pub(super) tries: Tries,
    walk: Walk<'a, Given<'a>>,
    pub(super) prior_generated: HashSet<&'a PropertyPath>,
    additions: Edits<'a>,
    /// What further additions may take; absent once one would have taken more.
    left: Option<usize>,
    /// The verdict, to which the inputs come last.
    checked: Checked,
}

impl<'a> Checker<'a> {
    pub(super) fn new(request: CheckRequest<'a>, shapes: Shapes<'a>) -> Self {
        Self {
            request,
            package: shapes.package,
            shapes,
            tries: Tries::new(),
            walk: Walk::new(),
            prior_generated: request.prior_generated.iter().collect(),
            additions: Edits::default(),
            left: Some(ADDITIONS),
            checked: Checked::default(),
        }
    }

    pub(super) fn run(mut self) -> Findings {
        self.object(self.request.ty, self.request.inputs, self.request.exempt);
        while !self.has_enough()
            && let Some(given) = self.walk.next()
        {
            self.visit(&given);
        }
        Findings { additions: self.additions.detached(), checked: self.checked }
    }

    /// Whether enough is wrong, or nothing more can be said.
    fn has_enough(&self) -> bool {
        self.checked.failures.len() >= failure::ENOUGH
            || self.shapes.is_spent()
            || self.tries.are_spent()
            || self.left.is_none()
    }

    fn visit(&mut self, given: &Given<'a>) {
        let (value, coerces) = (self.walk.open(given.value), given.coerces);
        if value.is_unknown() {
            return;
        }
        let shape = self.shapes.of(given.ty, value);
        let meant = match shape {
            Err(_) if given.coerces => respelt(&mut self.shapes, given.ty, value),
            _ => None,
        };
        let meaning = meant.as_ref().unwrap_or(value);
        if let Some(constant) = given.property.and_then(|property| property.constant.as_ref())
            && constant != meaning
        {
            self.fail(self.walk.path(), FailureKind::NotAllowed, failure::not_constant(constant));
            return;
        }
        match shape {
            Err(_) if meant.is_some() => {}
            Err(mismatch) => {
                let path = match mismatch.property {
                    Some(name) => self.walk.path_to(Step::Field(name)),
                    None => self.walk.path(),
                };
                let (kind, mut reason) = failure::mismatch(self.package, &mismatch.reason);
                reason.push_str(failure::advice(&mismatch.reason));
                self.fail(path, kind, reason);
                return;
            }
            Ok(Shape::Leaf) => {}
            Ok(Shape::Items(list, ty)) => {
                for (index, value) in list.iter().enumerate() {
                    self.walk.push(Step::Index(index), Given { value, ty, property: None, coerces });
                }
            }
            Ok(Shape::Entries(object, ty)) => {
                for (name, value) in object {
                    if !is_foreign(name, None) && !value.plain().is_null() {
                        self.walk.push(Step::Key(name), Given { value, ty, property: None, coerces });
                    }
                }
            }
            Ok(Shape::Fields(object, ty)) => self.object(ty, object, &[]),
        }
        for reason in validation::broken_rules(given.property, meaning, &mut self.tries) {
            self.fail(self.walk.path(), FailureKind::Constraint, reason);
        }
    }

    fn object(&mut self, ty: &'a ObjectType, object: &'a Object, exempt: &[&str]) {
        let steps = object.len().saturating_add(ty.properties.len());
        if !self.shapes.take(steps) || !self.shapes.take(relations::names(ty)) {
            self.fail(self.walk.path(), FailureKind::Type, failure::TOO_MUCH);
            return;
        }
        for (name, value) in object.iter().filter(|(name, _)| !ty.properties.contains_key(*name)) {
            if !value.plain().is_null() && !exempt.contains(&name.as_str()) && !is_foreign(name, Some(ty)) {
                self.unknown_property(name, ty);
            }
        }
        let mut exclusions = None;
        for (name, property) in &ty.properties {
            if self.has_enough() {
                return;
            }
            let given = object.get(name);
            // What is as good as nothing gives way where there is something to put in its place, and is as good as not given then.
            let gives_way = given.is_none_or(|value| property.is_filled() && is_absent(property, value));
            if gives_way && self.complete(name, property, ty, object, &mut exclusions) {
                continue;
            }
            match given {
                Some(value) if !value.plain().is_null() => {
                    let coerces = property.facts.coerces;
                    let given = Given { value, ty: &property.ty, property: Some(property), coerces };
                    self.walk.push(Step::Field(name), given);
                }
                Some(_) if !gives_way && ty.requires(name) => self.missing(name),
                _ => {}
            }
        }
        for (name, reason) in relations::broken(ty, object, self.is_at_top(), self.request.environment) {
            self.fail_at(name, FailureKind::Constraint, reason);
        }
    }

    fn unknown_property(&mut self, name: &str, ty: &ObjectType) {
        if self.checked.failures.len() >= failure::ENOUGH {
            return;
        }
        if self.walk.is_concealed() {
            // What a secret calls its members is part of it.
            self.fail(self.walk.path(), FailureKind::UnknownProperty, "a property of this secret isn't known");
            return;
        }
        let names = ty.properties.keys().map(String::as_str).filter(|_| self.checked.failures.len() < HINTED);
        let hint = match nearest(name, names) {
            Some(nearest) => format!("; did you mean '{}'?", failure::shown(nearest)),
            None => String::new(),
        };
        let reason = format!("unknown property '{}'{hint}", failure::shown(name));
        self.fail_at(name, FailureKind::UnknownProperty, reason);
    }

    pub(super) fn missing(&mut self, name: &str) {
        self.fail_at(name, FailureKind::Missing, failure::missing(name));
    }

    pub(super) fn fail_at(&mut self, name: &str, kind: FailureKind, reason: impl Into<String>) {
        self.fail(self.walk.path_to(Step::Field(name)), kind, reason);
    }

    fn fail(&mut self, path: PropertyPath, kind: FailureKind, reason: impl Into<String>) {
        let mut reason = reason.into();
        if path.segments().len() < self.walk.depth() {
            // It ends where a name is a secret, or can't be written.
            reason.insert_str(0, WITHIN);
        }
        let failure = Failure::new(readable(path), kind, reason);
        // Inside a secret, several places are shown as one.
        let failures = &self.checked.failures;
        let told = self.walk.is_concealed()
            && !failures.is_empty()
            && (!self.shapes.take(failures.len()) || failures.contains(&failure));
        if !told && self.checked.failures.len() < failure::ENOUGH {
            self.checked.failures.push(failure);
        }
    }

    /// Whether the present object is what is checked, and not inside of that.
    pub(super) fn is_at_top(&self) -> bool {
        self.walk.depth() == 0
    }

    /// The place of a property of the present object.
    pub(super) fn place_of(&self, name: &str) -> PropertyPath {
        self.walk.place_of(Step::Field(name))
    }

    /// Puts a value where none is, and tells whether there is room to keep track of it.
    pub(super) fn fill(&mut self, name: &'a str, property: &Property, value: Value) -> bool {
        let place = self.add(name, property, value);
        let is_filled = place.is_some();
        self.checked.filled.extend(place);
        is_filled
    }

    pub(super) fn fill_generated(&mut self, name: &'a str, property: &Property, value: Value) -> bool {
        let place = self.add(name, property, value);
        let is_filled = place.is_some();
        self.checked.generated.extend(place);
        is_filled
    }

    fn add(&mut self, name: &'a str, property: &Property, value: Value) -> Option<PropertyPath> {
        let place = self.place_of(name);
        let taken = weight(&place).saturating_add(value.as_str().map_or(0, str::len) / SEGMENT);
        self.left = self.left.and_then(|left| left.checked_sub(taken));
        if self.left.is_none() {
            self.fail_at(name, FailureKind::Constraint, "more would be filled in than anybody could keep track of");
            return None;
        }
        let value = if property.secret { value.secret() } else { value };
        self.additions.add(&self.walk, Step::Field(name), Edit::Put(value));
        Some(place)
    }
}
