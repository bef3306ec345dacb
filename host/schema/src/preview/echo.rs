//! What comes back of what was given.
//!
//! A property comes back as it was given if it is an output of the same type and its facts don't say otherwise. So do scalars
//! that are of the output's type too: generated schemas have a string there where an enum is given. Objects come back member
//! by member, since an output may have members that no input has.

use bulkhead_value::{Object, Value, equivalent};

use super::{Origin, Preview, before::Before};
use crate::{
    check::Exclusions,
    model::{ObjectType, Package, Property, Type},
    walk::{Edit, Edits, Shape, Shapes, Step, Trail, Walk, can_hold, comes_back_as, is_foreign},
};

/// What an output is whose input is left out, or that has no input. Beside what excludes it, no default is filled in.
pub(super) fn left_out<'v>(
    input: Option<&'v Property>,
    output: &'v Property,
    old: Option<&'v Value>,
    is_excluded: impl Fn() -> bool,
) -> (Option<&'v Value>, Origin) {
    let stable = output.facts.stable || input.is_some_and(|input| input.facts.stable);
    let promised = || {
        let promise = input.and_then(|input| input.facts.output_default.as_ref());
        promise.or(output.facts.output_default.as_ref())
    };
    let default = || {
        let default = input.and_then(|input| input.default.as_ref());
        default.filter(|_| !not_echoed(input, output) && !is_excluded())
    };
    if let Some(constant) = &output.constant {
        (Some(constant), Origin::Constant)
    } else if let (true, Some(old)) = (stable, old) {
        (Some(old), Origin::Stable)
    } else if let Some(promise) = promised() {
        (Some(promise), Origin::OutputDefault)
    } else if let Some(default) = default() {
        (Some(default), Origin::Default)
    } else {
        (None, Origin::Unknown)
    }
}

fn not_echoed(input: Option<&Property>, output: &Property) -> bool {
    output.facts.not_echoed || input.is_some_and(|input| input.facts.not_echoed)
}

/// A value that was given, as input and as output.
struct Given<'a> {
    value: &'a Value,
    input: &'a Type,
    output: &'a Type,
    default: Option<&'a Value>,
    /// Whether it is inside a value whose origin is told already, as a whole.
    told: bool,
    /// What stood there before an update.
    old: Option<Before<'a>>,
}

/// The most that all may take together that a preview says of outputs which weren't given: values, and texts by their
/// length. A schema may promise a large value for each of many objects.
const PROMISES: usize = 4_000_000;

/// How many bytes of a text count as a value.
const VALUE: usize = 32;

/// Goes through what was given, and notes where the output differs from it.
pub(super) struct Echo<'a> {
    shapes: Shapes<'a>,
    walk: Walk<'a, Given<'a>>,
    edits: Edits<'a>,
    origins: Trail<'a, Option<Origin>>,
    /// What more may be said of outputs that weren't given.
    pub(super) left: usize,
}

impl<'a> Echo<'a> {
    pub(super) fn new(package: &'a Package) -> Self {
        Self {
            shapes: Shapes::new(package),
            walk: Walk::new(),
            edits: Edits::default(),
            origins: Trail::default(),
            left: PROMISES,
        }
    }

    /// Adds a property of the present object that was given.
    pub(super) fn property(
        &mut self,
        name: &'a str,
        input: &'a Property,
        output: &'a Property,
        value: &'a Value,
        old: Option<Before<'a>>,
    ) {
        if not_echoed(Some(input), output) || !comes_back_as(&mut self.shapes, &input.ty, &output.ty, value) {
            let stable = input.facts.stable || output.facts.stable;
            let (value, origin) = match (&output.constant, old.filter(|_| stable)) {
                (Some(constant), _) => (Some(constant), Origin::Constant),
                (None, Some(old)) => (Some(old.value), Origin::Stable),
                (None, None) => (None, Origin::Unknown),
            };
            self.replace(name, value, origin);
            return;
        }
        let default = input.default.as_ref().or(input.facts.output_default.as_ref());
        let given = Given { value, input: &input.ty, output: &output.ty, default, told: false, old };
        self.walk.push(Step::Field(name), given);
    }

    /// Visits everything, and changes the state, which has what was given, to what comes back.
    pub(super) fn finish(mut self, preview: &mut Preview) {
        while let Some(given) = self.walk.next() {
            self.visit(&given);
        }
        self.edits.apply(&mut preview.state);
        preview.origins.extend(self.origins);
    }

    fn visit(&mut self, given: &Given<'a>) {
        let value = self.walk.open(given.value);
        if value.is_unknown() || value.is_null() {
            self.note(if value.is_null() { Origin::Given } else { Origin::Unknown });
            return;
        }
        let inputs = self.shapes.of(given.input, value);
        let outputs = self.shapes.of(given.output, value);
        match (inputs, outputs) {
            (Ok(Shape::Fields(object, input)), Ok(Shape::Fields(_, output)))
                if given.input == given.output || self.shapes.is_said(given.output, value) =>
            {
                let old = given.old.filter(|old| old.is_of(&mut self.shapes, given.output, output));
                self.members(object, input, output, old);
            }
            _ if given.input == given.output && !self.has_members(given.input) => self.leaf(given, value),
            (Ok(Shape::Items(list, input)), Ok(Shape::Items(_, output))) => {
                if list.is_empty() {
                    self.note(Origin::Given);
                }
                for (index, value) in list.iter().enumerate() {
                    let old = given.old.and_then(|old| old.element(index, list.len(), value));
                    self.walk.push(Step::Index(index), Given { value, input, output, default: None, told: false, old });
                }
            }
            (Ok(Shape::Entries(object, input)), Ok(Shape::Entries(_, output))) => {
                if object.is_empty() {
                    self.note(Origin::Given);
                }
                for (name, value) in object {
                    let old = given.old.and_then(|old| old.member(name));
                    self.walk.push(Step::Key(name), Given { value, input, output, default: None, told: false, old });
                }
            }
            (Ok(Shape::Leaf), Ok(Shape::Leaf)) if self.is_echoed(given, value) => self.leaf(given, value),
            // An output of another type is another value, and one of a variant that isn't known yet may have any members.
            _ => {
                self.edits.replace(&self.walk, Value::Unknown);
                self.note(Origin::Unknown);
            }
        }
    }

