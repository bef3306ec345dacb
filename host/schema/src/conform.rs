//! Whether a provider returned what its schema promises.
//!
//! Other resources and programs are built on outputs, so one of the wrong type is found here, named as the provider's bug,
//! and not in whatever reads it next. Extra members are tolerated: nobody reads them.

use bulkhead_value::{Object, PropertyPath, Value};

use crate::{
    Failure, FailureKind, failure,
    model::{Function, ObjectType, Package, Property, Returns, Type},
    walk::{Shape, Shapes, Step, Walk, is_foreign, readable},
};

/// What is wrong with a real result: missing required outputs, values of other types, values that aren't known. `id` and
/// `__*` aren't looked at, unless the type declares them.
pub fn conform(package: &Package, ty: &ObjectType, state: &Object) -> Vec<Failure> {
    examine(package, ty, state, false)
}

/// What is wrong with the result of a preview: values of other types. What isn't known, or isn't there at the top, is only
/// not known yet.
pub fn conform_preview(package: &Package, ty: &ObjectType, state: &Object) -> Vec<Failure> {
    examine(package, ty, state, true)
}

/// What is wrong with what a function returned.
pub fn conform_return(package: &Package, function: &Function, value: &Value) -> Vec<Failure> {
    let mut examiner = Examiner::new(package, false);
    match (&function.outputs, value.plain()) {
        (Returns::Nothing, _) => {}
        (Returns::Type(ty), _) => examiner.visit(&Returned { value, ty, property: None }),
        (Returns::Object(ty), Value::Object(object)) => examiner.object(ty, object, false),
        (Returns::Object(_), other) => {
            let reason = format!("expected an object, got {}", other.kind());
            return vec![Failure::new(PropertyPath::root(), FailureKind::Type, reason)];
        }
    }
    examiner.run()
}

/// The same as [`conform`], in so many steps.
#[cfg(test)]
pub(crate) fn conform_within(package: &Package, ty: &ObjectType, state: &Object, steps: usize) -> Vec<Failure> {
    let mut examiner = Examiner::new(package, false);
    examiner.shapes = Shapes::within(package, steps);
    examiner.object(ty, state, false);
    examiner.run()
}

fn examine(package: &Package, ty: &ObjectType, state: &Object, preview: bool) -> Vec<Failure> {
    let mut examiner = Examiner::new(package, preview);
    examiner.object(ty, state, preview);
    examiner.run()
}

struct Returned<'a> {
    value: &'a Value,
    ty: &'a Type,
    property: Option<&'a Property>,
}

struct Examiner<'a> {
    shapes: Shapes<'a>,
    walk: Walk<'a, Returned<'a>>,
    preview: bool,
    failures: Vec<Failure>,
}

impl<'a> Examiner<'a> {
    fn new(package: &'a Package, preview: bool) -> Self {
        Self { shapes: Shapes::new(package), walk: Walk::new(), preview, failures: Vec::new() }
    }

    fn run(mut self) -> Vec<Failure> {
        while !self.has_enough()
            && let Some(returned) = self.walk.next()
        {
            self.visit(&returned);
        }
        self.failures
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
        if let Some(constant) = returned.property.and_then(|property| property.constant.as_ref())
            && constant != value
        {
            self.fail(self.walk.path(), FailureKind::NotAllowed, failure::not_constant(constant));
            return;
        }
        match self.shapes.of(returned.ty, value) {
            Err(mismatch) => {
                let path = match mismatch.property {
                    Some(name) => self.walk.path_to(Step::Field(name)),
                    None => self.walk.path(),
                };
                let (kind, reason) = failure::mismatch(self.shapes.package, &mismatch.reason);
                self.fail(path, kind, reason);
            }
            Ok(Shape::Leaf) => self.leaf(value),
            Ok(Shape::Items(list, ty)) => {
                for (index, value) in list.iter().enumerate() {
                    self.walk.push(Step::Index(index), Returned { value, ty, property: None });
                }
            }
            Ok(Shape::Entries(object, ty)) => {
                let own = object.iter().filter(|(name, value)| !is_foreign(name, None) && !value.plain().is_null());
                for (name, value) in own {
                    self.walk.push(Step::Key(name), Returned { value, ty, property: None });
                }
            }
            Ok(Shape::Fields(object, ty)) => self.object(ty, object, false),
        }
    }

    /// A value whose members the schema knows nothing of can still have some that aren't known.
    fn leaf(&mut self, value: &Value) {
        if !self.preview && value.contains_unknown() {
            let reason = "something in the value isn't known although the operation is over";
            self.fail(self.walk.path(), FailureKind::Unknown, reason);
        }
    }

    fn object(&mut self, ty: &'a ObjectType, object: &'a Object, may_lack: bool) {
        // By the members that are there and those that must be: a type may have any number besides.
        for (name, value) in object {
            if let Some(property) = ty.properties.get(name)
                && !value.plain().is_null()
            {
                self.walk.push(Step::Field(name), Returned { value, ty: &property.ty, property: Some(property) });
            }
        }
        let absent = |name: &&String| object.there(name).is_none();
        for name in ty.required.iter().filter(|_| !may_lack).filter(absent) {
            if self.has_enough() {
                return;
            }
            self.fail(self.walk.path_to(Step::Field(name)), FailureKind::Missing, failure::missing(name));
        }
        let undeclared =
            object.iter().filter(|(name, _)| !ty.properties.contains_key(*name) && !is_foreign(name, Some(ty)));
        for (name, value) in undeclared {
            self.walk.push(Step::Key(name), Returned { value, ty: &Type::Any, property: None });
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

fn lacks_content(value: &Value) -> bool {
    match value {
        Value::Reference(reference) => reference.id.as_ref().is_some_and(|id| id.known().is_none()),
        value => value.is_unknown(),
    }
}

#[cfg(test)]
mod tests;
