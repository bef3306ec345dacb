//! A state in the form of inputs.

use bulkhead_value::{Object, Value, equivalent};

use super::filled::Filled;
use crate::{
    model::{ObjectType, Property, Type},
    walk::{Edit, Edits, Shape, Shapes, Step, Walk, is_absent},
};

/// Whether to leave out what is equal to its default.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Defaults {
    Keep,
    LeaveOut,
}

/// What nobody asked for: what a provider fills in in others, and where an update that failed had reached it, what replaces, since no update
/// makes that.
#[derive(Clone, Copy)]
pub(super) struct Unasked<'f, 'a> {
    pub(super) filled: &'f Filled<'a>,
    pub(super) reached: bool,
}

impl<'a> Unasked<'_, 'a> {
    fn member(self, shapes: &mut Shapes<'a>, ty: &ObjectType, name: &str, value: &Value) -> bool {
        let replaces = || ty.property(name).is_some_and(|property| property.replaces);
        self.filled.member(shapes, ty, name, value) || (self.reached && !ty.requires(name) && replaces())
    }
}

/// An output's value as an input of this type, without what nobody asked for. The caller's shapes count the steps that it
/// takes for all of its values.
pub(super) fn restricted<'a>(
    shapes: &mut Shapes<'a>,
    ty: &'a Type,
    value: &'a Value,
    defaults: Defaults,
    unasked: Unasked<'_, 'a>,
) -> Value {
    const HOLDER: &str = "value";
    let mut holder: Object = [(HOLDER, value.clone())].into();
    edits(shapes, HOLDER, (ty, value), defaults, unasked).apply(&mut holder);
    holder.remove(HOLDER).unwrap_or(Value::Null)
}

/// The changes that make an input of an output's value, below the property of this name: members that no input has are
/// taken out, and those that can be left out as well, if asked for. Not from a variant of a union, which they may be known by.
fn edits<'a>(
    shapes: &mut Shapes<'a>,
    name: &'a str,
    place: (&'a Type, &'a Value),
    defaults: Defaults,
    unasked: Unasked<'_, 'a>,
) -> Edits<'a> {
    let mut walk = Walk::new();
    let mut edits = Edits::default();
    walk.push(Step::Field(name), place);
    while let Some((ty, value)) = walk.next() {
        match shapes.of(ty, value.plain()) {
            Ok(Shape::Items(list, ty)) => {
                for (index, item) in list.iter().enumerate() {
                    walk.push(Step::Index(index), (ty, item));
                }
            }
            Ok(Shape::Entries(object, ty)) => {
                for (name, member) in object {
                    if unasked.filled.entry(shapes, ty, name, member) {
                        edits.add(&walk, Step::Key(name), Edit::Take);
                    } else {
                        walk.push(Step::Key(name), (ty, member));
                    }
                }
            }
            Ok(Shape::Fields(object, fields)) => {
                let defaults = if matches!(ty, Type::Union(_)) { Defaults::Keep } else { defaults };
                for (name, member) in object {
                    match fields.properties.get(name) {
                        Some(property)
                            if is_kept(property, fields.requires(name), member, defaults)
                                && !unasked.member(shapes, fields, name, member) =>
                        {
                            walk.push(Step::Field(name), (&property.ty, member));
                        }
                        _ => edits.add(&walk, Step::Key(name), Edit::Take),
                    }
                }
            }
            Ok(Shape::Leaf) | Err(_) => {}
        }
    }
    edits
}

/// Whether a value is to be an input: it is there, and it has to be given or says something. What the environment may fill in says
/// something always: a default of the schema is no more than what stands there where nothing is set.
pub(super) fn is_kept(property: &Property, required: bool, value: &Value, defaults: Defaults) -> bool {
    if value.plain().is_null() {
        return false;
    }
    let is_default = || {
        let is_certain = property.constant.is_some() || property.default_info.environment.is_empty();
        is_certain && property.value_if_omitted().is_some_and(|default| equivalent(default, value))
    };
    let says_nothing = || is_absent(property, value) || is_default();
    required || defaults == Defaults::Keep || !says_nothing()
}
