//! Properties on one side only.
//!
//! To leave a property out and to give what it is anyway are the same to the resource. What it is anyway, the recorded
//! state knows best; where the state can't have it, the default says it.

use bulkhead_value::{Value, equivalent};

use super::{
    compare::{Differ, same},
    recorded::Said,
};
use crate::{
    model::{Property, Type},
    walk::{Shape, Shapes, is_absent, is_foreign},
};

impl<'a> Differ<'a> {
    /// Whether a value that wasn't given before is what the resource has.
    pub(super) fn is_as_recorded(&mut self, property: Option<&'a Property>, new: &'a Value, said: Said<'a>) -> bool {
        let Some(property) = property else { return false };
        let is_default = || property.value_if_omitted().is_some_and(|default| equivalent(default, new));
        match said {
            Said::Value(state) => covers(&mut self.shapes, &property.ty, state, new),
            Said::Absent => is_default(),
            // Without old inputs, nobody knows whether it was given.
            Said::Nothing => self.from_state || is_default(),
        }
    }

    /// Whether a value that isn't given any more is what the resource has without it.
    pub(super) fn is_as_by_default(&mut self, property: &'a Property, old: &'a Value, said: Said<'a>) -> bool {
        match property.value_if_omitted() {
            Some(default) => {
                let recorded = match said {
                    Said::Value(state) => equivalent(default, state),
                    Said::Absent | Said::Nothing => false,
                };
                recorded || equivalent(default, old)
            }
            // The state has values that the provider filled in, and nobody knows which were given.
            None => self.from_state,
        }
    }
}

/// Whether a state has everything that is given: objects may have more, of what the provider fills in.
fn covers<'a>(shapes: &mut Shapes<'a>, ty: &'a Type, state: &'a Value, given: &'a Value) -> bool {
    let mut open = vec![(ty, state, given)];
    while let Some((ty, state, given)) = open.pop() {
        let (state, given) = (state.plain(), given.plain());
        let covered = match (shapes.of(ty, given), state) {
            (Ok(Shape::Fields(object, ty)), Value::Object(state)) => {
                let mut members =
                    object.iter().filter(|(name, value)| !value.plain().is_null() && !is_foreign(name, Some(ty)));
                members.all(|(name, value)| {
                    let Some(property) = ty.properties.get(name) else { return false };
                    match state.there(name) {
                        _ if is_absent(property, value) => true,
                        Some(state) => {
                            open.push((&property.ty, state, value));
                            true
                        }
                        None => property.value_if_omitted().is_some_and(|default| equivalent(default, value)),
                    }
                })
            }
            (Ok(Shape::Items(list, ty)), Value::List(state)) => {
                open.extend(state.iter().zip(list).map(|(state, given)| (ty, state, given)));
                state.len() == list.len()
            }
            (Ok(Shape::Entries(object, ty)), Value::Object(state)) => {
                open.extend(state.values().zip(object.values()).map(|(state, given)| (ty, state, given)));
                state.len() == object.len() && state.keys().eq(object.keys())
            }
            _ => same(ty, state, given),
        };
        if !covered {
            return false;
        }
    }
    true
}
