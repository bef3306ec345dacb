//! The visit to everything that was given.

use bulkhead_value::{Object, PropertyPath, Value};

use super::{CheckRequest, Checked, relations, validation};
use crate::{
    Failure, FailureKind, failure,
    model::{ObjectType, Package, Property, Type},
    nearest::nearest,
    spelling::respelt,
    walk::{Edit, Edits, Shape, Shapes, Step, Walk, is_foreign},
};

/// Checks inputs against a type and completes them.
///
/// Given values are returned as they were given. An absent property is filled from its constant, a generated name, the
/// environment or its default, in this order; a promise of the provider (`outputDefault`) isn't filled in. A null is as
/// good as absent where the property is optional, and missing where it is required, but it is given, so nothing replaces
/// it. Where a property coerces, a scalar in another spelling is as good as the one it means. `id` and `__*` are kept and not looked at, unless the type declares them.
pub fn check(package: &Package, request: CheckRequest<'_>) -> Checked {
    let mut checker = Checker::new(package, request);
    checker.object(request.ty, request.inputs, request.prior, request.exempt);
    while let Some(given) = checker.walk.next() {
        checker.visit(&given);
    }
    checker.finish()
}

/// A value that was given.
struct Given<'a> {
    value: &'a Value,
    ty: &'a Type,
    property: Option<&'a Property>,
    prior: Option<&'a Value>,
    /// Whether a scalar may be spelt otherwise.
    coerces: bool,
}

pub(super) struct Checker<'a> {
    pub(super) request: CheckRequest<'a>,
    pub(super) package: &'a Package,
    shapes: Shapes<'a>,
    walk: Walk<'a, Given<'a>>,
    additions: Edits<'a>,
    checked: Checked,
}

impl<'a> Checker<'a> {
    fn new(package: &'a Package, request: CheckRequest<'a>) -> Self {
        Self {
            request,
            package,
            shapes: Shapes::new(package),
            walk: Walk::new(),
            additions: Edits::default(),
            checked: Checked::default(),
        }
    }

    fn finish(mut self) -> Checked {
        self.checked.inputs = self.request.inputs.clone();
        self.additions.apply(&mut self.checked.inputs);
        self.checked
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
        let prior = given.prior.map(Value::plain);
        match shape {
            Err(_) if meant.is_some() => {}
            Err(mismatch) => {
                let path = match mismatch.property {
                    Some(name) => self.walk.path_to(Step::Field(name)),
                    None => self.walk.path(),
                };
                let (kind, reason) = failure::mismatch(self.package, &mismatch.reason);
                self.fail(path, kind, reason);
                return;
            }
            Ok(Shape::Leaf) => {}
            Ok(Shape::Items(list, ty)) => {
                let prior = prior.and_then(Value::as_list);
                for (index, value) in list.iter().enumerate() {
                    let prior = prior.and_then(|list| list.get(index));
                    self.walk.push(Step::Index(index), Given { value, ty, property: None, prior, coerces });
                }
            }
            Ok(Shape::Entries(object, ty)) => {
                let prior = prior.and_then(Value::as_object);
                for (name, value) in object {
                    if !is_foreign(name, None) && !value.plain().is_null() {
                        let prior = prior.and_then(|object| object.get(name));
                        self.walk.push(Step::Key(name), Given { value, ty, property: None, prior, coerces });
                    }
                }
            }
            Ok(Shape::Fields(object, ty)) => self.object(ty, object, prior.and_then(Value::as_object), &[]),
        }
        for reason in validation::broken_rules(given.property, meaning) {
            self.fail(self.walk.path(), FailureKind::Constraint, reason);
        }
    }

    fn object(&mut self, ty: &'a ObjectType, object: &'a Object, prior: Option<&'a Object>, exempt: &[&str]) {
        for (name, value) in object {
            let is_null = value.plain().is_null();
            match ty.properties.get(name) {
                Some(_) if is_null => {}
                Some(property) => {
                    let prior = prior.and_then(|object| object.get(name));
                    let coerces = property.facts.coerces;
                    let given = Given { value, ty: &property.ty, property: Some(property), prior, coerces };
                    self.walk.push(Step::Field(name), given);
                }
                None if is_null || exempt.contains(&name.as_str()) || is_foreign(name, Some(ty)) => {}
                None => self.unknown_property(name, ty),
            }
        }
        for (name, property) in &ty.properties {
            match object.get(name) {
                None => self.complete(name, property, ty, object, prior),
                Some(value) if value.plain().is_null() && ty.requires(name) => self.missing(name),
                Some(_) => {}
            }
        }
        for (name, reason) in relations::broken(ty, object) {
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
        let hint = match nearest(name, ty.properties.keys().map(String::as_str)) {
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
        let failure = Failure::new(path, kind, reason);
        // Inside a secret, several places are shown as one.
        let told = self.walk.is_concealed() && self.checked.failures.contains(&failure);
        if !told && self.checked.failures.len() < failure::ENOUGH {
            self.checked.failures.push(failure);
        }
    }

    /// The place of a property of the present object.
    pub(super) fn place_of(&self, name: &str) -> PropertyPath {
        self.walk.place_of(Step::Field(name))
    }

    pub(super) fn fill(&mut self, name: &'a str, property: &Property, value: Value) {
        let place = self.add(name, property, value);
        self.checked.filled.push(place);
    }

    pub(super) fn fill_generated(&mut self, name: &'a str, property: &Property, value: Value) {
        let place = self.add(name, property, value);
        self.checked.generated.push(place);
    }

    fn add(&mut self, name: &'a str, property: &Property, value: Value) -> PropertyPath {
        let value = if property.secret { value.secret() } else { value };
        self.additions.add(&self.walk, Step::Field(name), Edit::Put(value));
        self.walk.place_of(Step::Field(name))
    }
}
