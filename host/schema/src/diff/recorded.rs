//! What the recorded state says of a place that is being compared.

use bulkhead_value::Value;

use super::Comparison;
use crate::{
    model::Property,
    walk::{Shapes, is_seen_as, is_seen_in},
};

/// The recorded state of the object that is being compared.
#[derive(Clone, Copy)]
pub(super) enum Recorded<'a> {
    /// The object is the inputs of this resource.
    Resource(&'a Comparison<'a>),
    /// The object was recorded as this value.
    Value(&'a Value),
    /// It isn't known to be anywhere in the state.
    Nowhere,
}

/// What the state says of a property.
#[derive(Clone, Copy)]
pub(super) enum Said<'a> {
    /// It has the property with this value.
    Value(&'a Value),
    /// It doesn't have it, but would, had it been given.
    Absent,
    /// It never has it in the form in which it is given.
    Nothing,
}

impl<'a> Recorded<'a> {
    pub(super) fn of(self, shapes: &mut Shapes<'a>, name: &str, property: Option<&'a Property>) -> Said<'a> {
        let (said, echoed) = match self {
            Self::Nowhere => return Said::Nothing,
            Self::Resource(comparison) => {
                let output = comparison.resource.outputs.properties.get(name);
                let state = comparison.old_state.get(name);
                let echoed = match (property, output) {
                    (Some(_), Some(output)) if output.facts.not_echoed => false,
                    (Some(input), Some(output)) => match state.filter(|state| !state.plain().is_null()) {
                        Some(state) => is_seen_as(shapes, &input.ty, &output.ty, state),
                        None => is_seen_in(shapes, &input.ty, &output.ty),
                    },
                    _ => false,
                };
                (state, echoed)
            }
            Self::Value(value) => match value.plain() {
                Value::Object(object) => (object.get(name), true),
                _ => return Said::Nothing,
            },
        };
        if !echoed || property.is_some_and(|property| property.facts.not_echoed) {
            return Said::Nothing;
        }
        match said.filter(|value| !value.plain().is_null()) {
            Some(value) => Said::Value(value),
            None => Said::Absent,
        }
    }

    /// Whether a change to a property replaces the resource, by what the schema says of the output of the same name.
    pub(super) fn replaces(self, name: &str) -> bool {
        match self {
            Self::Resource(comparison) => {
                comparison.resource.outputs.properties.get(name).is_some_and(|output| output.replaces)
            }
            Self::Value(_) | Self::Nowhere => false,
        }
    }

    pub(super) fn element(self, index: usize, count: usize) -> Self {
        match self {
            Self::Value(value) => match value.plain() {
                // Where the lengths differ, elements can't be told to be the same.
                Value::List(list) if list.len() == count => list.get(index).map_or(Self::Nowhere, Self::Value),
                _ => Self::Nowhere,
            },
            _ => Self::Nowhere,
        }
    }

    pub(super) fn member(self, name: &str) -> Self {
        match self {
            Self::Value(value) => match value.plain() {
                Value::Object(object) => object.get(name).map_or(Self::Nowhere, Self::Value),
                _ => Self::Nowhere,
            },
            _ => Self::Nowhere,
        }
    }
}

impl<'a> Said<'a> {
    pub(super) fn recorded(self) -> Recorded<'a> {
        match self {
            Self::Value(value) => Recorded::Value(value),
            Self::Absent | Self::Nothing => Recorded::Nowhere,
        }
    }
}
