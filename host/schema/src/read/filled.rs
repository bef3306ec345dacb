//! What a provider fills in where nobody gave it.
//!
//! Of what is new in a list or a map nobody knows what somebody gave and what its provider filled in there. As an input, what was filled in
//! would be a difference to every program, and some differences replace. What the provider does in others of the type tells.

use std::{collections::HashMap, ptr};

use bulkhead_value::{Object, Value, equivalent};

use super::pairing::Order;
use crate::{
    model::{ObjectType, Type},
    walk::{Shape, Shapes, can_hold},
};

/// Members that were left out of some object or map of a type, and recorded there. With the value, if it is the same in all of them.
#[derive(Default)]
pub(super) struct Filled<'a>(HashMap<(usize, &'a str), Option<&'a Value>>);

impl<'a> Filled<'a> {
    /// What was filled in of inputs, by what was given and what was recorded. What a server has in an order of its own was given in another place.
    pub(super) fn of(shapes: &mut Shapes<'a>, ty: &'a ObjectType, [given, recorded]: [&'a Object; 2]) -> Self {
        let mut filled = Self::default();
        let mut order = Order::new(shapes.package);
        let mut open = Vec::new();
        filled.note(ty, fields(ty), [given, recorded], &mut open);
        while let Some((ty, [given, recorded])) = open.pop() {
            match (shapes.of(ty, given), shapes.of(ty, recorded)) {
                (Ok(Shape::Fields(given, ty)), Ok(Shape::Fields(recorded, same))) if ptr::eq(ty, same) => {
                    filled.note(ty, fields(ty), [given, recorded], &mut open);
                }
                (Ok(Shape::Entries(given, ty)), Ok(Shape::Entries(recorded, same))) if ptr::eq(ty, same) => {
                    filled.note(ty, |_| Some(ty), [given, recorded], &mut open);
                }
                (Ok(Shape::Items(given, ty)), Ok(Shape::Items(recorded, same)))
                    if ptr::eq(ty, same) && given.len() == recorded.len() =>
                {
                    for (place, recorded) in recorded.iter().enumerate() {
                        if let Some(given) = order.given_of(ty, given, place, recorded) {
                            open.push((ty, [given.plain(), recorded.plain()]));
                        }
                    }
                }
                _ => {}
            }
        }
        filled
    }

    /// Notes which members of an object or a map were filled in, and opens those that weren't.
    fn note<T>(
        &mut self,
        ty: &T,
        of: impl Fn(&str) -> Option<&'a Type>,
        [given, recorded]: [&'a Object; 2],
        open: &mut Vec<(&'a Type, [&'a Value; 2])>,
    ) {
        for (name, recorded) in recorded.iter().filter(|(_, recorded)| !recorded.plain().is_null()) {
            let Some(below) = of(name) else { continue };
            if let Some(given) = given.there(name) {
                open.push((below, [given.plain(), recorded.plain()]));
                continue;
            }
            let known = self.0.entry((address(ty), name));
            known
                .and_modify(|known| *known = known.filter(|known| equivalent(known, recorded)))
                .or_insert(Some(recorded));
        }
    }

    /// Whether a member of an object of this type was filled in rather than given. What has to be there is given.
    pub(super) fn member(&self, shapes: &mut Shapes<'a>, ty: &ObjectType, name: &str, value: &Value) -> bool {
        let Some(property) = ty.property(name) else { return false };
        let replaces = || property.replaces || can_hold(shapes, &property.ty, |property| property.replaces);
        !ty.requires(name) && property.value_if_omitted().is_none() && self.has((address(ty), name), value, replaces)
    }

    /// The same of an entry of a map, whose entries have this type.
    pub(super) fn entry(&self, shapes: &mut Shapes<'a>, ty: &Type, name: &str, value: &Value) -> bool {
        self.has((address(ty), name), value, || can_hold(shapes, ty, |property| property.replaces))
    }

    /// Where all have the same value, another one may be what somebody gave. Where engines are to ignore changes they send it again with
    /// the next update, and it must not be lost then. But as an input it mustn't replace what nobody wants to change.
    fn has(&self, member: (usize, &str), value: &Value, replaces: impl FnOnce() -> bool) -> bool {
        match self.0.get(&member) {
            None => false,
            Some(None) => true,
            Some(Some(known)) => equivalent(known, value) || replaces(),
        }
    }
}

fn fields<'a>(ty: &'a ObjectType) -> impl Fn(&str) -> Option<&'a Type> {
    move |name| Some(&ty.property(name)?.ty)
}

/// Types stay where they are in their package.
fn address<T>(ty: &T) -> usize {
    ptr::from_ref(ty).addr()
}
