//! [`Coerced`].

use std::marker::PhantomData;

use bulkhead_sdk::{Error, Fields, Inputs, Result, Value, record::Record, schema::PropertySet, value::Misfit};

use super::table::Table;
use crate::plan;

/// Inputs in the form in which they are recorded, whatever form they were given in: see [`plan::coerced`]. They may be ones that
/// nothing could be drawn from: what exists already goes on with the inputs that it has.
#[derive(Debug)]
pub struct Coerced<T> {
    pub(super) recorded: Fields,
    table: PhantomData<fn() -> T>,
}

impl<T: Table> Coerced<T> {
    /// Those of some fields that are inputs and have one of these names. Nulls say nothing.
    pub(super) fn of(mut fields: Fields, names: &[&str]) -> Self {
        let is_input = |name: &str| T::ATTRIBUTES.iter().any(|attribute| attribute.name == name);
        fields.retain(|name, value| names.contains(&name.as_str()) && is_input(name) && *value.plain() != Value::Null);
        Self { recorded: fields, table: PhantomData }
    }

    /// The same, but of lists and maps only as much as other inputs have: what was added to a state isn't what a program gives.
    pub(super) fn within(mut self, given: &Fields) -> Self {
        for (name, value) in &mut self.recorded {
            if let Some(given) = given.get(name) {
                cut(value, given.plain());
            }
        }
        self
    }

    /// Inputs to draw from.
    pub(super) fn typed(mut self) -> Result<T> {
        T::take(&mut self.recorded).map_err(|misfit| {
            let (path, reason) = misfit.into_parts();
            Error::rejected(path, reason)
        })
    }
}

/// Takes from a list or map what another doesn't have.
fn cut(value: &mut Value, given: &Value) {
    match (value, given) {
        (Value::Secret(value), given) => cut(value, given),
        (Value::Fields(members), Value::Fields(given)) => members.retain(|name, _| given.contains_key(name)),
        (Value::Items(items), Value::Items(given)) => items.truncate(given.len()),
        _ => {}
    }
}

/// Written by hand, since no property is added.
impl<T: Table> Record for Coerced<T> {
    const DESCRIPTION: &'static str = T::DESCRIPTION;
    const NAMES: &'static [&'static str] = T::NAMES;

    fn describe(properties: &mut PropertySet<'_>) {
        T::describe(properties);
    }

    fn take(fields: &mut Fields) -> Result<Self, Misfit> {
        Ok(Self { recorded: plan::predicted(T::ATTRIBUTES, fields), table: PhantomData })
    }

    fn put(&self, fields: &mut Fields) -> Result<(), Misfit> {
        fields.extend(self.recorded.clone());
        Ok(())
    }
}

impl<T: Table> Inputs for Coerced<T> {}
