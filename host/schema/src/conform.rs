//! Whether a provider returned what its schema promises.
//!
//! Other resources and programs are built on outputs, so one of the wrong type is found here, named as the provider's bug,
//! and not in whatever reads it next. Extra members are tolerated: nobody reads them.
//!
//! What a provider answers in the host's place is mostly what it was given, and what is wrong with that isn't its doing: it may have taken a
//! number in another spelling, and filled in what stands beside it. So each failure is held against what is in the same place of what it had.

use std::mem;

use bulkhead_value::{Object, PropertyPath, Value, equivalent};

use crate::{
    Failure, FailureKind, failure,
    model::{Function, ObjectType, Package, Property, Returns, Type},
    walk::{Shape, Shapes, Step, Steps, Walk, is_foreign, readable},
};

/// What is wrong with a real result: missing required outputs, values of other types, values that aren't known. `id` and
/// `__*` aren't looked at, unless the type declares them.
pub fn conform(package: &Package, ty: &ObjectType, state: &Object) -> Vec<Failure> {
    examine(package, ty, state, false)
}

/// The same, in steps that others take as well.
pub fn conform_within(package: &Package, ty: &ObjectType, state: &Object, steps: &mut Steps) -> Vec<Failure> {
    steps.spend(package, |shapes| {
        let mut examiner = Examiner::new(package, false);
        mem::swap(&mut examiner.shapes, shapes);
        examiner.object(ty, state, [None; 2], false);
        examiner.examine();
        mem::swap(&mut examiner.shapes, shapes);
        examiner.failures
    })
}

/// What is wrong with the result of a preview: values of other types. What isn't known, or isn't there at the top, is only
/// not known yet.
pub fn conform_preview(package: &Package, ty: &ObjectType, state: &Object) -> Vec<Failure> {
    examine(package, ty, state, true)
}

/// What is wrong with inputs that a check made of those that it was given: as in a preview, but nothing that was so already, and nothing
/// that is missing and would be filled in.
pub fn conform_checked(package: &Package, ty: &ObjectType, checked: &Object, given: &Object) -> Vec<Failure> {
    let mut examiner = Examiner { may_be_filled: true, ..Examiner::new(package, true) };
    examiner.object(ty, checked, [Some(given), None], true);
    examiner.run()
}

/// What is wrong with outputs that were predicted: as in a preview, but nothing that is so in what is known already.
pub fn conform_predicted(package: &Package, ty: &ObjectType, predicted: &Object, known: [&Object; 2]) -> Vec<Failure> {
    let mut examiner = Examiner::new(package, true);
    examiner.object(ty, predicted, known.map(Some), true);
    examiner.run()
}

/// What is wrong with what a function returned.
pub fn conform_return(package: &Package, function: &Function, value: &Value) -> Vec<Failure> {
    let mut examiner = Examiner::new(package, false);
    match (&function.outputs, value.plain()) {
        (Returns::Nothing, _) => {}
        (Returns::Type(ty), _) => examiner.visit(&Returned { value, ty, property: None, before: [None; 2] }),
        (Returns::Object(ty), Value::Object(object)) => examiner.object(ty, object, [None; 2], false),
        (Returns::Object(_), other) => {
            let reason = format!("expected an object, got {}", other.kind());
            return vec![Failure::new(PropertyPath::root(), FailureKind::Type, reason)];
        }
    }
    examiner.run()
}

fn examine(package: &Package, ty: &ObjectType, state: &Object, preview: bool) -> Vec<Failure> {
    let mut examiner = Examiner::new(package, preview);
    examiner.object(ty, state, [None; 2], preview);
    examiner.run()
}

struct Returned<'a> {
    value: &'a Value,
    ty: &'a Type,
    property: Option<&'a Property>,
    before: Before<'a, Value>,
}

/// What the provider had in the same place.
type Before<'a, T> = [Option<&'a T>; 2];

struct Examiner<'a> {
    shapes: Shapes<'a>,
    walk: Walk<'a, Returned<'a>>,
    preview: bool,
    /// What has a default or a constant needn't be there.
    may_be_filled: bool,
    failures: Vec<Failure>,
}

impl<'a> Examiner<'a> {
    fn new(package: &'a Package, preview: bool) -> Self {
        let (shapes, walk) = (Shapes::new(package), Walk::new());
        Self { shapes, walk, preview, may_be_filled: false, failures: Vec::new() }
    }

    fn run(mut self) -> Vec<Failure> {
        self.examine();
        self.failures
    }

    fn examine(&mut self) {
        while !self.has_enough()
            && let Some(returned) = self.walk.next()
        {
            self.visit(&returned);
        }
    }

    /// Whether enough is wrong, or nothing more can be said.
    fn has_enough(&self) -> bool {
        self.failures.len() >= failure::ENOUGH || self.shapes.is_spent()
    }

