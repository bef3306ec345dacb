//! Which values make a change of the whole replace the resource.
//!
//! A property that replaces on a change may stand deep in a value that appears, disappears or isn't known as a whole.

use bulkhead_value::Value;

use super::{
    reach::can_hold,
    shape::{Mismatch, Reason, Shape, Shapes},
};
use crate::model::{ObjectType, Property, Type};

/// Whether a value has a property that replaces on a change.
pub(crate) fn can_replace<'a>(shapes: &mut Shapes<'a>, ty: &'a Type, value: &'a Value) -> bool {
    holds(shapes, ty, value, |_, _, property| property.replaces)
}

/// Whether it has one that it can't be without.
pub(crate) fn must_replace<'a>(shapes: &mut Shapes<'a>, ty: &'a Type, value: &'a Value) -> bool {
    holds(shapes, ty, value, |ty, name, property| property.replaces && ty.requires(name))
}

fn holds<'a>(
    shapes: &mut Shapes<'a>,
    ty: &'a Type,
    value: &'a Value,
    counts: impl Fn(&ObjectType, &str, &Property) -> bool,
) -> bool {
    let mut open = vec![(ty, value)];
    while let Some((ty, value)) = open.pop() {
        let value = value.plain();
        if value.is_unknown() {
            if is_possible(shapes, ty) {
                return true;
            }
            continue;
        }
        if shapes.is_open(ty, value) {
            if is_possible(shapes, ty) {
                return true;
            }
            continue;
        }
        match shapes.of(ty, value) {
            Ok(Shape::Items(list, ty)) => open.extend(list.iter().map(|item| (ty, item))),
            Ok(Shape::Entries(object, ty)) => open.extend(object.values().map(|member| (ty, member))),
            Ok(Shape::Fields(object, ty)) => {
                let given = object.iter().filter(|(_, member)| !member.plain().is_null());
                for (name, member) in given {
                    let Some(property) = ty.properties.get(name) else { continue };
                    if counts(ty, name, property) {
                        return true;
                    }
                    open.push((&property.ty, member));
                }
            }
            // Nobody knows what is in there.
            Err(Mismatch { reason: Reason::TooMuch, .. }) if is_possible(shapes, ty) => return true,
            Ok(Shape::Leaf) | Err(_) => {}
        }
    }
    false
}

/// Whether a value of a type can have a property that replaces on a change.
fn is_possible(shapes: &mut Shapes<'_>, ty: &Type) -> bool {
    can_hold(shapes, ty, |property| property.replaces)
}
