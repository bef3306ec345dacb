//! A state in the form of inputs.

use bulkhead_value::{List, Object, Value, equivalent};

use crate::{
    model::{Property, Type},
    walk::{Edit, Edits, Shape, Shapes, Step, Walk, is_absent},
};

/// Whether to leave out what is equal to its default.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Defaults {
    Keep,
    LeaveOut,
}

/// Another value of the same type: as it was given, and as it was recorded.
#[derive(Clone, Copy)]
pub(super) struct Neighbour<'a> {
    pub(super) given: &'a Value,
    pub(super) recorded: &'a Value,
}

impl<'a> Neighbour<'a> {
    /// The member or entry of this name, on each side.
    fn member(self, name: &str) -> [Option<&'a Value>; 2] {
        [self.given, self.recorded].map(|side| match side.plain() {
            Value::Object(object) => object.there(name),
            _ => None,
        })
    }

    fn element(self, index: usize) -> Option<Self> {
        match (self.given.plain(), self.recorded.plain()) {
            (Value::List(given), Value::List(recorded)) => Self::in_lists(given, recorded, index),
            _ => None,
        }
    }

    /// The element at this place, or the last one: on both sides, so far as they have as many.
    pub(super) fn in_lists(given: &'a List, recorded: &'a List, index: usize) -> Option<Self> {
        let last = given.len().min(recorded.len()).checked_sub(1)?;
        let index = index.min(last);
        Some(Self { given: given.get(index)?, recorded: recorded.get(index)? })
    }
}

/// An output's value as an input of this type. The caller's shapes count the steps that it takes for all of its values.
pub(super) fn restricted<'a>(shapes: &mut Shapes<'a>, ty: &'a Type, value: &'a Value, defaults: Defaults) -> Value {
    restricted_beside(shapes, ty, value, defaults, None)
}

/// The same, of one beside another: what the provider filled in there, it fills in here as well.
pub(super) fn restricted_beside<'a>(
    shapes: &mut Shapes<'a>,
    ty: &'a Type,
    value: &'a Value,
    defaults: Defaults,
    neighbour: Option<Neighbour<'a>>,
) -> Value {
    const HOLDER: &str = "value";
    let mut holder: Object = [(HOLDER, value.clone())].into();
    edits(shapes, HOLDER, (ty, value, neighbour), defaults).apply(&mut holder);
    holder.remove(HOLDER).unwrap_or(Value::Null)
}

type Place<'a> = (&'a Type, &'a Value, Option<Neighbour<'a>>);

/// The changes that make an input of an output's value, below the property of this name: members that no input has are
/// taken out, and those that can be left out as well, if asked for. Not from a variant of a union, which they may be known by.
fn edits<'a>(shapes: &mut Shapes<'a>, name: &'a str, place: Place<'a>, defaults: Defaults) -> Edits<'a> {
    let mut walk = Walk::new();
    let mut edits = Edits::default();
    walk.push(Step::Field(name), place);
    while let Some((ty, value, neighbour)) = walk.next() {
        match shapes.of(ty, value.plain()) {
            Ok(Shape::Items(list, ty)) => {
                for (index, item) in list.iter().enumerate() {
                    let neighbour = neighbour.and_then(|neighbour| neighbour.element(index));
                    walk.push(Step::Index(index), (ty, item, neighbour));
                }
            }
            Ok(Shape::Entries(object, ty)) => {
                for (name, member) in object {
                    match beside(neighbour, name) {
                        Beside::Filled => edits.add(&walk, Step::Key(name), Edit::Take),
                        Beside::Given(neighbour) => walk.push(Step::Key(name), (ty, member, neighbour)),
                    }
                }
            }
            Ok(Shape::Fields(object, fields)) => {
                let defaults = if matches!(ty, Type::Union(_)) { Defaults::Keep } else { defaults };
                for (name, member) in object {
                    match (fields.properties.get(name), beside(neighbour, name)) {
                        (Some(property), Beside::Filled) if property.value_if_omitted().is_none() => {
                            edits.add(&walk, Step::Key(name), Edit::Take);
                        }
                        (Some(property), beside) if is_kept(property, fields.requires(name), member, defaults) => {
                            let neighbour = match beside {
                                Beside::Given(neighbour) => neighbour,
                                Beside::Filled => None,
                            };
                            walk.push(Step::Field(name), (&property.ty, member, neighbour));
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

/// What a neighbour says of a member.
enum Beside<'a> {
    /// The provider fills it in.
    Filled,
    /// Nothing, or that it is given, perhaps as this.
    Given(Option<Neighbour<'a>>),
}

fn beside<'a>(neighbour: Option<Neighbour<'a>>, name: &str) -> Beside<'a> {
    match neighbour.map(|neighbour| neighbour.member(name)) {
        Some([None, Some(_)]) => Beside::Filled,
        Some([Some(given), Some(recorded)]) => Beside::Given(Some(Neighbour { given, recorded })),
        _ => Beside::Given(None),
    }
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