    fn is_echoed(&mut self, given: &Given<'a>, value: &'a Value) -> bool {
        if given.input == given.output {
            !self.shapes.is_open(given.input, value)
        } else {
            comes_back_as(&mut self.shapes, given.input, given.output, value)
        }
    }

    /// Whether values of a type can have objects in them, whose members may come back otherwise.
    fn has_members(&mut self, ty: &Type) -> bool {
        can_hold(&mut self.shapes, ty, |_| true)
    }

    fn leaf(&mut self, given: &Given<'a>, value: &'a Value) {
        if !given.told {
            let is_default = given.default.is_some_and(|default| equivalent(default, value));
            self.note(if is_default { Origin::Default } else { Origin::Given });
        }
        // What isn't known in it has an origin of its own.
        match value {
            Value::List(list) => {
                for (index, value) in list.iter().enumerate() {
                    self.walk.push(Step::Index(index), untyped(value));
                }
            }
            Value::Object(object) => {
                for (name, value) in object {
                    self.walk.push(Step::Key(name), untyped(value));
                }
            }
            _ => {}
        }
    }

    fn members(&mut self, object: &'a Object, input: &'a ObjectType, output: &'a ObjectType, old: Option<Before<'a>>) {
        self.left = self.left.saturating_sub(output.properties.len());
        if self.left == 0 {
            self.edits.replace(&self.walk, Value::Unknown);
            self.note(Origin::Unknown);
            return;
        }
        let exclusions = self.exclusions(object, input);
        for (name, property) in &output.properties {
            let old = old.and_then(|old| old.member(name)).filter(|old| !old.value.plain().is_null());
            let given = object.there(name);
            match (input.property(name), given) {
                (Some(input), Some(given)) => self.property(name, input, property, given, old),
                (of_name, _) => {
                    let is_excluded =
                        || exclusions.as_ref().is_none_or(|exclusions| exclusions.has(input, object, name));
                    let (value, origin) = left_out(of_name, property, old.map(|old| old.value), is_excluded);
                    self.replace(name, value, origin);
                }
            }
        }
        // Inputs that don't come back. What isn't declared at all belongs to others, or is tolerated.
        let lost = object.keys().filter(|name| {
            !output.properties.contains_key(*name)
                && input.properties.contains_key(*name)
                && !is_foreign(name, Some(input))
        });
        for name in lost {
            self.edits.add(&self.walk, Step::Field(name), Edit::Take);
        }
    }

    /// What speaks against the defaults of an object that lacks some, which is rare: a check has filled them in. None once it takes too long
    /// to find out.
    fn exclusions(&mut self, object: &Object, ty: &'a ObjectType) -> Option<Exclusions<'a>> {
        let is_there = |name: &str| object.there(name).is_some();
        let lacks_default = self.shapes.take(ty.properties.len())
            && ty.properties.iter().any(|(name, property)| property.default.is_some() && !is_there(name));
        (lacks_default && self.shapes.take(Exclusions::effort(ty))).then(|| Exclusions::of(ty, object))
    }

    fn replace(&mut self, name: &'a str, value: Option<&Value>, origin: Origin) {
        let (value, origin) = match value.filter(|value| self.affords(value)) {
            Some(value) => (value.clone(), origin),
            None => (Value::Unknown, Origin::Unknown),
        };
        self.edits.add(&self.walk, Step::Field(name), Edit::Put(value));
        self.origins.below(&self.walk, Step::Field(name), Some(origin));
    }

    /// Whether a value can be said too. What was too much once ends it, so that nothing is counted in vain.
    fn affords(&mut self, value: &Value) -> bool {
        self.left = self.left.saturating_sub(volume(value));
        self.left > 0
    }

    fn note(&mut self, origin: Origin) {
        if let Some(note) = self.origins.here(&self.walk) {
            *note = Some(origin);
        }
    }
}

fn untyped(value: &Value) -> Given<'_> {
    Given { value, input: &Type::Any, output: &Type::Any, default: None, told: true, old: None }
}

/// How much a value takes, in values.
fn volume(value: &Value) -> usize {
    let (mut volume, mut open) = (0_usize, vec![value]);
    while let Some(value) = open.pop() {
        let text = value.as_str().map_or(0, str::len) / VALUE;
        volume = volume.saturating_add(text).saturating_add(1);
        match value.plain() {
            Value::List(list) => open.extend(list.iter()),
            Value::Object(object) => open.extend(object.values()),
            _ => {}
        }
    }
    volume
}