    fn visit(&mut self, returned: &Returned<'a>) {
        let value = self.walk.open(returned.value);
        if lacks_content(value) {
            if !self.preview {
                self.fail(
                    self.walk.path(),
                    FailureKind::Unknown,
                    "the value isn't known although the operation is over",
                );
            }
            return;
        }
        let before = returned.before.map(|before| before.map(Value::plain));
        if let Some(constant) = returned.property.and_then(|property| property.constant.as_ref())
            && constant != value
        {
            if !was_so(value, before) {
                self.fail(self.walk.path(), FailureKind::NotAllowed, failure::not_constant(constant));
            }
            return;
        }
        match self.shapes.of(returned.ty, value) {
            Err(mismatch) => {
                let (path, wrong, before) = match mismatch.property {
                    Some(name) => {
                        let member = |value: &'a Value| value.as_object().and_then(|object| object.get(name));
                        let path = self.walk.path_to(Step::Field(name));
                        (path, member(value).unwrap_or(value), before.map(|before| before.and_then(member)))
                    }
                    None => (self.walk.path(), value, before),
                };
                if was_so(wrong, before) {
                    return;
                }
                let (kind, reason) = failure::mismatch(self.shapes.package, &mismatch.reason);
                self.fail(path, kind, reason);
            }
            Ok(Shape::Leaf) => self.leaf(value),
            Ok(Shape::Items(list, ty)) => {
                let lists = before.map(|before| before.and_then(Value::as_list));
                for (index, value) in list.iter().enumerate() {
                    let before = lists.map(|before| before.and_then(|before| before.get(index)));
                    self.walk.push(Step::Index(index), Returned { value, ty, property: None, before });
                }
            }
            Ok(Shape::Entries(object, ty)) => {
                let own = object.iter().filter(|(name, value)| !is_foreign(name, None) && !value.plain().is_null());
                let maps = before.map(|before| before.and_then(Value::as_object));
                for (name, value) in own {
                    let before = maps.map(|before| before.and_then(|before| before.get(name)));
                    self.walk.push(Step::Key(name), Returned { value, ty, property: None, before });
                }
            }
            Ok(Shape::Fields(object, ty)) => {
                self.object(ty, object, before.map(|before| before.and_then(Value::as_object)), false);
            }
        }
    }

    /// A value whose members the schema knows nothing of can still have some that aren't known.
    fn leaf(&mut self, value: &Value) {
        if !self.preview && value.contains_unknown() {
            let reason = "something in the value isn't known although the operation is over";
            self.fail(self.walk.path(), FailureKind::Unknown, reason);
        }
    }

    fn object(&mut self, ty: &'a ObjectType, object: &'a Object, before: Before<'a, Object>, may_lack: bool) {
        // By the members that are there and those that must be: a type may have any number besides.
        for (name, value) in object {
            if let Some(property) = ty.properties.get(name)
                && !value.plain().is_null()
            {
                let (ty, property) = (&property.ty, Some(&**property));
                let before = before.map(|before| before.and_then(|before| before.get(name)));
                self.walk.push(Step::Field(name), Returned { value, ty, property, before });
            }
        }
        let lacks = |object: &Object, name: &str| object.there(name).is_none();
        let was_lacking = |name: &str| before.iter().flatten().any(|before| lacks(before, name));
        let is_filled = |name: &str| ty.property(name).is_some_and(Property::is_filled);
        let may_be_filled = self.may_be_filled;
        let absent = |name: &&String| lacks(object, name) && !was_lacking(name) && !(may_be_filled && is_filled(name));
        for name in ty.required.iter().filter(|_| !may_lack).filter(absent) {
            if self.has_enough() {
                return;
            }
            self.fail(self.walk.path_to(Step::Field(name)), FailureKind::Missing, failure::missing(name));
        }
        let undeclared =
            object.iter().filter(|(name, _)| !ty.properties.contains_key(*name) && !is_foreign(name, Some(ty)));
        for (name, value) in undeclared {
            self.walk.push(Step::Key(name), Returned { value, ty: &Type::Any, property: None, before: [None; 2] });
        }
    }

    fn fail(&mut self, path: PropertyPath, kind: FailureKind, reason: impl Into<String>) {
        let failure = Failure::new(readable(path), kind, reason);
        let told = self.walk.is_concealed()
            && !self.failures.is_empty()
            && (!self.shapes.take(self.failures.len()) || self.failures.contains(&failure));
        if !told && self.failures.len() < failure::ENOUGH {
            self.failures.push(failure);
        }
    }
}

/// Whether what is wrong was in its place before.
fn was_so(wrong: &Value, before: Before<'_, Value>) -> bool {
    before.into_iter().flatten().any(|before| wrong == before || equivalent(wrong, before))
}

fn lacks_content(value: &Value) -> bool {
    match value {
        Value::Reference(reference) => reference.id.as_ref().is_some_and(|id| id.known().is_none()),
        value => value.is_unknown(),
    }
}

#[cfg(test)]
mod tests;
