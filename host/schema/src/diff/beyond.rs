//! What a provider filled in in a state that stands in for inputs.
//!
//! A state has more in its maps and lists than was given, and nobody would take out what nobody put there: least of all where that
//! replaces. Inputs of a newer version are in terms that nobody here knows, but as long as the program says the same names as they do, and
//! as many elements, what the state has beyond these isn't anybody's.

use std::{borrow::Cow, ptr};

use bulkhead_value::{Object, Value};

use crate::{
    model::{Package, Resource, Type},
    walk::{Edit, Edits, Placed, Shape, Shapes, Step, Walk, is_foreign},
};

/// A state without the entries of maps, and without the elements at the end of lists, that neither inputs of another version nor new ones
/// have, where these two agree on all others.
pub fn as_given<'s>(package: &Package, resource: &Resource, state: &'s Object, sides: [&Object; 2]) -> Cow<'s, Object> {
    let (mut shapes, mut walk, mut edits) = (Shapes::new(package), Walk::new(), Edits::default());
    for (name, property) in &resource.inputs.properties {
        push(&mut walk, Step::Field(name), &property.ty, [state, sides[0], sides[1]], name);
    }
    while let Some((ty, values)) = walk.next() {
        let [state, newer, new] = values.map(Value::plain);
        match (shapes.of(ty, state), shapes.of(ty, newer), shapes.of(ty, new)) {
            (Ok(Shape::Fields(state, ty)), Ok(Shape::Fields(newer, one)), Ok(Shape::Fields(new, other)))
                if ptr::eq(ty, one) && ptr::eq(ty, other) =>
            {
                for name in state.keys() {
                    let Some(property) = ty.properties.get(name) else { continue };
                    push(&mut walk, Step::Field(name), &property.ty, [state, newer, new], name);
                }
            }
            (Ok(Shape::Entries(state, ty)), Ok(Shape::Entries(newer, one)), Ok(Shape::Entries(new, other)))
                if ptr::eq(ty, one) && ptr::eq(ty, other) && names(newer).eq(names(new)) =>
            {
                for name in names(state) {
                    match new.there(name) {
                        Some(_) => push(&mut walk, Step::Key(name), ty, [state, newer, new], name),
                        None => edits.add(&walk, Step::Key(name), Edit::Take),
                    }
                }
            }
            (Ok(Shape::Items(state, ty)), Ok(Shape::Items(newer, one)), Ok(Shape::Items(new, other)))
                if ptr::eq(ty, one) && ptr::eq(ty, other) && newer.len() == new.len() =>
            {
                if state.len() > new.len() {
                    edits.arrange(&walk, (0..new.len()).map(Placed::Old).collect());
                }
                for (index, ((state, newer), new)) in state.iter().zip(newer).zip(new).enumerate() {
                    walk.push(Step::Index(index), (ty, [state, newer, new]));
                }
            }
            _ => {}
        }
    }
    if edits.is_empty() {
        return Cow::Borrowed(state);
    }
    let mut given = state.clone();
    edits.apply(&mut given);
    Cow::Owned(given)
}

fn push<'a>(
    walk: &mut Walk<'a, (&'a Type, [&'a Value; 3])>,
    step: Step<'a>,
    ty: &'a Type,
    sides: [&'a Object; 3],
    name: &str,
) {
    if let [Some(state), Some(newer), Some(new)] = sides.map(|side| side.there(name)) {
        walk.push(step, (ty, [state, newer, new]));
    }
}

/// The names of what is there.
fn names(object: &Object) -> impl Iterator<Item = &String> {
    object.keys().filter(|name| object.there(name).is_some() && !is_foreign(name, None))
}
